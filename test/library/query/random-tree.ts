/** Random trees with payloads of every shape, and a plain copy of them to compare with. */
import fc from 'fast-check';
import { openChange } from '../../../src/library/tree/change.js';
import { idSource } from '../../../src/library/tree/id.js';
import type { StoredNode } from '../../../src/library/tree/node.js';
import type { Payload } from '../../../src/library/tree/payload.js';
import { findNode } from '../../../src/library/tree/read.js';
import { addTags, removeTags } from '../../../src/library/tree/tags.js';
import type { Tree } from '../../../src/library/tree/tree.js';
import {
  insertNode,
  insertPayload,
  moveNode,
  removeSubtree,
  replacePayload,
  updateOwnPayload,
} from '../../../src/library/tree/write.js';
import { openDatabase } from '../../../src/storage/open.js';
import type { Database } from '../../../src/storage/sql.js';

const scalars = [null, true, false, 0, 1, -1, 2.5, 10, 1e21, 0.1 + 0.2, 9007199254740994] as const;
const texts = ['a', 'b', 'ab', 'B', '', 'é', '\u{1F600}', '\uFFFD', '"q"', 'back\\slash', '1', 'true', 'null'] as const;
const longer = ['2024-01-02', '2024-11-30', 'a b', 'a-b', 'line\nbreak'] as const;

export const scalar = fc.constantFrom<unknown>(...scalars, ...texts, ...longer);
export const text = fc.constantFrom<string>(...texts, ...longer);

const list = fc.array(scalar, { maxLength: 3 });
const inner = fc.dictionary(fc.constantFrom('b', 'c', '0'), fc.oneof(scalar, list), { maxKeys: 2 });
export const value = fc.oneof({ weight: 4, arbitrary: scalar }, list, inner, fc.array(inner, { maxLength: 2 }));

const keys = ['name', 'status', 'stars', 'a', 'list', 'dot.ted', 'x"y'] as const;
const payload = fc.dictionary(fc.constantFrom(...keys), value, { maxKeys: 4 });

/** Paths as callers write them. */
export const path = fc.constantFrom(
  ...['name', 'status', 'stars', 'a', 'a.b', 'a.0', 'a.c.1', 'list', 'list.0', 'list.1.b', 'dot\\.ted', 'x"y', 'none'],
);

type Grown = { parent: number; type: string; name: string; payload: Payload; shares: boolean; tags: string[] };

const grown = fc.record<Grown>({
  parent: fc.nat(1000),
  type: fc.constantFrom('folder', 'folder', 'note', 'note', 'task'),
  name: fc.constantFrom('a', 'b', 'ab', 'é', 'Archive', '1'),
  payload,
  shares: fc.boolean(),
  tags: fc.subarray(['red', 'two words']),
});

type Edit = { pick: number; target: number; kind: 'move' | 'remove' | 'payload' | 'tag'; payload: Payload };

const edit = fc.record<Edit>({
  pick: fc.nat(1000),
  target: fc.nat(1000),
  kind: fc.constantFrom('move', 'remove', 'payload', 'tag'),
  payload,
});

export type TreePlan = { nodes: Grown[]; edits: Edit[] };

export const treePlan = fc.record<TreePlan>({
  nodes: fc.array(grown, { minLength: 1, maxLength: 30 }),
  edits: fc.array(edit, { maxLength: 6 }),
});

/** A path that leads somewhere, and what stands there. */
export type Fact = { path: string[]; value: unknown };

/** Everything that payloads of a plan hold, at every depth. */
export function factsOf({ nodes }: TreePlan): Fact[] {
  const within = (value: unknown, path: string[]): Fact[] => {
    const members = typeof value === 'object' && value !== null ? Object.entries(value) : [];
    return [{ path, value }, ...members.flatMap(([key, member]) => within(member, [...path, key]))];
  };
  const payloads = nodes.map(({ type, name, payload }) => (type === 'folder' ? { name } : payload));
  return payloads.flatMap((payload) => within(payload, [])).filter(({ path }) => path.length > 0);
}

/** Ids whose order by code points differs from their order by UTF-16 units. */
export const idOf = (index: number) => `${['n', 'Z', '\uFFFD', '\u{1F600}'][index % 4]}${index}`;

