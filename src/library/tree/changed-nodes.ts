/** Which nodes have changed since a revision, whoever changed them. */
import type { Sql } from '../../storage/sql.js';

export type ChangedNodes = {
  /** Nodes that were made, changed, moved or removed, or whose list of children changed. */
  nodeIds: readonly string[];
  /** There was more than is listed. */
  more: boolean;
  bookmarks: boolean;
};

const MOST_NODES = 1000;

export async function changedNodes(sql: Sql, since: number): Promise<ChangedNodes> {
  const rows = await sql.all<{ id: string }>(
    `SELECT id FROM nodes WHERE max(changed, children_changed) > ?
     UNION
     SELECT id FROM node_history WHERE until > ? AND id NOT IN (SELECT id FROM nodes)
     LIMIT ${MOST_NODES + 1}`,
    [since, since],
  );
  const bookmarks = await sql.get(
    `SELECT 1 AS hit FROM bookmarks WHERE since > ? UNION ALL SELECT 1 FROM bookmark_history WHERE until > ? LIMIT 1`,
    [since, since],
  );
  const nodeIds = rows.slice(0, MOST_NODES).map(({ id }) => id);
  return { nodeIds, more: rows.length > MOST_NODES, bookmarks: bookmarks !== undefined };
}
