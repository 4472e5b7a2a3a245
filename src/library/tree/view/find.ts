/** Finding the nodes of the tree that an import speaks of: by id, or by names from the library down. */
import type { Sql } from '../../../storage/sql.js';
import { nodeColumns, ROOT_ID, type StoredNode } from '../node.js';
import { nodeSelection, nodeTables, type TreeNode, toNode } from '../nodes.js';
import { currentTree } from '../tree.js';

/** A node that is there, as it is stored and as it is read. */
export type Found = { stored: StoredNode; node: TreeNode };

type Row = Parameters<typeof toNode>[0];

/** All nodes that a condition on `n` (and its payload `p`) picks, in the order of siblings. */
async function findWhere(sql: Sql, condition: string, params: readonly string[]): Promise<Found[]> {
  const tree = await currentTree(sql);
  const rows = await sql.all<Row & Pick<StoredNode, 'changed' | 'childrenChanged'>>(
    `SELECT ${nodeSelection(tree)}, n.changed, n.children_changed AS childrenChanged
     FROM ${nodeTables(tree)} WHERE ${condition} ORDER BY n.rank, n.id`,
    params,
  );
  return rows.map(({ changed, childrenChanged, ...row }) => {
    const { id, parentId, rank, type, name, status, payloadId } = row;
    const stored = { id, parentId, rank, type, name, status, payloadId, changed, childrenChanged };
    return { stored, node: toNode(row) };
  });
}

export async function findByIds(sql: Sql, ids: readonly string[]): Promise<Map<string, Found>> {
  const found = await findWhere(sql, 'n.id IN (SELECT value FROM json_each(?))', [JSON.stringify(ids)]);
  return new Map(found.map((one) => [one.stored.id, one]));
}

export const findChildren = (sql: Sql, parentId: string): Promise<Found[]> =>
  findWhere(sql, 'n.parent_id = ?', [parentId]);

/** All nodes of a type with a name, wherever they stand. */
export async function findNamed(sql: Sql, type: string, name: string): Promise<Found[]> {
  const condition = type === 'folder' ? 'n.type = ? AND n.name = ?' : `n.type = ? AND p.data ->> '$.name' = ?`;
  return findWhere(sql, condition, [type, name]);
}

/** The nodes at a path of names below the library: several, where siblings share a name. */
export async function findAtPath(sql: Sql, names: readonly string[]): Promise<Found[]> {
  let at = [...(await findByIds(sql, [ROOT_ID])).values()];
  for (const name of names) {
    const next: Found[] = [];
    for (const { stored } of at) {
      const condition = `n.parent_id = ? AND coalesce(n.name, p.data ->> '$.name') = ?`;
      next.push(...(await findWhere(sql, condition, [stored.id, name])));
    }
    at = next;
  }
  return at;
}

/** The children of nodes that are not among `kept`. */
export async function otherChildren(sql: Sql, parentId: string, kept: ReadonlySet<string>): Promise<StoredNode[]> {
  const rows = await sql.all<StoredNode>(`SELECT ${nodeColumns} FROM nodes WHERE parent_id = ? ORDER BY rank, id`, [
    parentId,
  ]);
  return rows.filter(({ id }) => !kept.has(id));
}

/** The ids of a node and all below it. */
export async function idsWithin(sql: Sql, id: string): Promise<string[]> {
  const rows = await sql.all<{ id: string }>(
    `WITH RECURSIVE below (id) AS (
       SELECT ? UNION ALL SELECT nodes.id FROM below JOIN nodes ON nodes.parent_id = below.id
     ) SELECT id FROM below`,
    [id],
  );
  return rows.map((row) => row.id);
}
