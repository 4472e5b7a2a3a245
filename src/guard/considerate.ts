/** Long work in the database lets others have a turn now and then, and stops when its call is cancelled. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { monotonic } from '../clock.js';
import { plainFailure } from '../errors.js';
import type { Sql } from '../storage/sql.js';

/**
 * Statements run in this very thread: without a pause no cancellation could ever arrive. A change pauses only when
 * it is truly long, because other writers wait for it meanwhile.
 */
const TURN_MS = { read: 50, write: 250, destroy: 250 };

export function considerate(sql: Sql, signal: AbortSignal, effect: keyof typeof TURN_MS): Sql {
  let since = monotonic();
  const rest = async () => {
    await nextTurn();
    since = monotonic();
    signal.throwIfAborted();
  };
  const inTurn = <T>(work: () => Promise<T>): Promise<T> =>
    monotonic() - since < TURN_MS[effect] ? work() : rest().then(work);
  return {
    all: (text, params) => inTurn(() => sql.all(text, params)),
    get: (text, params) => inTurn(() => sql.get(text, params)),
    run: (text, params) => inTurn(() => sql.run(text, params)),
  };
}

export const cancelled = plainFailure('internal', 'The call was cancelled before it was done').advise(
  'Nothing of it was kept in the library. Call again if you still want it.',
);
