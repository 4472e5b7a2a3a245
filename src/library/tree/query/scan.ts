/**
 * Reading the nodes that a query may want, in chunks. Two routes: by node id, which can stop early,
 * and payloads first, which reads each payload once and looks up nodes for the few that are kept.
 */

import { ownPayload } from '../nodes.js';
import type { Payload } from '../payload.js';
import type { Tree } from '../tree.js';
import { above } from './lineages.js';
import { type Pace, usualPace } from './pace.js';
import { allOf, always, anyOf, type SqlCondition } from './prefilter.js';

/** A node with what queries look at. */
export type Scanned = { id: string; parentId: string | null; rank: string; type: string; payload: Payload };

/** What a row must pass: `node` and, for self-payload nodes, `own` on the node (called n); `payload` on `data`. */
export type Filters = { node: SqlCondition; payload: SqlCondition; own: SqlCondition };

type Row = Omit<Scanned, 'payload'> & { name: string | null; status: string | null; data: string | null };

const columns = 'n.id, n.parent_id AS parentId, n.rank, n.type, n.name, n.status';

const scanned = ({ name, status, data, ...node }: Row): Scanned => ({
  ...node,
  payload: data === null ? ownPayload(name, status) : (JSON.parse(data) as Payload),
});

/** Nodes in the order of their ids. Without `withPayload`, payloads are neither read nor looked at. */
export async function* byNode(
  tree: Tree,
  { node, payload, own }: Filters,
  { after = '', withPayload = true, pace = usualPace }: { after?: string; withPayload?: boolean; pace?: Pace } = {},
): AsyncGenerator<Scanned[]> {
  const self: SqlCondition = { text: 'n.payload_id IS NULL', params: [] };
  const filter = withPayload ? allOf([node, anyOf([allOf([self, own]), payload])]) : node;
  const text = `SELECT ${columns}, data FROM ${withPayload ? withData(tree) : withoutData(tree)}
    WHERE n.id > ? AND ${filter.text} ORDER BY n.id LIMIT ?`;
  for (let last: string | undefined = after; last !== undefined; ) {
    const rows: Row[] = await tree.sql.all<Row>(text, [last, ...filter.params, pace.chunk]);
    yield rows.map(scanned);
    last = rows.length < pace.chunk ? undefined : rows.at(-1)?.id;
  }
}

const withoutData = ({ from }: Tree) => `(SELECT *, NULL AS data FROM ${from.nodes}) AS n`;

/** SQLite would copy the whole past of the payloads for a join; a subquery looks up one row. */
const withData = ({ from, isCurrent }: Tree) =>
  isCurrent
    ? `${from.nodes} AS n LEFT JOIN ${from.payloads} AS p ON p.id = n.payload_id`
    : `(SELECT *, (SELECT p.data FROM ${from.payloads} AS p WHERE p.id = m.payload_id) AS data FROM ${from.nodes} AS m) AS n`;

/**
 * Nodes by their payloads, in no order; `keep` decides on a payload before its nodes are looked up.
 * `narrowing` is asked before each read: what is of use may get less on the way.
 */
export async function* byPayload(
  tree: Tree,
  filters: Filters,
  keep: (payload: Payload) => boolean,
  pace = usualPace,
  narrowing: () => SqlCondition = () => always,
): AsyncGenerator<Scanned[]> {
  yield* selfPayload(tree, filters, keep, pace);
  const { sql, from } = tree;
  for (let last: string | undefined = ''; last !== undefined; ) {
    const filter = allOf([filters.payload, narrowing()]);
    const text = `SELECT p.id, p.data FROM ${from.payloads} AS p WHERE p.id > ? AND ${filter.text} ORDER BY p.id LIMIT ?`;
    const rows: { id: string; data: string }[] = await sql.all(text, [last, ...filter.params, pace.chunk]);
    const parsed = rows.map(({ id, data }): [string, Payload] => [id, JSON.parse(data) as Payload]);
    const kept = new Map(parsed.filter(([, value]) => keep(value)));
    if (kept.size > 0) yield await nodesHolding(tree, kept, filters.node);
    last = rows.length < pace.chunk ? undefined : rows.at(-1)?.id;
  }
}

async function nodesHolding(
  { sql, from }: Tree,
  payloads: ReadonlyMap<string, Payload>,
  node: SqlCondition,
): Promise<Scanned[]> {
  const rows = await sql.all<Omit<Scanned, 'payload'> & { payloadId: string }>(
    `SELECT n.id, n.parent_id AS parentId, n.rank, n.type, n.payload_id AS payloadId
     FROM ${from.nodes} AS n WHERE n.payload_id IN (SELECT value FROM json_each(?)) AND ${node.text}`,
    [JSON.stringify([...payloads.keys()]), ...node.params],
  );
  return rows.map(({ payloadId, ...rest }) => ({ ...rest, payload: payloads.get(payloadId) as Payload }));
}

/** Self-payload nodes have a name, and the index of names holds only them. */
async function* selfPayload(
  { sql, from }: Tree,
  { node, own }: Filters,
  keep: (payload: Payload) => boolean,
  pace: Pace,
): AsyncGenerator<Scanned[]> {
  const filter = allOf([node, own]);
  const text = `SELECT ${columns}, NULL AS data FROM ${from.nodes} AS n
    WHERE n.name IS NOT NULL AND (n.name, n.id) > (?, ?) AND ${filter.text} ORDER BY n.name, n.id LIMIT ?`;
  for (let last: [string, string] | undefined = ['', '']; last; ) {
    const rows: Row[] = await sql.all<Row>(text, [...last, ...filter.params, pace.chunk]);
    yield rows.map(scanned).filter(({ payload }) => keep(payload));
    const end = rows.at(-1);
    last = rows.length < pace.chunk || !end ? undefined : [end.name as string, end.id];
  }
}

/** The nodes of some ids. */
export async function byIds(tree: Tree, ids: readonly string[]): Promise<Scanned[]> {
  const rows = await tree.sql.all<Row>(
    `SELECT ${columns}, data FROM ${withData(tree)} WHERE n.id IN (SELECT value FROM json_each(?))`,
    [JSON.stringify(ids)],
  );
  return rows.map(scanned);
}

/** Nodes and all above them. */
export async function nodesAbove(tree: Tree, ids: readonly string[]): Promise<Scanned[]> {
  const rows = await tree.sql.all<Row>(
    `${above(tree)} SELECT ${columns}, data FROM ${withData(tree)} WHERE n.id IN (SELECT id FROM up)`,
    [JSON.stringify(ids)],
  );
  return rows.map(scanned);
}
