/** Milliseconds on a clock that nobody sets. Node's `performance` tells the same, and takes longer to load than to ask. */
export const monotonic = (): number => Number(process.hrtime.bigint()) / 1e6;
