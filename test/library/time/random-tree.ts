/** Random histories of a real tree, made by several agents, and plain pictures of the tree to compare. */
import fc from 'fast-check';
import { type Change, type ChangeRequest, openChange } from '../../../src/library/tree/change.js';
import { addNode, parsePatch, relocate, removeNode, setProperties } from '../../../src/library/tree/edit.js';
import { idSource } from '../../../src/library/tree/id.js';
import type { StoredNode } from '../../../src/library/tree/node.js';
import type { Payload } from '../../../src/library/tree/payload.js';
import { type Place, rankAt } from '../../../src/library/tree/place.js';
import { evenRanks } from '../../../src/library/tree/rank.js';
import { findNode, isWithin } from '../../../src/library/tree/read.js';
import { addTags, dropBookmark, removeTags, setBookmark } from '../../../src/library/tree/tags.js';
import { saveType } from '../../../src/library/tree/types.js';
import { insertNode, moveNode, setRank } from '../../../src/library/tree/write.js';
import { openDatabase } from '../../../src/storage/open.js';
import type { Database, Sql } from '../../../src/storage/sql.js';

const newId = idSource(Date.now);

export const request = (sql: Sql, agent: string, version?: string, tool = 'test'): ChangeRequest => ({
  sql,
  agent,
  tool,
  at: 1000,
  newId,
  version,
});

export const AGENTS = ['ann', 'bob'] as const;

export type Step = {
  kind:
    | 'folder'
    | 'note'
    | 'share'
    | 'edit'
    | 'remove'
    | 'move'
    | 'tag'
    | 'untag'
    | 'bookmark'
    | 'unbookmark'
    | 'spread'
    | 'sort';
  agent: (typeof AGENTS)[number];
  pick: number;
  other: number;
  where: 'first' | 'last' | 'before' | 'after';
  text: 'a' | 'b' | 'c';
};

const kinds: Step['kind'][] = [
  ...(['folder', 'folder', 'note', 'note', 'note', 'share', 'edit', 'edit', 'move', 'move', 'move'] as const),
  ...(['remove', 'tag', 'tag', 'untag', 'bookmark', 'unbookmark', 'spread', 'sort'] as const),
];

const step: fc.Arbitrary<Step> = fc.record({
  kind: fc.constantFrom(...kinds),
  agent: fc.constantFrom(...AGENTS),
  pick: fc.nat(1000),
  other: fc.nat(1000),
  where: fc.constantFrom('first', 'last', 'before', 'after'),
  text: fc.constantFrom('a', 'b', 'c'),
});

/** Changes, each of one to three steps. */
export const changes = fc.array(fc.array(step, { minLength: 1, maxLength: 3 }), { minLength: 4, maxLength: 25 });

export async function withTree(work: (database: Database) => Promise<void>): Promise<void> {
  const database = await openDatabase({ location: ':memory:' });
  try {
    const note = { name: 'note', schema: null, protectedPaths: [], allowedParents: null };
    await database.write((sql) => saveType(sql, note));
    await work(database);
  } finally {
    await database.close();
  }
}

/** Makes one change: a revision of the agent of its first step, unless nothing happened. */
export async function makeChange(database: Database, steps: readonly Step[], agent = steps[0]?.agent): Promise<void> {
  await database.write(async (sql) => {
    const change = openChange(request(sql, agent ?? 'ann'));
    for (const one of steps) await takeStep(change, one);
  });
}

async function takeStep(change: Change, one: Step): Promise<void> {
  const all = await change.sql.all<{ id: string }>("SELECT id FROM nodes WHERE id <> 'library' ORDER BY id");
  const pickedId = all[one.pick % (all.length || 1)]?.id;
  const place = await placeOf(change, one, all);
  if (one.kind === 'folder' && place.parent.type !== 'note') await addNode(change, place, 'folder', { name: one.text });
  if (one.kind === 'note') await addNode(change, place, 'note', { name: one.text, deep: { value: one.other % 3 } });
  if (one.kind === 'spread') await spread(change, place.parent);
  if (one.kind === 'sort') await turnAround(change, place.parent);
  if (pickedId !== undefined) await stepOn(change, one, pickedId, place);
}

async function stepOn(change: Change, one: Step, id: string, place: Place): Promise<void> {
  const node = (await findNode(change.sql, id)) as StoredNode;
  const { kind, text, other } = one;
  if (kind === 'share') await share(change, node, place);
  if (kind === 'edit') await edit(change, node, text, other);
  if (kind === 'remove') await removeNode(change, id);
  if (kind === 'move') await move(change, node, place);
  if (kind === 'tag') await addTags(change, id, [text]);
  if (kind === 'untag') await removeTags(change, id, ['a', 'b']);
  if (kind === 'bookmark') await setBookmark(change, { label: text, nodeId: id });
  if (kind === 'unbookmark') await dropBookmark(change, text);
}

async function placeOf({ sql }: Change, { other, where }: Step, all: readonly { id: string }[]): Promise<Place> {
  const ids = ['library', ...all.map(({ id }) => id)];
  const node = (await findNode(sql, ids[other % ids.length] as string)) as StoredNode;
  if (where === 'first' || where === 'last') return { parent: node, edge: where };
  if (node.parentId === null) return { parent: node, edge: 'last' };
  const parent = (await findNode(sql, node.parentId)) as StoredNode;
  return { parent, sibling: node, side: where };
}

async function edit(change: Change, node: StoredNode, text: string, other: number): Promise<void> {
  const patch: Payload =
    node.payloadId === null ? { name: text } : { 'deep.value': other % 3, [`deep.${text}`]: [other] };
  await setProperties(change, node.id, parsePatch(patch));
}

async function share(change: Change, node: StoredNode, place: Place): Promise<void> {
  if (node.payloadId === null) return;
  const { type, name, status, payloadId } = node;
  const rank = await rankAt(change, place);
  await insertNode(change, { id: newId(), parentId: place.parent.id, rank, type, name, status, payloadId });
}

async function move(change: Change, node: StoredNode, place: Place): Promise<void> {
  const beside = 'sibling' in place && place.sibling.id === node.id;
  const below = await isWithin(change.sql, place.parent.id, node.id);
  if (!beside && !below && !(node.type === 'folder' && place.parent.type === 'note')) {
    await relocate(change, node.id, place);
  }
}

const childrenOf = ({ sql }: Change, parentId: string) =>
  sql.all<{ id: string }>('SELECT id FROM nodes WHERE parent_id = ? ORDER BY rank, id', [parentId]);

/** As crowded siblings are: new ranks, the same order. */
async function spread(change: Change, parent: StoredNode): Promise<void> {
  const children = await childrenOf(change, parent.id);
  const ranks = evenRanks(children.length * 2).slice(children.length);
  for (const [index, { id }] of children.entries()) await setRank(change, id, ranks[index] as string);
  if (children.length > 0) await addTags(change, (children[0] as { id: string }).id, ['spread']);
}

/** The children in the opposite order. */
async function turnAround(change: Change, parent: StoredNode): Promise<void> {
  const children = (await childrenOf(change, parent.id)).reverse();
  const ranks = evenRanks(children.length);
  for (const [index, { id }] of children.entries()) {
    const node = (await findNode(change.sql, id)) as StoredNode;
    await moveNode(change, node, parent.id, ranks[index] as string);
  }
}
