// @ts-check
/** Timing single steps of games that are played side by side in rounds, so that a busy machine slows all of them alike. */
import { median } from './measure.mjs';

/** @typedef {<T>(label: string, work: () => T | Promise<T>) => Promise<T>} Time Times one step of a round. */
/** @typedef {{ rounds: number, play: (time: Time, round: number) => Promise<void>, end?: () => void }} Game */

/**
 * For each game, the median of its steps in milliseconds, by their labels. All games have as many rounds; another one
 * begins in each, and the first round warms up.
 * @param {readonly Game[]} games
 * @returns {Promise<Map<string, number>[]>}
 */
export async function timeRounds(games) {
  const times = games.map(() => /** @type {Map<string, number[]>} */ (new Map()));
  const rounds = games[0]?.rounds ?? 0;
  for (let round = 0; round <= rounds; round++) {
    for (let turn = 0; turn < games.length; turn++) {
      const index = (turn + round) % games.length;
      const known = /** @type {Map<string, number[]>} */ (times[index]);
      await games[index]?.play(stopwatch(round === 0 ? new Map() : known), round);
    }
  }
  for (const { end } of games) end?.();
  return times.map((known) => new Map([...known].map(([label, all]) => [label, median(all)])));
}

/** @param {Map<string, number[]>} times @returns {Time} */
const stopwatch = (times) => async (label, work) => {
  const begin = process.hrtime.bigint();
  const result = await work();
  const taken = Number(process.hrtime.bigint() - begin) / 1e6;
  times.set(label, [...(times.get(label) ?? []), taken]);
  return result;
};
