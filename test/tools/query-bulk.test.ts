import { expect, test } from 'vitest';
import { idsOf, openLibrary, where } from './query-library.js';

test('T150 Bulk updates by predicate: update_nodes applies non-atomic bulk changes: what cannot be updated is listed, the others are updated', async () => {
  const { call, write, ids } = await openLibrary();
  const before = await call('get_node', { nodeId: ids.alpha });
  await write('update_payload', { nodeId: ids.gamma, patch: { note: 'by another' } });
  const filter = { or: [where('stars', 'gt', 0), where('name', 'eq', 'Old')] };
  const answer = await call('update_nodes', { filter, patch: { done: true }, version: before.version });
  expect(answer).toMatchObject({
    success: true,
    updated: [ids.alpha, ids.beta],
    nodeIds: [ids.alpha, ids.beta],
    failed: [
      { nodeId: ids.gamma, error_type: 'conflict', error: expect.stringContaining('is out of date') },
      { nodeId: ids.old, error_type: 'invalid_argument', error: expect.stringContaining('done') },
    ],
  });
  const done = await call('search', { rootNodeId: 'library', filters: [where('done', 'eq', true)] });
  expect(idsOf(done)).toEqual([ids.alpha, ids.beta]);
  expect(done.version).toBe(answer.version);
});

test('T150 Bulk updates: a schema, a protected path and a guarded name fail for each node on its own', async () => {
  const { workspace, write, ids } = await openLibrary();
  const editor = workspace.session({ agent: 'eve', role: 'editor' });
  const update = (filter: unknown, patch: object) => write('update_nodes', { filter, patch }, editor);
  const failed = (nodeId: string, error_type: string) => expect.objectContaining({ nodeId, error_type });
  expect(await update([where('stars', 'gt', 1)], { stars: 9 })).toMatchObject({
    updated: [],
    failed: [failed(ids.alpha, 'invalid_argument'), failed(ids.beta, 'invalid_argument')],
  });
  expect(await update(where('name', 'eq', 'Beta'), { secret: 1 })).toMatchObject({
    failed: [failed(ids.beta, 'forbidden')],
  });
  expect(await update(where('name', 'contains', 'l'), { PARENT: 1 })).toMatchObject({
    updated: [ids.alpha],
    failed: [failed(ids.plans, 'invalid_argument'), failed(ids.old, 'invalid_argument')],
  });
});

test('T151 nodes that share a payload are updated together, and none of them counts as stale', async () => {
  const { call, write, ids } = await openLibrary();
  const copied = await write('copy_subtree', { sourceId: ids.plans, targetParentId: ids.old, mode: 'reference' });
  expect(copied).toMatchObject({ success: true });
  const answer = await write('update_nodes', { filter: where('name', 'eq', 'Alpha'), patch: { stars: 4 } });
  expect(answer).toMatchObject({ failed: [], updated: [ids.alpha, expect.any(String)] });
  const four = await call('search', { rootNodeId: 'library', filters: [where('stars', 'eq', 4)] });
  expect(idsOf(four)).toEqual(answer.updated);
});

test('T152 Batch size limits: more matches than a batch may have are refused, and nothing changes', async () => {
  const { call, write } = await openLibrary({ 'limits.maxBatch': 2 });
  const answer = await write('update_nodes', { filter: where('stars', 'gt', 0), patch: { done: true } });
  expect(answer).toMatchObject({
    success: false,
    error_type: 'invalid_argument',
    error: 'The filter matches more than 2 nodes, and at most 2 are allowed',
    maxBatch: 2,
  });
  expect(idsOf(await call('search', { rootNodeId: 'library', filters: [where('done', 'eq', true)] }))).toEqual([]);
  const two = await write('update_nodes', { filter: where('stars', 'gt', 1), patch: { done: true } });
  expect(two).toMatchObject({ success: true, failed: [] });
});

test('T153 update_nodes needs a version, a filter with a condition, and something to set', async () => {
  const { call, write } = await openLibrary();
  const filter = where('stars', 'gt', 0);
  expect(await call('update_nodes', { filter, patch: { a: 1 } })).toMatchObject({
    success: false,
    error_type: 'conflict',
  });
  const invalid = { success: false, error_type: 'invalid_argument' };
  expect(await write('update_nodes', { filter: [], patch: { a: 1 } })).toMatchObject(invalid);
  expect(await write('update_nodes', { filter, patch: {} })).toMatchObject(invalid);
  expect(await write('update_nodes', { filter: 'all', patch: { a: 1 } })).toMatchObject({
    ...invalid,
    error: 'filter: expected a condition, a group, or a list of conditions',
  });
  expect(await write('update_nodes', { filter, patch: { 'a..b': 1 } })).toMatchObject(invalid);
});

test('T160 Common ancestor: get_common_ancestor returns nearest ancestor', async () => {
  const { call, ids } = await openLibrary();
  const ancestor = async (...nodeIds: string[]) => (await call('get_common_ancestor', { nodeIds })).nodeId;
  expect(await ancestor(ids.alpha, ids.beta)).toBe(ids.plans);
  expect(await ancestor(ids.alpha, ids.gamma)).toBe(ids.work);
  expect(await ancestor(ids.alpha, ids.old)).toBe('library');
  expect(await ancestor(ids.alpha, ids.plans)).toBe(ids.plans);
  expect(await ancestor(ids.plans, ids.alpha, ids.beta)).toBe(ids.plans);
  expect(await ancestor(ids.alpha, ids.alpha)).toBe(ids.alpha);
  expect(await ancestor()).toBeNull();
});

test('T161 get_common_ancestor names an unknown id, and takes no more ids than a batch', async () => {
  const { call, ids } = await openLibrary({ 'limits.maxBatch': 2 });
  expect(await call('get_common_ancestor', { nodeIds: [ids.alpha, 'nowhere'] })).toMatchObject({
    success: false,
    error_type: 'not_found',
    error: "Invalid nodeIds 'nowhere': node not found",
  });
  expect(await call('get_common_ancestor', { nodeIds: ['library', 'library', 'library'] })).toMatchObject({
    success: false,
    error_type: 'invalid_argument',
    maxBatch: 2,
  });
});
