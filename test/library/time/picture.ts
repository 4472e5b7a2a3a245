/** Plain pictures of the tree as of a revision, and a diff applied to one. Slow, and easy to trust. */

import { type Payload, parsePath } from '../../../src/library/tree/payload.js';
import type { Diff } from '../../../src/library/tree/time/diff.js';
import type { Sql } from '../../../src/storage/sql.js';

export type PictureNode = { type: string; payload: Payload; tags: string[]; children: string[] };

/** The nodes by id, and the bookmarks by label. */
export type Picture = { nodes: Record<string, PictureNode>; bookmarks: Record<string, string> };

/** A picture with what it does not show: which nodes share which payload. */
export type Dump = { picture: Picture; payloadIds: Record<string, string | null> };

type Row = {
  id: string;
  parentId: string;
  type: string;
  name: string;
  status: string;
  payloadId: string;
  data: string;
};

const held = (revision: number) => `since <= ${revision}`;
const versions = (table: string, history: string, columns: string, revision: number) =>
  `SELECT ${columns} FROM ${table} WHERE ${held(revision)}
   UNION ALL SELECT ${columns} FROM ${history} WHERE ${held(revision)} AND until > ${revision}`;

export async function dumpAt(sql: Sql, revision: number): Promise<Dump> {
  const nodeColumns = 'id, parent_id AS parentId, rank, type, name, status, payload_id AS payloadId';
  const rows = await sql.all<Row>(
    `SELECT n.*, p.data FROM (${versions('nodes', 'node_history', nodeColumns, revision)}) AS n
     LEFT JOIN (${versions('payloads', 'payload_history', 'id AS payload, data', revision)}) AS p
       ON p.payload = n.payloadId
     ORDER BY n.rank, n.id`,
  );
  const tags = await sql.all<{ nodeId: string; tag: string }>(
    `${versions('tags', 'tag_history', 'node_id AS nodeId, tag', revision)} ORDER BY tag`,
  );
  const bookmarks = await sql.all<{ label: string; nodeId: string }>(
    versions('bookmarks', 'bookmark_history', 'label, node_id AS nodeId', revision),
  );
  const nodes: Picture['nodes'] = {};
  for (const { id, type, name, status, data, payloadId } of rows) {
    const payload = payloadId === null ? { name, status } : (JSON.parse(data) as Payload);
    nodes[id] = { type, payload, tags: [], children: [] };
  }
  for (const { id, parentId } of rows) if (parentId !== null) nodes[parentId]?.children.push(id);
  for (const { nodeId, tag } of tags) nodes[nodeId]?.tags.push(tag);
  return {
    picture: { nodes, bookmarks: Object.fromEntries(bookmarks.map(({ label, nodeId }) => [label, nodeId])) },
    payloadIds: Object.fromEntries(rows.map(({ id, payloadId }) => [id, payloadId])),
  };
}

/** What the picture becomes when a diff is applied to it. */
export function applyDiff(picture: Picture, diff: Diff): Picture {
  const { nodes, bookmarks } = structuredClone(picture);
  const leaving = [...diff.removed, ...diff.moved, ...diff.reordered].map(({ nodeId }) => nodeId);
  for (const node of Object.values(nodes)) node.children = node.children.filter((id) => !leaving.includes(id));
  for (const { nodeId } of diff.removed) delete nodes[nodeId];
  for (const { nodeId, payloadType, payload, tags } of diff.added) {
    nodes[nodeId] = { type: payloadType, payload, tags, children: [] };
  }
  placeAll(nodes, [
    ...diff.added.map(({ nodeId, parentId, after }) => ({ nodeId, parentId, after })),
    ...diff.moved.map(({ nodeId, to, after }) => ({ nodeId, parentId: to, after })),
    ...diff.reordered,
  ]);
  for (const changed of diff.changed) applyChange(nodes[changed.nodeId] as PictureNode, changed);
  for (const { label } of diff.bookmarks?.removed ?? []) delete bookmarks[label];
  for (const { label, nodeId } of diff.bookmarks?.added ?? []) bookmarks[label] = nodeId;
  return { nodes, bookmarks };
}

type Placement = { nodeId: string; parentId: string; after: string | null };

/** Puts each node right behind its `after`, once that is there. */
function placeAll(nodes: Picture['nodes'], placements: Placement[]): void {
  let waiting = placements;
  while (waiting.length > 0) {
    const isReady = ({ parentId, after }: Placement) =>
      after === null || (nodes[parentId] as PictureNode).children.includes(after);
    const ready = waiting.filter(isReady);
    if (ready.length === 0) throw new Error('The diff names siblings that are not there.');
    for (const { nodeId, parentId, after } of ready) {
      const { children } = nodes[parentId] as PictureNode;
      children.splice(after === null ? 0 : children.indexOf(after) + 1, 0, nodeId);
    }
    waiting = waiting.filter((placement) => !ready.includes(placement));
  }
}

function applyChange(node: PictureNode, { payloadType, changes, tags }: Diff['changed'][number]): void {
  if (payloadType) node.type = payloadType.after;
  for (const change of changes) {
    const keys = parsePath(change.path, 'path');
    const holder = keys.slice(0, -1).reduce((at, key) => at[key] as Payload, node.payload);
    const key = keys.at(-1) as string;
    if ('after' in change) holder[key] = change.after;
    else delete holder[key];
  }
  const removed = tags?.removed ?? [];
  node.tags = [...node.tags.filter((tag) => !removed.includes(tag)), ...(tags?.added ?? [])].sort();
}
