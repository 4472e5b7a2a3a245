// @ts-check
/** Timing. Contestants take turns within each round, so that a busy machine slows all of them alike. */

/**
 * @template Item
 * @typedef {object} Contestant
 * @property {(item: Item) => unknown} call
 * @property {() => unknown} [finish] What the calls left to do: it counts into the round.
 */

/** @typedef {{ mean: number, median: number, slow: number }} Round Nanoseconds a call; slow: 99 of 100 are faster. */

/**
 * Gives every contestant the same items in every round. The first round warms up and is not counted.
 * @template Item
 * @param {readonly Contestant<Item>[]} contestants
 * @param {number} rounds
 * @param {(round: number) => readonly Item[] | Promise<readonly Item[]>} itemsOf
 * @returns {Promise<Round[][]>} for each contestant, its rounds
 */
export async function race(contestants, rounds, itemsOf) {
  const results = contestants.map(() => /** @type {Round[]} */ ([]));
  for (let round = 0; round <= rounds; round++) {
    const items = await itemsOf(round);
    for (const index of turns(contestants.length, round)) {
      const time = await timeRound(/** @type {Contestant<Item>} */ (contestants[index]), items);
      if (round > 0) results[index]?.push(time);
    }
  }
  return results;
}

/**
 * Another contestant begins in each round: the place in the order must favour no one.
 * @param {number} count
 * @param {number} round
 */
const turns = (count, round) => Array.from({ length: count }, (_, turn) => (turn + round) % count);

/**
 * @template Item
 * @param {Contestant<Item>} contestant
 * @param {readonly Item[]} items
 * @returns {Promise<Round>}
 */
async function timeRound({ call, finish }, items) {
  const times = new Float64Array(items.length);
  const begin = process.hrtime.bigint();
  let before = begin;
  for (const [index, item] of items.entries()) {
    await call(item);
    const after = process.hrtime.bigint();
    times[index] = Number(after - before);
    before = after;
  }
  await finish?.();
  const mean = Number(process.hrtime.bigint() - begin) / items.length;
  return { mean, median: median(times), slow: quantile(times, 0.99) };
}

/** @param {ArrayLike<number>} values @param {number} part */
export function quantile(values, part) {
  const sorted = Float64Array.from(values).sort();
  return /** @type {number} */ (sorted[Math.floor(part * (sorted.length - 1))]);
}

/** @param {ArrayLike<number>} values */
export const median = (values) => quantile(values, 0.5);
