import { expect, test } from 'vitest';
import { tools } from '../../src/tools/index.js';
import type { Envelope, Session } from '../../src/workspace.js';
import { scratchWorkspace } from '../support/scratch.js';

/** A session whose writes carry the latest version, and the few calls that make a test short. */
async function openTree() {
  const workspace = await scratchWorkspace();
  const session: Session = workspace.session({ agent: 'ada' });
  const latest = async () => (await session.call('list_bookmarks', {})) as unknown as { version: string };
  const write = async (name: string, input: Record<string, unknown>) =>
    session.callUntyped(name, { ...input, version: (await latest()).version });
  const read = (name: string, input: Record<string, unknown>) => session.callUntyped(name, input);
  const make = async (parentNodeId: string, payloadType: string, payloadProps: Record<string, unknown>) => {
    const made = await write('add_child', { parentNodeId, payloadType, payloadProps });
    if (!made.success) throw new Error(made.error);
    return made.nodeId as string;
  };
  await read('define_document_type', {
    documentType: 'task',
    schema: { type: 'object', properties: { name: { type: 'string' }, hours: { type: 'number' } }, required: ['name'] },
    protectedPaths: ['audit.by'],
  });
  return { workspace, session, write, read, make };
}

const invalid = { success: false, error_type: 'invalid_argument' };
const payloadOf = (envelope: Envelope) => (envelope as unknown as { node: { payload: unknown } }).node.payload;
const childIds = (envelope: Envelope) =>
  (envelope as unknown as { children: { nodeId: string }[] }).children.map((child) => child.nodeId);

test('T1 get_node answers the node with its payload, tags and parent, now and as it was', async () => {
  const { make, write, read } = await openTree();
  const task = await make('library', 'task', { name: 'Write', hours: 2 });
  await write('tag_node', { nodeId: task, tags: ['soon'] });
  const before = (await read('get_node', { nodeId: task })) as unknown as { version: string };
  expect(before).toEqual({
    success: true,
    node: {
      nodeId: task,
      payloadType: 'task',
      payload: { name: 'Write', hours: 2 },
      childrenCount: 0,
      parentId: 'library',
      tags: ['soon'],
    },
    version: 'r2',
  });
  await write('update_payload_property', { nodeId: task, propertyName: 'hours', newValue: 3 });
  expect(payloadOf(await read('get_node', { nodeId: task, atVersion: before.version }))).toEqual({
    name: 'Write',
    hours: 2,
  });
  expect(payloadOf(await read('get_node', { nodeId: task }))).toEqual({ name: 'Write', hours: 3 });
});

test('T1 Included/Excluded properties: get_node shows what is asked for', async () => {
  const { make, read } = await openTree();
  const task = await make('library', 'task', { name: 'Write', a: { b: 1, c: 2 }, d: 3 });
  const show = async (included: string[], excluded: string[]) =>
    payloadOf(await read('get_node', { nodeId: task, includedProperties: included, excludedProperties: excluded }));
  expect(await show(['a'], [])).toEqual({ a: { b: 1, c: 2 } });
  expect(await show(['a.b', 'd'], [])).toEqual({ a: { b: 1 }, d: 3 });
  expect(await show([], ['a.b'])).toEqual({ name: 'Write', a: { c: 2 }, d: 3 });
  expect(await show(['a'], ['a.c'])).toEqual({ a: { b: 1 } });
  expect(await show(['A'], [])).toEqual({});
});

test('T2 T23 Mutation tools: add_child makes the last child and answers its id and the version', async () => {
  const { make, write, read } = await openTree();
  const first = await make('library', 'folder', { name: '  Work ' });
  const made = await write('add_child', { parentNodeId: 'library', payloadType: 'task', payloadProps: { name: 'x' } });
  expect(made).toEqual({ success: true, nodeId: expect.any(String), nodeIds: [made.nodeId], version: 'r2' });
  expect(childIds(await read('list_children', { nodeId: 'library' }))).toEqual([first, made.nodeId]);
  expect(payloadOf(await read('get_node', { nodeId: first }))).toEqual({ name: 'Work', status: 'active' });
});

