/** Runs `work` on every item, a few at a time. After a failure nothing new is begun, and what runs is waited for. */
export async function inLanes<Item>(
  items: Iterable<Item>,
  lanes: number,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const waiting = items[Symbol.iterator]();
  let failed = false;
  const lane = async () => {
    for (let next = waiting.next(); !failed && !next.done; next = waiting.next()) {
      try {
        await work(next.value);
      } catch (thrown) {
        failed = true;
        throw thrown;
      }
    }
  };
  const ended = await Promise.allSettled(Array.from({ length: Math.max(1, lanes) }, lane));
  for (const result of ended) if (result.status === 'rejected') throw result.reason;
}
