/** Putting imported children in order with as few moves as possible: who may stay, and the ranks of the others. */
import { generateNKeysBetween } from 'fractional-indexing';
import type { Change } from '../change.js';
import { evenRanks } from '../rank.js';
import { edgeChild, findNode, neighbour } from '../read.js';
import { setRank } from '../write.js';

/** A rank longer than this says that the place is crowded. */
const CROWDED = 48;

/** The positions of the longest run of ranks that rises already. Who is not in it has to move. */
export function risingPositions(ranks: readonly string[]): Set<number> {
  // ends[n] is the position of the smallest rank that a rising run of n + 1 can end with.
  const ends: number[] = [];
  const before: (number | undefined)[] = [];
  for (const [position, rank] of ranks.entries()) {
    let length = 0;
    let beyond = ends.length;
    while (length < beyond) {
      const middle = (length + beyond) >> 1;
      if ((ranks[ends[middle] as number] as string) < rank) length = middle + 1;
      else beyond = middle;
    }
    before[position] = ends[length - 1];
    ends[length] = position;
  }
  const rising = new Set<number>();
  for (let at = ends.at(-1); at !== undefined; at = before[at]) rising.add(at);
  return rising;
}

/** Between whom a run of children goes: after one, or else before another, or else at the end. */
export type Gap = { after?: string | undefined; before?: string | undefined };

/** Ranks for a run of children in a gap. It spreads the siblings anew where they stand too close. */
export async function ranksIn(change: Change, parentId: string, gap: Gap, count: number): Promise<string[]> {
  const ranks = await tryRanks(change, parentId, gap, count);
  if (ranks) return ranks;
  await spread(change, parentId);
  const wider = await tryRanks(change, parentId, gap, count);
  if (!wider) throw new Error(`No rank is free below '${parentId}'.`);
  return wider;
}

async function tryRanks({ sql }: Change, parentId: string, gap: Gap, count: number): Promise<string[] | undefined> {
  const beside = gap.after ?? gap.before;
  const node = beside === undefined ? undefined : await findNode(sql, beside);
  if (!node) return between((await edgeChild(sql, parentId, 'last', ''))?.rank, undefined, count);
  const other = (await neighbour(sql, node, gap.after === undefined ? 'before' : 'after', ''))?.rank;
  return gap.after === undefined ? between(other, node.rank, count) : between(node.rank, other, count);
}

function between(lower: string | undefined, upper: string | undefined, count: number): string[] | undefined {
  // Equal ranks can come from elsewhere; nothing fits between them.
  if (lower !== undefined && upper !== undefined && lower >= upper) return undefined;
  const ranks = generateNKeysBetween(lower ?? null, upper ?? null, count);
  return ranks.some((rank) => rank.length > CROWDED) ? undefined : ranks;
}

async function spread(change: Change, parentId: string): Promise<void> {
  const children = await change.sql.all<{ id: string }>('SELECT id FROM nodes WHERE parent_id = ? ORDER BY rank, id', [
    parentId,
  ]);
  const ranks = evenRanks(children.length);
  for (const [index, { id }] of children.entries()) await setRank(change, id, ranks[index] as string);
}
