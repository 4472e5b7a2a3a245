/** Reading nodes with their payloads, from the tree as of any revision. */
import { type Failure, notFound } from '../../errors.js';
import type { Payload } from './payload.js';
import type { Tree } from './tree.js';

/** A node as the tree's tools see it. */
export type TreeNode = {
  id: string;
  parentId: string | null;
  rank: string;
  type: string;
  payload: Payload;
  payloadId: string | null;
  childCount: number;
};

type Row = Omit<TreeNode, 'payload'> & { name: string | null; status: string | null; data: string | null };

/** The columns of a node with its payload. The node's table must be called `n`, the payload's `p`. */
export function nodeSelection({ isCurrent, from }: Tree): string {
  const childCount = isCurrent
    ? 'n.child_count'
    : `(SELECT count(*) FROM ${from.nodes} AS child WHERE child.parent_id = n.id)`;
  return `n.id, n.parent_id AS parentId, n.rank, n.type, n.name, n.status, n.payload_id AS payloadId, p.data,
    ${childCount} AS childCount`;
}

/** The tables of `nodeSelection`. */
export const nodeTables = ({ from }: Tree): string =>
  `${from.nodes} AS n LEFT JOIN ${from.payloads} AS p ON p.id = n.payload_id`;

export function toNode({ name, status, data, ...row }: Row): TreeNode {
  return { ...row, payload: data === null ? ownPayload(name, status) : (JSON.parse(data) as Payload) };
}

/** Self-payload nodes hold their payload themselves: a folder its name and status, the library nothing. */
const ownPayload = (name: string | null, status: string | null): Payload => (name === null ? {} : { name, status });

export async function nodeAt(tree: Tree, id: string): Promise<TreeNode | undefined> {
  const row = await tree.sql.get<Row>(`SELECT ${nodeSelection(tree)} FROM ${nodeTables(tree)} WHERE n.id = ?`, [id]);
  return row && toNode(row);
}

export const noNode = (argument: string, id: string): Failure =>
  notFound`Invalid ${argument} '${id}': node not found`.advise(
    'Use get_view, search or list_children to find the ids of nodes.',
  );

/** The node of an id that a caller gave; `argument` names it in the failure. */
export async function requireNode(tree: Tree, id: string, argument = 'nodeId'): Promise<TreeNode> {
  const node = await nodeAt(tree, id);
  if (!node) throw noNode(argument, id);
  return node;
}

export type Cursor = { rank: string; id: string };

/** The children of a node in order, from behind a cursor, at most `limit` of them. */
export async function childrenAt(tree: Tree, parentId: string, limit: number, after?: Cursor): Promise<TreeNode[]> {
  const behind = after ? 'AND (n.rank, n.id) > (?, ?)' : '';
  const rows = await tree.sql.all<Row>(
    `SELECT ${nodeSelection(tree)} FROM ${nodeTables(tree)}
     WHERE n.parent_id = ? ${behind} ORDER BY n.rank, n.id LIMIT ?`,
    after ? [parentId, after.rank, after.id, limit] : [parentId, limit],
  );
  return rows.map(toNode);
}

/** The nodes from the root down to a node, the node itself last. Empty where there is no such node. */
export async function lineage(tree: Tree, id: string): Promise<TreeNode[]> {
  const rows = await tree.sql.all<Row & { distance: number }>(
    `WITH RECURSIVE up (id, distance) AS (
       SELECT ?, 0
       UNION ALL
       SELECT m.parent_id, up.distance + 1 FROM up JOIN ${tree.from.nodes} AS m ON m.id = up.id WHERE m.parent_id IS NOT NULL
     )
     SELECT ${nodeSelection(tree)}, up.distance FROM up JOIN ${nodeTables(tree)} ON n.id = up.id ORDER BY up.distance DESC`,
    [id],
  );
  return rows.map(({ distance: _, ...row }) => toNode(row));
}

/** What a person would call the node. */
export const nameOf = ({ payload }: TreeNode): string | undefined =>
  typeof payload.name === 'string' ? payload.name : undefined;
