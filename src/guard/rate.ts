/** Step 3: how many calls an agent may make. Counted in this process, by the leaky bucket known as GCRA. */
import { rateLimited } from '../errors.js';

const MINUTE = 60_000;

export type RateLimiter = { take(agent: string, now: number): void };

/** Allows `callsPerMinute` at once, and then as many each minute. 0 allows any number. */
export function rateLimiter(callsPerMinute: number): RateLimiter {
  if (callsPerMinute === 0) return { take: () => {} };
  /** For each agent, the time at which its bucket will be empty again, in parts of a millisecond: whole numbers add up exactly. */
  const emptyAt = new Map<string, number>();
  return {
    take(agent, time) {
      const now = time * callsPerMinute;
      // A clock that was set back must not lock an agent out for longer than a full bucket.
      const full = now + MINUTE * callsPerMinute;
      const next = Math.max(Math.min(emptyAt.get(agent) ?? 0, full), now) + MINUTE;
      const wait = next / callsPerMinute - MINUTE - time;
      if (next > full) throw tooFast(agent, callsPerMinute, wait);
      emptyAt.set(agent, next);
      if (emptyAt.size > 10_000) forgetIdle(emptyAt, now);
    },
  };
}

function tooFast(agent: string, callsPerMinute: number, waitMs: number) {
  const retryAfter = Math.max(1, Math.ceil(waitMs / 1000));
  return rateLimited`Agent '${agent}' has made more than ${callsPerMinute} calls in a minute`
    .with({ retryAfter })
    .advise(`Wait ${retryAfter} s, then call again. Fewer, larger calls help.`);
}

function forgetIdle(emptyAt: Map<string, number>, now: number): void {
  for (const [agent, time] of emptyAt) if (time <= now) emptyAt.delete(agent);
}
