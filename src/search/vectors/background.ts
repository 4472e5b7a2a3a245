/**
 * Embedding beside other work, in processes that live long. It begins after the first call, looks for new texts
 * after each call and every few seconds, and steps back while another process does the work.
 */
import { monotonic } from '../../clock.js';
import type { Database } from '../../storage/sql.js';
import type { Embedder } from '../embed/embedder.js';
import { embedPending } from './embed-pending.js';
import { readChanges } from './store.js';
import { sweepVectors } from './sweep.js';

export type Background = {
  /** Something may have changed: a good time to look. It does not hold up the caller. */
  poke(): void;
  /** Stops, and waits until nothing is under way. */
  close(): Promise<void>;
};

export type BackgroundOptions = {
  database: Database;
  embedder: Embedder;
  now: () => number;
  onFault: (fault: Error) => void;
  /** How often to look for what other processes have changed. */
  everyMs?: number;
  /** How long to wait after a fault. */
  afterFaultMs?: number;
};

export function embedInBackground(options: BackgroundOptions): Background {
  const { database, embedder, now, onFault, everyMs = 5000, afterFaultMs = 60_000 } = options;
  const stop = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;
  let done: number | undefined;
  let quietUntil = 0;

  const pass = async () => {
    const { documents } = await database.read(readChanges);
    if (documents === done) return;
    const result = await embedPending({ database, embedder, now, signal: stop.signal });
    if (!result) return;
    await sweepVectors(database, stop.signal);
    done = documents;
  };
  const look = () => {
    if (running || stop.signal.aborted || monotonic() < quietUntil) return;
    running = pass()
      .catch((fault: Error) => {
        if (stop.signal.aborted) return;
        quietUntil = monotonic() + afterFaultMs;
        onFault(fault);
      })
      .finally(() => {
        running = undefined;
      });
  };
  return {
    poke() {
      if (stop.signal.aborted) return;
      timer ??= setInterval(look, everyMs).unref();
      // After the answer, not before it.
      setImmediate(look);
    },
    async close() {
      clearInterval(timer);
      stop.abort();
      await running;
    },
  };
}
