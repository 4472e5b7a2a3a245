/** Ranks: text keys with room for another between any two, so that one insertion rewrites one row. */
import { generateNKeysBetween } from 'fractional-indexing';

/** A rank longer than this says that its neighbourhood is crowded, and its siblings are spread anew. */
const CROWDED = 48;

/** So many ranks between two others (null: no bound), or undefined when there are no good ones left. */
export function ranksBetween(lower: string | null, upper: string | null, count: number): string[] | undefined {
  // Equal keys can come from elsewhere; nothing fits between them.
  if (lower !== null && upper !== null && lower >= upper) return undefined;
  const ranks = generateNKeysBetween(lower, upper, count);
  return ranks.some((rank) => rank.length > CROWDED) ? undefined : ranks;
}

/** One rank between two others. */
export const rankBetween = (lower: string | null, upper: string | null): string | undefined =>
  ranksBetween(lower, upper, 1)?.[0];

/** Ranks for `count` siblings, evenly spread. */
export const evenRanks = (count: number): string[] => generateNKeysBetween(null, null, count);