test('T3 what does not fit is refused with its path, and nothing changes', async () => {
  const { make, write, read } = await openTree();
  const task = await make('library', 'task', { name: 'x' });
  const add = (parentNodeId: string, payloadType: string, payloadProps: object) =>
    write('add_child', { parentNodeId, payloadType, payloadProps });
  expect(await add('library', 'dragon', {})).toMatchObject({
    ...invalid,
    error: "Invalid payloadType 'dragon': unknown type",
  });
  expect(await add(task, 'folder', { name: 'x' })).toMatchObject({
    ...invalid,
    error: "Invalid parent of type 'task': a 'folder' may not stand below it",
  });
  expect(await add('library', 'library', {})).toMatchObject(invalid);
  expect(await add('library', 'folder', { name: ' ' })).toMatchObject(invalid);
  expect(await add('library', 'folder', { name: 'x', colour: 'red' })).toMatchObject({
    ...invalid,
    violations: [{ path: 'colour', message: 'is not a property of this type' }],
  });
  expect(await add('library', 'task', { hours: 'many' })).toMatchObject({
    ...invalid,
    violations: [
      { path: 'name', message: 'is required' },
      { path: 'hours', message: 'must be number' },
    ],
  });
  expect(await write('update_payload', { nodeId: task, patch: { hours: 'many' } })).toMatchObject(invalid);
  expect(await read('list_children', { nodeId: 'library' })).toMatchObject({
    children: [{ nodeId: task }],
    version: 'r1',
  });
});

test('T4 update_payload_property sets a property by its path', async () => {
  const { make, write, read } = await openTree();
  const task = await make('library', 'task', { name: 'x', list: [1, 2] });
  const set = (propertyName: string, newValue: unknown) =>
    write('update_payload_property', { nodeId: task, propertyName, newValue });
  await set('deep.er.still', true);
  await set('list.1', 'two');
  await set('a\\.b', null);
  expect(payloadOf(await read('get_node', { nodeId: task }))).toEqual({
    name: 'x',
    list: [1, 'two'],
    deep: { er: { still: true } },
    'a.b': null,
  });
  expect(await set('name.first', 'x')).toMatchObject({
    ...invalid,
    error: expect.stringContaining("'name.first' cannot be set"),
  });
  expect(await set('list.9', 'x')).toMatchObject(invalid);
  expect(await set('', 'x')).toMatchObject(invalid);
  expect(await set('a..b', 'x')).toMatchObject(invalid);
  expect(await set('__proto__.polluted', 'x')).toMatchObject(invalid);
  expect(await write('update_payload_property', { nodeId: task, propertyName: 'x' })).toMatchObject(invalid);
});

test('T5 Multi-field payload update: update_payload patches multiple fields, or none', async () => {
  const { make, write, read } = await openTree();
  const task = await make('library', 'task', { name: 'x', hours: 1 });
  await write('update_payload', { nodeId: task, patch: { hours: 2, 'owner.name': 'Ada' } });
  expect(payloadOf(await read('get_node', { nodeId: task }))).toEqual({ name: 'x', hours: 2, owner: { name: 'Ada' } });
  expect(await write('update_payload', { nodeId: task, patch: { hours: 3, name: 4 } })).toMatchObject(invalid);
  expect(await write('update_payload', { nodeId: task, patch: {} })).toMatchObject(invalid);
  expect(payloadOf(await read('get_node', { nodeId: task }))).toMatchObject({ hours: 2 });
});

