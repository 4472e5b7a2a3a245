/** Changes on their way to the store: several in one transaction, few enough that memory stays flat. */

export type Batch<Item> = {
  /** Resolves when there is room for more. */
  add(item: Item, size: number): Promise<void>;
  /** Resolves when everything that was added is stored. */
  finish(): Promise<void>;
};

export type BatchOptions<Item> = {
  write: (items: readonly Item[]) => Promise<void>;
  now: () => number;
};

/** With more, their texts grow old in memory before they are stored, and stay there as garbage for long. */
const MAX_ITEMS = 64;
const MAX_SIZE = 1024 * 1024;
/** What comes slowly, from a network, is stored soon all the same: a killed sync then has little to do again. */
const MAX_AGE_MS = 500;

export function openBatch<Item>({ write, now }: BatchOptions<Item>): Batch<Item> {
  let waiting: Item[] = [];
  let size = 0;
  let since = now();
  let last: Promise<void> = Promise.resolve();

  const flush = (): Promise<void> => {
    const items = waiting;
    waiting = [];
    size = 0;
    since = now();
    if (items.length > 0) last = last.then(() => write(items));
    return last;
  };

  return {
    add: async (item, itemSize) => {
      waiting.push(item);
      size += itemSize;
      if (waiting.length >= MAX_ITEMS || size >= MAX_SIZE || now() - since >= MAX_AGE_MS) await flush();
    },
    finish: flush,
  };
}
