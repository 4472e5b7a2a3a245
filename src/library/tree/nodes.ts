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
export const ownPayload = (name: string | null, status: string | null): Payload =>
  name === null ? {} : { name, status };

/** Where the rows of nodes are, and the condition on those that held: in the past, some are in the history by now. */
function placesOf({ isCurrent, revision }: Tree): { table: string; held: string }[] {
  if (isCurrent) return [{ table: 'nodes', held: '' }];
  // The plus keeps the index on since away: the id, or the parent with its order, finds the rows sooner.
  const held = `AND +n.since <= ${revision}`;
  return [
    { table: 'nodes', held },
    { table: 'node_history', held: `${held} AND n.until > ${revision}` },
  ];
}

/** As of a past revision, the payload and the number of children are looked up for each node. */
function pastSelection(revision: number): string {
  const held = (row: string) => `${row}.since <= ${revision}`;
  return `n.id, n.parent_id AS parentId, n.rank, n.type, n.name, n.status, n.payload_id AS payloadId,
    coalesce((SELECT p.data FROM payloads AS p WHERE p.id = n.payload_id AND ${held('p')}),
      (SELECT p.data FROM payload_history AS p WHERE p.id = n.payload_id AND ${held('p')} AND p.until > ${revision})
    ) AS data,
    coalesce((SELECT child_count FROM nodes AS c WHERE c.id = n.id), 0)
      - (SELECT count(*) FROM nodes AS c WHERE c.parent_id = n.id AND c.since > ${revision})
      + (SELECT count(*) FROM node_history AS c WHERE c.parent_id = n.id AND ${held('c')} AND c.until > ${revision})
    AS childCount`;
}

/**
 * A query for a few nodes. A join with all rows of a past revision would read them all, so that
 * each place is asked by itself.
 */
function selectFew(tree: Tree, where: string): string {
  const { isCurrent, revision } = tree;
  const columns = isCurrent ? nodeSelection(tree) : pastSelection(revision);
  const payloads = isCurrent ? 'LEFT JOIN payloads AS p ON p.id = n.payload_id' : '';
  return placesOf(tree)
    .map(({ table, held }) => `SELECT ${columns} FROM ${table} AS n ${payloads} WHERE ${where} ${held}`)
    .join(' UNION ALL ');
}

export async function nodeAt(tree: Tree, id: string): Promise<TreeNode | undefined> {
  const row = await tree.sql.get<Row>(selectFew(tree, 'n.id = ?1'), [id]);
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
  const behind = after ? 'AND (n.rank, n.id) > (?3, ?4)' : '';
  const children = selectFew(tree, `n.parent_id = ?1 ${behind}`);
  // A compound query is ordered by the names of its columns.
  const order = tree.isCurrent ? 'n.rank, n.id' : 'rank, id';
  const rows = await tree.sql.all<Row>(
    `${children} ORDER BY ${order} LIMIT ?2`,
    after ? [parentId, limit, after.rank, after.id] : [parentId, limit],
  );
  return rows.map(toNode);
}

/** What a person would call the node. */
export const nameOf = ({ payload }: Pick<TreeNode, 'payload'>): string | undefined =>
  typeof payload.name === 'string' ? payload.name : undefined;