test('T6 T16 remove_node takes all below it, with tags and bookmarks', async () => {
  const { make, write, read } = await openTree();
  const folder = await make('library', 'folder', { name: 'Work' });
  const task = await make(folder, 'task', { name: 'x' });
  await write('tag_node', { nodeId: task, tags: ['t'] });
  await write('bookmark', { nodeId: task, label: 'here' });
  expect(await write('remove_node', { nodeId: folder })).toEqual({ success: true, nodeIds: [folder], version: 'r5' });
  for (const nodeId of [folder, task]) {
    expect(await read('get_node', { nodeId })).toMatchObject({
      success: false,
      error: `Invalid nodeId '${nodeId}': node not found`,
      error_type: 'not_found',
    });
  }
  expect(await read('list_bookmarks', {})).toMatchObject({ bookmarks: [] });
  expect(await write('remove_node', { nodeId: folder })).toMatchObject({ error_type: 'not_found' });
});

test('T7 T8 Precise reordering: move_before/move_after adjust sibling order, and move_node goes to the end', async () => {
  const { make, write, read } = await openTree();
  const [a, b, c] = [
    await make('library', 'folder', { name: 'a' }),
    await make('library', 'folder', { name: 'b' }),
    await make('library', 'folder', { name: 'c' }),
  ];
  const order = async (nodeId = 'library') => childIds(await read('list_children', { nodeId }));
  await write('move_before', { nodeId: c, siblingId: a });
  expect(await order()).toEqual([c, a, b]);
  await write('move_after', { nodeId: c, siblingId: a });
  expect(await order()).toEqual([a, c, b]);
  const inside = await make(a, 'task', { name: 'x' });
  await write('move_node', { nodeId: a, newParentId: b });
  expect([await order(), await order(b), await order(a)]).toEqual([[c, b], [a], [inside]]);
  await write('move_before', { nodeId: inside, siblingId: c });
  expect(await order()).toEqual([inside, c, b]);
});

test('T9 no cycles, and the library stays', async () => {
  const { make, write } = await openTree();
  const outer = await make('library', 'folder', { name: 'outer' });
  const inner = await make(outer, 'folder', { name: 'inner' });
  expect(await write('move_node', { nodeId: outer, newParentId: outer })).toMatchObject(invalid);
  expect(await write('move_node', { nodeId: outer, newParentId: inner })).toMatchObject(invalid);
  expect(await write('move_after', { nodeId: outer, siblingId: outer })).toMatchObject(invalid);
  expect(await write('move_node', { nodeId: 'library', newParentId: outer })).toMatchObject(invalid);
  expect(await write('move_after', { nodeId: outer, siblingId: 'library' })).toMatchObject(invalid);
  expect(await write('remove_node', { nodeId: 'library' })).toMatchObject(invalid);
  expect(await write('copy_subtree', { sourceId: outer, targetParentId: inner, mode: 'duplicate' })).toMatchObject(
    invalid,
  );
});

test('T10 Child sorting: sort_children applies stable ordering', async () => {
  const { make, write, read } = await openTree();
  const hours: [string, unknown][] = [
    ['a', 3],
    ['b', 1],
    ['c', undefined],
    ['d', 1],
    ['e', 2],
  ];
  const ids = new Map<string, string>();
  for (const [name, value] of hours)
    ids.set(await make('library', 'task', value === undefined ? { name } : { name, hours: value }), name);
  const order = async () =>
    childIds(await read('list_children', { nodeId: 'library' }))
      .map((id) => ids.get(id))
      .join('');
  await write('sort_children', { parentId: 'library', byProp: 'hours', direction: 'asc', stable: true });
  expect(await order()).toBe('bdeac');
  await write('sort_children', { parentId: 'library', byProp: 'hours', direction: 'desc' });
  expect(await order()).toBe('aebdc');
  await write('sort_children', { parentId: 'library', byProp: 'name', direction: 'asc' });
  expect(await order()).toBe('abcde');
});

test('T11 clone_node duplicates a single node', async () => {
  const { make, write, read } = await openTree();
  const folder = await make('library', 'folder', { name: 'Work' });
  const task = await make(folder, 'task', { name: 'x' });
  await make(task, 'task', { name: 'below' });
  const made = await write('clone_node', { nodeId: task, targetParentId: 'library' });
  expect(await read('get_node', { nodeId: made.nodeId })).toMatchObject({
    node: { payload: { name: 'x' }, childrenCount: 0 },
  });
  await write('update_payload', { nodeId: made.nodeId, patch: { name: 'y' } });
  expect(payloadOf(await read('get_node', { nodeId: task }))).toEqual({ name: 'x' });
});

