/** Node ids: seven characters of time, six of chance. They sort by creation, which keeps the indexes compact. */
import { randomInt } from 'node:crypto';

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const TIME_LENGTH = 7;
const CHANCE_LENGTH = 6;
const CHANCE_LIMIT = 62 ** CHANCE_LENGTH;

export type NewId = () => string;

function encode(value: number, length: number): string {
  let text = '';
  for (let rest = value; text.length < length; rest = Math.floor(rest / 62)) text = DIGITS[rest % 62] + text;
  return text;
}

/**
 * A source of ids. Within one millisecond it counts up instead of drawing anew, so that a bulk
 * insert neither collides with itself nor loses its order.
 */
export function idSource(now: () => number, draw: (limit: number) => number = randomInt): NewId {
  let time = 0;
  let chance = 0;
  return () => {
    const current = now();
    const counted = current <= time && chance + 1 < CHANCE_LIMIT;
    if (!counted) time = Math.max(current, time + 1);
    chance = counted ? chance + 1 : draw(CHANCE_LIMIT / 2);
    return encode(time, TIME_LENGTH) + encode(chance, CHANCE_LENGTH);
  };
}
