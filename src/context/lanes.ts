/** Runs `work` on every item, a few at a time. After a failure nothing new is begun, and what runs is waited for. */
export async function inLanes<Item>(
  items: readonly Item[],
  lanes: number,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  let next = 0;
  let failed = false;
  const lane = async () => {
    while (!failed && next < items.length) {
      try {
        await work(items[next++] as Item);
      } catch (thrown) {
        failed = true;
        throw thrown;
      }
    }
  };
  const ended = await Promise.allSettled(Array.from({ length: Math.min(Math.max(1, lanes), items.length) }, lane));
  for (const result of ended) if (result.status === 'rejected') throw result.reason;
}
