/** The ranks of imported children that are put between others. */
import type { Change } from '../change.js';
import { spreadChildren } from '../place.js';
import { ranksBetween } from '../rank.js';
import { edgeChild, findNode, neighbour } from '../read.js';

/** Between whom a run of children goes: after one, or else before another, or else at the end. */
export type Gap = { after?: string | undefined; before?: string | undefined };

/** Ranks for a run of children in a gap. It spreads the siblings anew where they stand too close. */
export async function ranksIn(change: Change, parentId: string, gap: Gap, count: number): Promise<string[]> {
  const ranks = await tryRanks(change, parentId, gap, count);
  if (ranks) return ranks;
  await spreadChildren(change, parentId);
  const wider = await tryRanks(change, parentId, gap, count);
  if (!wider) throw new Error(`No rank is free below '${parentId}'.`);
  return wider;
}

async function tryRanks({ sql }: Change, parentId: string, gap: Gap, count: number): Promise<string[] | undefined> {
  const beside = gap.after ?? gap.before;
  const node = beside === undefined ? undefined : await findNode(sql, beside);
  if (!node) return ranksBetween((await edgeChild(sql, parentId, 'last', ''))?.rank ?? null, null, count);
  const other = (await neighbour(sql, node, gap.after === undefined ? 'before' : 'after', ''))?.rank ?? null;
  return gap.after === undefined ? ranksBetween(other, node.rank, count) : ranksBetween(node.rank, other, count);
}
