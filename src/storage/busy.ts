/** Sharing the file with writers of other processes: waiting for it without holding up this one's event loop, and giving way. */
import { setTimeout as sleep } from 'node:timers/promises';
import { holdUp, monotonic } from '../clock.js';
import { type Driver, SQLITE } from './drivers/connection.js';

const PATIENCE_MS = 60_000;
const LONGEST_NAP_MS = 5;
/** How long a writer that fell behind may hold up its own process to catch up. */
const CATCH_UP_MS = 100;

/** Repeats `attempt` while another process holds the file, for a minute at the most. */
export async function whenFree<T>(driver: Driver, attempt: () => T): Promise<T> {
  const deadline = monotonic() + PATIENCE_MS;
  const tryOnce = () => unlessBusy(driver, attempt);
  for (;;) {
    const got = tryOnce();
    if ('result' in got) return got.result;
    if (monotonic() > deadline) throw got.busy;
    const asleep = monotonic();
    await sleep(1 + Math.random() * (LONGEST_NAP_MS - 1));
    const late = monotonic() - asleep - LONGEST_NAP_MS;
    const caughtUp = catchUp(tryOnce, Math.min(late, CATCH_UP_MS));
    if (caughtUp) return caughtUp.result;
  }
}

type Attempt<T> = { result: T } | { busy: unknown };

function unlessBusy<T>(driver: Driver, attempt: () => T): Attempt<T> {
  try {
    return { result: attempt() };
  } catch (thrown) {
    const code = driver.resultCode(thrown);
    if (code === SQLITE.BUSY || code === SQLITE.LOCKED) return { busy: thrown };
    throw thrown;
  }
}

/** A process with much else to do wakes late, and would be overtaken by idle ones for ever: it makes up for the tries it missed. */
function catchUp<T>(tryOnce: () => Attempt<T>, ms: number): { result: T } | undefined {
  const until = monotonic() + ms;
  while (monotonic() < until) {
    const got = tryOnce();
    if ('result' in got) return got;
    holdUp(1);
  }
  return undefined;
}

const RUN_MS = 300;
const REST_MS = LONGEST_NAP_MS + 1;

/**
 * Who writes without a pause leaves others gaps too short to find. After a while it rests for so long that each of
 * them tries once. `time` answers milliseconds.
 */
export function givingWay(rest: (ms: number) => Promise<unknown> = sleep, time = monotonic) {
  let since = Number.NEGATIVE_INFINITY;
  let ended = Number.NEGATIVE_INFINITY;
  return {
    async before(): Promise<void> {
      if (time() - ended >= REST_MS) since = time();
      if (time() - since < RUN_MS) return;
      await rest(REST_MS);
      since = time();
    },
    after(): void {
      ended = time();
    },
  };
}
