/** Where a node goes among its siblings, and the rank that puts it there. */
import type { Change } from './change.js';
import type { StoredNode } from './node.js';
import { evenRanks, rankBetween } from './rank.js';
import { edgeChild, neighbour, type Sibling } from './read.js';
import { setRank } from './write.js';

/** A gap between two siblings below a parent. */
export type Place =
  | { parent: StoredNode; edge: 'first' | 'last' }
  | { parent: StoredNode; sibling: StoredNode; side: 'before' | 'after' };

/** The rank for `movingId` at a place. It spreads the siblings anew where they stand too close. */
export async function rankAt(change: Change, place: Place, movingId = ''): Promise<string> {
  const rank = await tryRank(change, place, movingId);
  if (rank !== undefined) return rank;
  await spreadChildren(change, place.parent.id);
  const spread = await tryRank(change, await reload(change, place), movingId);
  if (spread === undefined) throw new Error(`No rank is free below '${place.parent.id}'.`);
  return spread;
}

async function tryRank({ sql }: Change, place: Place, movingId: string): Promise<string | undefined> {
  const rankOf = (sibling: Sibling | undefined) => sibling?.rank ?? null;
  if ('edge' in place) {
    const edge = rankOf(await edgeChild(sql, place.parent.id, place.edge, movingId));
    return place.edge === 'first' ? rankBetween(null, edge) : rankBetween(edge, null);
  }
  const other = rankOf(await neighbour(sql, place.sibling, place.side, movingId));
  return place.side === 'before' ? rankBetween(other, place.sibling.rank) : rankBetween(place.sibling.rank, other);
}

/** Gives the children of a node new ranks in the order that they have. */
export async function spreadChildren(change: Change, parentId: string): Promise<void> {
  const children = await change.sql.all<Sibling>('SELECT id, rank FROM nodes WHERE parent_id = ? ORDER BY rank, id', [
    parentId,
  ]);
  const ranks = evenRanks(children.length);
  for (const [index, child] of children.entries()) await setRank(change, child.id, ranks[index] as string);
}

async function reload({ sql }: Change, place: Place): Promise<Place> {
  if ('edge' in place) return place;
  const row = await sql.get<Sibling>('SELECT id, rank FROM nodes WHERE id = ?', [place.sibling.id]);
  return { ...place, sibling: { ...place.sibling, rank: row?.rank ?? place.sibling.rank } };
}
