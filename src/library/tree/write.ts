/** Changing the tree, row by row: whatever a row held before is kept in the history. */
import type { Change } from './change.js';
import type { Node, StoredNode } from './node.js';

/** Keeps the row as it is before this change. A row that this same change made has nothing to keep. */
async function keepVersion({ sql, revision }: Change, id: string): Promise<number> {
  const now = await revision();
  await sql.run(
    `INSERT INTO node_history (id, parent_id, rank, type, name, status, payload_id, since, until)
     SELECT id, parent_id, rank, type, name, status, payload_id, since, ? FROM nodes WHERE id = ? AND since < ?`,
    [now, id, now],
  );
  return now;
}

async function markChildrenChanged({ sql, revision }: Change, parentId: string | null): Promise<void> {
  await sql.run('UPDATE nodes SET children_changed = ? WHERE id = ?', [await revision(), parentId]);
}

export async function insertNode(change: Change, node: Node): Promise<void> {
  const now = await change.revision();
  await change.sql.run(
    `INSERT INTO nodes (id, parent_id, rank, type, name, status, payload_id, since, changed, children_changed)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    [node.id, node.parentId, node.rank, node.type, node.name, node.status, node.payloadId, now, now, now],
  );
  await markChildrenChanged(change, node.parentId);
}

/** Changes what a self-payload node holds. */
export async function updateOwnPayload(
  change: Change,
  node: StoredNode,
  own: Pick<Node, 'name' | 'status'>,
): Promise<void> {
  const now = await keepVersion(change, node.id);
  await change.sql.run('UPDATE nodes SET name = ?, status = ?, since = ?, changed = ? WHERE id = ?', [
    own.name,
    own.status,
    now,
    now,
    node.id,
  ]);
}

/** Hangs a node, with all below it, somewhere else. The nodes below are not rewritten. */
export async function moveNode(change: Change, node: StoredNode, parentId: string, rank: string): Promise<void> {
  const now = await keepVersion(change, node.id);
  await change.sql.run('UPDATE nodes SET parent_id = ?, rank = ?, since = ?, changed = ? WHERE id = ?', [
    parentId,
    rank,
    now,
    now,
    node.id,
  ]);
  await markChildrenChanged(change, node.parentId);
  await markChildrenChanged(change, parentId);
}

/** Gives a node another rank at the same place: nothing that a writer must have seen. */
export async function setRank(change: Change, id: string, rank: string): Promise<void> {
  const now = await keepVersion(change, id);
  await change.sql.run('UPDATE nodes SET rank = ?, since = ? WHERE id = ?', [rank, now, id]);
}

const subtree = `WITH RECURSIVE below (id) AS (
  SELECT ? UNION ALL SELECT nodes.id FROM below JOIN nodes ON nodes.parent_id = below.id
)`;

/** Removes a node and all below it. Payloads stay while the history or another node needs them. */
export async function removeSubtree(change: Change, node: StoredNode): Promise<void> {
  const now = await change.revision();
  await change.sql.run(
    `${subtree}
     INSERT INTO node_history (id, parent_id, rank, type, name, status, payload_id, since, until)
     SELECT id, parent_id, rank, type, name, status, payload_id, since, ? FROM nodes
     WHERE id IN (SELECT id FROM below) AND since < ?`,
    [node.id, now, now],
  );
  await change.sql.run(`${subtree} DELETE FROM nodes WHERE id IN (SELECT id FROM below)`, [node.id]);
  await markChildrenChanged(change, node.parentId);
}