const source = idSource(Date.now);
const changeOn = (sql: Parameters<Parameters<Database['write']>[0]>[0]) =>
  openChange({ sql, agent: 'test', tool: 'test', at: 0, newId: source });

/** A database with the tree of a plan, before its edits. */
export async function growTree({ nodes }: TreePlan): Promise<Database> {
  const database = await openDatabase({ location: ':memory:' });
  await database.write(async (sql) => {
    const change = changeOn(sql);
    const ids = ['library'];
    const payloadIds: string[] = [];
    for (const [index, { parent, type, name, payload, shares, tags }] of nodes.entries()) {
      const own = type === 'folder' ? { name, status: index % 3 ? 'active' : 'dropped' } : { name: null, status: null };
      const known = shares ? payloadIds[parent % (payloadIds.length || 1)] : undefined;
      const payloadId = type === 'folder' ? null : (known ?? (await insertPayload(change, payload)));
      if (payloadId !== null) payloadIds.push(payloadId);
      const parentId = ids[parent % ids.length] as string;
      // Few ranks, so that siblings with equal ranks stand by their ids.
      const id = idOf(index);
      await insertNode(change, { id, parentId, rank: `a${parent % 5}`, type, ...own, payloadId });
      await addTags(change, id, tags);
      ids.push(id);
    }
  });
  return database;
}

/** Makes the edits of a plan, each in a revision of its own. */
export async function editTree(database: Database, { nodes, edits }: TreePlan): Promise<void> {
  for (const step of edits) {
    await database.write(async (sql) => {
      const node = await findNode(sql, idOf(step.pick % nodes.length));
      if (node) await runEdit(changeOn(sql), node, step);
    });
  }
}

async function runEdit(change: ReturnType<typeof changeOn>, node: StoredNode, { kind, payload, pick }: Edit) {
  if (kind === 'move') return moveNode(change, node, 'library', `b${pick % 3}`);
  if (kind === 'remove') return removeSubtree(change, node);
  if (kind === 'tag') return removeTags(change, node.id, ['red']);
  if (node.payloadId === null) return updateOwnPayload(change, node, { name: 'edited', status: 'active' });
  return replacePayload(change, node.payloadId, payload);
}

export type PlainNode = {
  id: string;
  parentId: string | null;
  rank: string;
  type: string;
  payload: Payload;
  tags: string[];
};

/** All nodes as of a tree, read in the plainest way there is. */
export async function plainNodes({ sql, from }: Tree): Promise<PlainNode[]> {
  const rows = await sql.all<Record<string, string | null>>(`SELECT * FROM ${from.nodes}`);
  const data = await sql.all<{ id: string; data: string }>(`SELECT id, data FROM ${from.payloads}`);
  const tags = await sql.all<{ node_id: string; tag: string }>(`SELECT node_id, tag FROM ${from.tags}`);
  const payloads = new Map(data.map((row) => [row.id, JSON.parse(row.data) as Payload]));
  return rows.map((row) => ({
    id: row.id as string,
    parentId: row.parent_id ?? null,
    rank: row.rank as string,
    type: row.type as string,
    payload: payloads.get(row.payload_id ?? '') ?? (row.name === null ? {} : { name: row.name, status: row.status }),
    tags: tags.filter(({ node_id }) => node_id === row.id).map(({ tag }) => tag),
  }));
}

/** The nodes at and below one of them. */
export function plainSubtree(nodes: readonly PlainNode[], rootId: string): PlainNode[] {
  const below = (id: string): PlainNode[] =>
    nodes.filter(({ parentId }) => parentId === id).flatMap((node) => [node, ...below(node.id)]);
  return [...nodes.filter(({ id }) => id === rootId), ...below(rootId)];
}

/** Order of code points, in the plainest way there is. */
export function byCodePoints(a: string, b: string): number {
  const [left, right] = [a, b].map((text) => [...text].map((character) => character.codePointAt(0) as number));
  const at = left?.findIndex((code, index) => code !== right?.[index]) ?? -1;
  if (at < 0) return (left?.length ?? 0) - (right?.length ?? 0);
  return (left?.[at] ?? 0) - (right?.[at] ?? -1);
}
