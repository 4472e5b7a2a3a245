/** The order of siblings as of a revision, read from where it is asked for and no further. */
import type { Sql, SqlValue } from '../../../storage/sql.js';
import type { Sibling } from '../read.js';

/** Siblings stand in the order of rank, then id. Ranks are plain ASCII, as the database compares them. */
export function bySibling(a: Sibling, b: Sibling): number {
  if (a.rank !== b.rank) return a.rank < b.rank ? -1 : 1;
  return Buffer.compare(Buffer.from(a.id), Buffer.from(b.id));
}

/** The place of a node that was there at a revision. */
export async function placeAt(sql: Sql, revision: number, id: string): Promise<Sibling> {
  const row = await sql.get<Sibling>(
    `SELECT id, rank FROM nodes WHERE id = ? AND +since <= ?
     UNION ALL
     SELECT id, rank FROM node_history WHERE id = ? AND +since <= ? AND until > ?`,
    [id, revision, id, revision, revision],
  );
  if (!row) throw new Error(`No node '${id}' at revision ${revision}.`);
  return row;
}

// The plus in front of since keeps the indexes on it away: the order of siblings must come from theirs.

/** The sibling right before a place below a parent, as of a revision. */
export async function previousSibling(
  sql: Sql,
  revision: number,
  parentId: string,
  { rank, id }: Sibling,
): Promise<Sibling | undefined> {
  const params: SqlValue[] = [parentId, rank, id, revision];
  const last = 'ORDER BY rank DESC, id DESC LIMIT 1';
  const standing = await sql.get<Sibling>(
    `SELECT id, rank FROM nodes WHERE parent_id = ? AND (rank, id) < (?, ?) AND +since <= ? ${last}`,
    params,
  );
  const replaced = await sql.get<Sibling>(
    `SELECT id, rank FROM node_history
     WHERE parent_id = ? AND (rank, id) < (?, ?) AND +since <= ? AND until > ? ${last}`,
    [...params, revision],
  );
  if (!standing || !replaced) return standing ?? replaced;
  return bySibling(standing, replaced) > 0 ? standing : replaced;
}

/** Fewer places than this are asked for one by one. */
const FEW = 8;
/** The siblings that are read at once for each place, at the most: further apart, places are asked for one by one. */
const APART = 20;

/**
 * The siblings right before several places below a parent, by the ids of the nodes there. Each alone would go
 * through all that has changed below the parent since.
 */
export async function previousSiblings(
  sql: Sql,
  revision: number,
  parentId: string,
  places: readonly Sibling[],
): Promise<Map<string, Sibling | undefined>> {
  const known = places.length < FEW ? new Map() : await previousAtOnce(sql, revision, parentId, places);
  for (const place of places) {
    if (!known.has(place.id)) known.set(place.id, await previousSibling(sql, revision, parentId, place));
  }
  return known;
}

/** Those that one read of all siblings between the places tells: none where the places are too far apart. */
async function previousAtOnce(
  sql: Sql,
  revision: number,
  parentId: string,
  places: readonly Sibling[],
): Promise<Map<string, Sibling | undefined>> {
  const sorted = places.toSorted(bySibling);
  const window = [sorted[0], sorted.at(-1)] as [Sibling, Sibling];
  const limit = places.length * APART;
  const within = await siblingsWithin(sql, revision, parentId, window, limit);
  if (within.length >= limit) return new Map();
  const ranks = new Map(places.map(({ id, rank }) => [id, rank]));
  const isPlace = ({ id, rank }: Sibling, index: number) => index > 0 && ranks.get(id) === rank;
  return new Map(
    within.flatMap((sibling, index) => (isPlace(sibling, index) ? [[sibling.id, within[index - 1]]] : [])),
  );
}

/** The siblings from one place to another below a parent, both included, as of a revision: at most `limit`. */
export async function siblingsWithin(
  sql: Sql,
  revision: number,
  parentId: string,
  [low, high]: readonly [Sibling, Sibling],
  limit = -1,
): Promise<Sibling[]> {
  const params: SqlValue[] = [parentId, low.rank, low.id, high.rank, high.id, revision];
  const within = 'parent_id = ? AND (rank, id) >= (?, ?) AND (rank, id) <= (?, ?) AND +since <= ?';
  const standing = await sql.all<Sibling>(`SELECT id, rank FROM nodes WHERE ${within} ORDER BY rank, id LIMIT ?`, [
    ...params,
    limit,
  ]);
  const replaced = await sql.all<Sibling>(
    `SELECT id, rank FROM node_history WHERE ${within} AND until > ? ORDER BY rank, id LIMIT ?`,
    [...params, revision, limit],
  );
  return replaced.length === 0 ? standing : [...standing, ...replaced].sort(bySibling);
}