test('T12 T13 Subtree copy and node clone: copy_subtree duplicates or references children', async () => {
  const { make, write, read, session } = await openTree();
  const folder = await make('library', 'folder', { name: 'Work' });
  const task = await make(folder, 'task', { name: 'x' });
  const target = await make('library', 'folder', { name: 'Copies' });
  const copied = await write('copy_subtree', { sourceId: folder, targetParentId: target, mode: 'reference' });
  const [copiedFolder, shared] = copied.nodeIds as [string, string];
  const seen = (await read('get_node', { nodeId: shared })) as unknown as { version: string };
  const duplicate = await write('copy_subtree', { sourceId: folder, targetParentId: target, mode: 'duplicate' });
  await write('update_payload', { nodeId: task, patch: { name: 'changed' } });
  await write('update_payload', { nodeId: folder, patch: { name: 'Job' } });

  expect(payloadOf(await read('get_node', { nodeId: shared }))).toEqual({ name: 'changed' });
  expect(payloadOf(await read('get_node', { nodeId: copiedFolder }))).toMatchObject({ name: 'Work' });
  expect(payloadOf(await read('get_node', { nodeId: (duplicate.nodeIds as string[])[1] as string }))).toEqual({
    name: 'x',
  });
  const stale = await session.callUntyped('update_payload', {
    nodeId: shared,
    patch: { name: 'mine' },
    version: seen.version,
  });
  expect(stale).toMatchObject({ success: false, error_type: 'conflict' });
});

test('T14 T15 Tagging and bookmarks: tags, bookmark and list/remove bookmarks', async () => {
  const { make, write, read } = await openTree();
  const task = await make('library', 'task', { name: 'x' });
  await write('tag_node', { nodeId: task, tags: ['b', 'a', 'b'] });
  const tagged = await write('tag_node', { nodeId: task, tags: ['a'] });
  expect(tagged).toMatchObject({ success: true, version: 'r2' });
  await write('untag_node', { nodeId: task, tags: ['b', 'zzz'] });
  expect(await read('get_node', { nodeId: task })).toMatchObject({ node: { tags: ['a'] } });
  await write('bookmark', { nodeId: task, label: 'here' });
  await write('bookmark', { nodeId: 'library', label: 'here' });
  expect(await read('list_bookmarks', {})).toMatchObject({ bookmarks: [{ label: 'here', nodeId: 'library' }] });
  await write('remove_bookmark', { label: 'here' });
  expect(await write('remove_bookmark', { label: 'here' })).toMatchObject({ error_type: 'not_found' });
});

const treeWrites = tools.filter((tool) => tool.toolset.startsWith('tree') && tool.effect !== 'read');

test.each(treeWrites)('T20 Version tokens required for mutations: $name without one is a conflict', async (tool) => {
  const { session } = await openTree();
  expect(await session.callUntyped(tool.name, tool.example.input)).toMatchObject({
    success: false,
    error_type: 'conflict',
    currentVersion: 'r0',
  });
});

test('T21 a stale write is refused with the latest version, and changes nothing', async () => {
  const { make, session, read, write } = await openTree();
  const task = await make('library', 'task', { name: 'x' });
  await write('update_payload', { nodeId: task, patch: { name: 'theirs' } });
  const stale = (name: string, input: object) => session.callUntyped(name, { ...input, version: 'r1' });
  const conflict = { success: false, error_type: 'conflict', currentVersion: 'r2' };
  expect(await stale('update_payload', { nodeId: task, patch: { name: 'mine' } })).toMatchObject(conflict);
  expect(await stale('tag_node', { nodeId: task, tags: ['t'] })).toMatchObject(conflict);
  expect(await stale('remove_node', { nodeId: task })).toMatchObject(conflict);
  expect(payloadOf(await read('get_node', { nodeId: task }))).toEqual({ name: 'theirs' });
});
