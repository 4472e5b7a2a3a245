/** Copies of nodes: alone, or with all below them; with payloads of their own, or shared ones. */
import { invalidArgument } from '../../errors.js';
import { type Change, touchChildren } from './change.js';
import type { StoredNode } from './node.js';
import { rankAt } from './place.js';
import { isWithin } from './read.js';
import { checkParentType, requireType } from './types.js';
import { insertNode } from './write.js';

export type CopyMode = 'reference' | 'duplicate';

type Row = {
  id: string;
  parentId: string;
  rank: string;
  type: string;
  name: string | null;
  status: string | null;
  payloadId: string | null;
};

const columns = 'n.id, n.parent_id AS parentId, n.rank, n.type, n.name, n.status, n.payload_id AS payloadId';

/** A parent comes before its children, so that a copy's parent is always there already. */
const subtreeRows = `WITH RECURSIVE below (id, depth) AS (
    SELECT ?, 0 UNION ALL SELECT nodes.id, depth + 1 FROM below JOIN nodes ON nodes.parent_id = below.id
  )
  SELECT ${columns} FROM below JOIN nodes AS n ON n.id = below.id ORDER BY below.depth, n.parent_id, n.rank, n.id`;

/** Copies a node without what is below it. Answers the new node's id. */
export async function cloneNode(change: Change, source: StoredNode, target: StoredNode): Promise<string> {
  const [id] = await copyRows(change, [source as Row], target, 'duplicate');
  return id as string;
}

/** Copies a node with all below it. Answers the ids of the new nodes, the new root first. */
export async function copySubtree(
  change: Change,
  source: StoredNode,
  target: StoredNode,
  mode: CopyMode,
): Promise<string[]> {
  if (await isWithin(change.sql, target.id, source.id)) {
    throw invalidArgument`Cannot copy node '${source.id}': the target '${target.id}' is the node itself or below it`.advise(
      'Choose a target outside the node that you copy.',
    );
  }
  return copyRows(change, await change.sql.all<Row>(subtreeRows, [source.id]), target, mode);
}

async function copyRows(change: Change, rows: readonly Row[], target: StoredNode, mode: CopyMode): Promise<string[]> {
  const [root] = rows as [Row];
  checkParentType(await requireType(change.sql, root.type), target.type);
  await touchChildren(change, target);
  const rank = await rankAt(change, { parent: target, edge: 'last' });
  const copies = new Map<string, string>();
  for (const row of rows) {
    const id = change.newId();
    copies.set(row.id, id);
    const place = row === root ? { parentId: target.id, rank } : { parentId: copies.get(row.parentId) as string };
    const payloadId =
      row.payloadId && (mode === 'reference' ? row.payloadId : await copyPayload(change, row.payloadId));
    await insertNode(change, { ...row, ...place, id, payloadId });
  }
  return [...copies.values()];
}

async function copyPayload(change: Change, payloadId: string): Promise<string> {
  const id = change.newId();
  const now = await change.revision();
  await change.sql.run(
    'INSERT INTO payloads (id, data, since, changed) SELECT ?, data, ?, ? FROM payloads WHERE id = ?',
    [id, now, now, payloadId],
  );
  return id;
}
