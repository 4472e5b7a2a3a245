/** The nodes above some nodes. What several of them share is read once. */
import type { Tree } from '../tree.js';

/**
 * Ids from a JSON list, and the ids of all nodes above them, with a null above the root. SQLite would
 * copy the whole past of the nodes for a join; a subquery looks up one row.
 */
export const above = ({ from }: Tree) => `WITH RECURSIVE up (id) AS (
  SELECT value FROM json_each(?)
  UNION
  SELECT (SELECT m.parent_id FROM ${from.nodes} AS m WHERE m.id = up.id) FROM up WHERE up.id IS NOT NULL
)`;

/** Where a node hangs. */
export type Link = { id: string; parentId: string | null; rank: string };

/** The links of nodes and of all above them. */
export async function linksAbove(tree: Tree, ids: readonly string[]): Promise<Link[]> {
  return tree.sql.all<Link>(
    `${above(tree)} SELECT n.id, n.parent_id AS parentId, n.rank FROM ${tree.from.nodes} AS n
     WHERE n.id IN (SELECT id FROM up)`,
    [JSON.stringify(ids)],
  );
}

/** From the root down to a node, through links by id. */
export function climb<T extends { parentId: string | null }>(links: ReadonlyMap<string, T>, id: string): T[] {
  const line: T[] = [];
  for (let at = links.get(id); at; at = at.parentId === null ? undefined : links.get(at.parentId)) line.push(at);
  return line.reverse();
}
