/** Milliseconds on a clock that nobody sets. Node's `performance` tells the same, and takes longer to load than to ask. */
export const monotonic = (): number => Number(process.hrtime.bigint()) / 1e6;

/** Lets time pass without letting anything else run. */
export function holdUp(ms: number): void {
  Atomics.wait(nobodyWakes, 0, 0, ms);
}

const nobodyWakes = new Int32Array(new SharedArrayBuffer(4));
