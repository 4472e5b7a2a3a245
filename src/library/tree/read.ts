/** Reading the tree: single nodes, ancestors and neighbours. */
import type { Sql } from '../../storage/sql.js';
import { nodeColumns, type StoredNode } from './node.js';

export async function findNode(sql: Sql, id: string): Promise<StoredNode | undefined> {
  return sql.get<StoredNode>(`SELECT ${nodeColumns} FROM nodes WHERE id = ?`, [id]);
}

/** Whether `id` is `ancestorId` itself or lies below it. */
export async function isWithin(sql: Sql, id: string, ancestorId: string): Promise<boolean> {
  const hit = await sql.get(
    `WITH RECURSIVE up (id) AS (
       SELECT ?
       UNION
       SELECT nodes.parent_id FROM up JOIN nodes ON nodes.id = up.id WHERE nodes.parent_id IS NOT NULL
     )
     SELECT 1 FROM up WHERE id = ? LIMIT 1`,
    [id, ancestorId],
  );
  return hit !== undefined;
}

export type Sibling = { id: string; rank: string };

/** The first or last child of a parent, not counting `except`. */
export async function edgeChild(
  sql: Sql,
  parentId: string,
  edge: 'first' | 'last',
  except: string,
): Promise<Sibling | undefined> {
  const order = edge === 'first' ? 'rank, id' : 'rank DESC, id DESC';
  return sql.get<Sibling>(`SELECT id, rank FROM nodes WHERE parent_id = ? AND id <> ? ORDER BY ${order} LIMIT 1`, [
    parentId,
    except,
  ]);
}

/** The sibling right before or after a node, not counting `except`. */
export async function neighbour(
  sql: Sql,
  node: StoredNode,
  side: 'before' | 'after',
  except: string,
): Promise<Sibling | undefined> {
  const [compare, order] = side === 'before' ? ['<', 'rank DESC, id DESC'] : ['>', 'rank, id'];
  return sql.get<Sibling>(
    `SELECT id, rank FROM nodes
     WHERE parent_id = ? AND (rank, id) ${compare} (?, ?) AND id <> ? ORDER BY ${order} LIMIT 1`,
    [node.parentId, node.rank, node.id, except],
  );
}
