/** Changing the tree, row by row: whatever a row held before is kept in the history. */
import type { Change } from './change.js';
import type { Node, StoredNode } from './node.js';
import type { Payload } from './payload.js';

/** Keeps the row as it is before this change. A row that this same change made has nothing to keep. */
export async function keepVersion({ sql, revision }: Change, id: string): Promise<number> {
  const now = await revision();
  await sql.run(
    `INSERT INTO node_history (id, parent_id, rank, type, name, status, payload_id, since, until)
     SELECT id, parent_id, rank, type, name, status, payload_id, since, ? FROM nodes WHERE id = ? AND since < ?`,
    [now, id, now],
  );
  return now;
}

/** The list of a parent's children has changed, by so many more or fewer. */
export async function markChildrenChanged(
  { sql, revision }: Change,
  parentId: string | null,
  growth: number,
): Promise<void> {
  await sql.run('UPDATE nodes SET children_changed = ?, child_count = child_count + ? WHERE id = ?', [
    await revision(),
    growth,
    parentId,
  ]);
}

export async function insertNode(change: Change, node: Node): Promise<void> {
  await insertRow(change, node);
  await markChildrenChanged(change, node.parentId, 1);
}

/** Makes the row of a node. Its parent is not told: that is for whoever counts the children. */
export async function insertRow(change: Change, node: Node): Promise<void> {
  const now = await change.revision();
  await change.sql.run(
    `INSERT INTO nodes (id, parent_id, rank, type, name, status, payload_id, since, changed, children_changed)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    [node.id, node.parentId, node.rank, node.type, node.name, node.status, node.payloadId, now, now, now],
  );
}

/** Makes a payload that nodes can point to. */
export async function insertPayload(change: Change, payload: Payload): Promise<string> {
  const id = change.newId();
  const now = await change.revision();
  await change.sql.run('INSERT INTO payloads (id, data, since, changed) VALUES (?, ?, ?, ?)', [
    id,
    JSON.stringify(payload),
    now,
    now,
  ]);
  return id;
}

/** Replaces a payload. Every node that shares it counts as changed. */
export async function replacePayload(change: Change, payloadId: string, payload: Payload): Promise<void> {
  const now = await change.revision();
  await change.sql.run(
    `INSERT INTO payload_history (id, data, since, until)
     SELECT id, data, since, ? FROM payloads WHERE id = ? AND since < ?`,
    [now, payloadId, now],
  );
  await change.sql.run('UPDATE payloads SET data = ?, since = ?, changed = ? WHERE id = ?', [
    JSON.stringify(payload),
    now,
    now,
    payloadId,
  ]);
  await change.sql.run('UPDATE nodes SET changed = ? WHERE payload_id = ?', [now, payloadId]);
}

/** Something that belongs to the node, such as a tag, has changed. */
export async function markChanged(change: Change, id: string): Promise<void> {
  await change.sql.run('UPDATE nodes SET changed = ? WHERE id = ?', [await change.revision(), id]);
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
  await markChildrenChanged(change, node.parentId, -1);
  await markChildrenChanged(change, parentId, 1);
}

/** Gives a node another rank at the same place: nothing that a writer must have seen. */
export async function setRank(change: Change, id: string, rank: string): Promise<void> {
  const now = await keepVersion(change, id);
  await change.sql.run('UPDATE nodes SET rank = ?, since = ? WHERE id = ?', [rank, now, id]);
}

const withBelow = `WITH RECURSIVE below (id) AS (
  SELECT ? UNION ALL SELECT nodes.id FROM below JOIN nodes ON nodes.parent_id = below.id
)`;

/** Removes a node and all below it, with their tags and bookmarks. Payloads stay for the history. */
export async function removeSubtree(change: Change, node: StoredNode): Promise<void> {
  const now = await change.revision();
  const inside = 'IN (SELECT id FROM below)';
  const remove = async (table: string, history: string, key: string, columns: string) => {
    await change.sql.run(
      `${withBelow} INSERT INTO ${history} (${columns}, since, until)
       SELECT ${columns}, since, ? FROM ${table} WHERE ${key} ${inside} AND since < ?`,
      [node.id, now, now],
    );
    await change.sql.run(`${withBelow} DELETE FROM ${table} WHERE ${key} ${inside}`, [node.id]);
  };
  await remove('tags', 'tag_history', 'node_id', 'node_id, tag');
  await remove('bookmarks', 'bookmark_history', 'node_id', 'label, node_id');
  await remove('nodes', 'node_history', 'id', 'id, parent_id, rank, type, name, status, payload_id');
  await markChildrenChanged(change, node.parentId, -1);
}

/** The order of a node's children has changed, and their number has not. */
export const markChildrenOrder = (change: Change, parentId: string): Promise<void> =>
  markChildrenChanged(change, parentId, 0);
