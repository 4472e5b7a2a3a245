/** Ranks: text keys with room for another between any two, so that one insertion rewrites one row. */
import { generateKeyBetween, generateNKeysBetween } from 'fractional-indexing';

/** A rank longer than this says that its neighbourhood is crowded, and its siblings are spread anew. */
const CROWDED = 48;

/** A rank between two others (null: no bound), or undefined when there is no good one left. */
export function rankBetween(lower: string | null, upper: string | null): string | undefined {
  // Equal keys can come from elsewhere; nothing fits between them.
  if (lower !== null && upper !== null && lower >= upper) return undefined;
  const rank = generateKeyBetween(lower, upper);
  return rank.length > CROWDED ? undefined : rank;
}

/** Ranks for `count` siblings, evenly spread. */
export const evenRanks = (count: number): string[] => generateNKeysBetween(null, null, count);
