/** The tree as it was: every row version that held at a revision, current or replaced since. */
import type { Sql } from '../../storage/sql.js';
import type { Node } from './node.js';

const columns = 'id, parent_id AS parentId, rank, type, name, status, payload_id AS payloadId';

/** All nodes as of a revision, in no particular order. */
export async function nodesAt(sql: Sql, revision: number): Promise<Node[]> {
  return sql.all<Node>(
    `SELECT ${columns} FROM nodes WHERE since <= ?
     UNION ALL
     SELECT ${columns} FROM node_history WHERE since <= ? AND until > ?`,
    [revision, revision, revision],
  );
}
