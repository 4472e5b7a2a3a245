/** Waiting for a file that another process is writing, without holding up this one's event loop. */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Driver, SQLITE } from './drivers/connection.js';

const PATIENCE_MS = 60_000;

/** Repeats `attempt` while another process holds the file, for a minute at the most. */
export async function whenFree<T>(driver: Driver, attempt: () => T): Promise<T> {
  const deadline = Date.now() + PATIENCE_MS;
  for (;;) {
    try {
      return attempt();
    } catch (thrown) {
      const code = driver.resultCode(thrown);
      const busy = code === SQLITE.BUSY || code === SQLITE.LOCKED;
      if (!busy || Date.now() > deadline) throw thrown;
      await sleep(1 + Math.random() * 4);
    }
  }
}
