/** Step 3: how many calls an agent may make. Counted in this process, by the leaky bucket known as GCRA. */
import { rateLimited } from '../errors.js';

const MINUTE = 60_000;

export type RateLimiter = { take(agent: string, now: number): void };

/** Allows `callsPerMinute` at once, and then as many each minute. 0 allows any number. */
export function rateLimiter(callsPerMinute: number): RateLimiter {
  if (callsPerMinute === 0) return { take: () => {} };
  const interval = MINUTE / callsPerMinute;
  /** For each agent, the time at which its bucket will be empty again. */
  const emptyAt = new Map<string, number>();
  return {
    take(agent, now) {
      const next = Math.max(emptyAt.get(agent) ?? 0, now) + interval;
      const wait = next - MINUTE - now;
      if (wait > 0) throw tooFast(agent, callsPerMinute, wait);
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
