/** Counts what is under way, so that a server can end when the last of it is done. */
export type Running = {
  /** Counts the work until it settles. */
  during<T>(work: Promise<T>): Promise<T>;
  /** Resolves when nothing is under way. */
  idle(): Promise<void>;
};

export function running(): Running {
  let count = 0;
  let waiting: (() => void)[] = [];
  const leave = () => {
    count--;
    if (count > 0) return;
    for (const resolve of waiting) resolve();
    waiting = [];
  };
  return {
    during(work) {
      count++;
      return work.finally(leave);
    },
    idle: () => (count === 0 ? Promise.resolve() : new Promise((resolve) => waiting.push(resolve))),
  };
}
