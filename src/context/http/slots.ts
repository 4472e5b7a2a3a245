/** A fixed number of slots: who finds none free waits in line. */

export interface Slots {
  /** Runs the work in a slot. A wait that is aborted throws the signal's reason. */
  run<Result>(signal: AbortSignal, work: () => Promise<Result>): Promise<Result>;
}

export function openSlots(count: number): Slots {
  const waiting = new Set<() => void>();
  let free = count;

  function leave(): void {
    const [next] = waiting;
    if (next === undefined) free++;
    else next();
  }

  function enter(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (free > 0) {
      free--;
      return Promise.resolve();
    }
    return new Promise((resolve, reject) => {
      const go = () => settle(resolve);
      const stop = () => settle(() => reject(signal.reason));
      const settle = (then: () => void) => {
        waiting.delete(go);
        signal.removeEventListener('abort', stop);
        then();
      };
      waiting.add(go);
      signal.addEventListener('abort', stop);
    });
  }

  return {
    async run(signal, work) {
      await enter(signal);
      try {
        return await work();
      } finally {
        leave();
      }
    },
  };
}
