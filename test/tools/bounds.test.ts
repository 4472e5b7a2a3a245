import { expect, test } from 'vitest';
import { scratchWorkspace } from '../support/scratch.js';

const folder = (name: string, children: object[] = []) => ({
  payloadType: 'folder',
  payload: { name, status: 'active' },
  children,
});
const many = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ nodeId: `n${index}`, ...folder(`f${index}`) }));

test('T27 the size of a page is a setting', async () => {
  const settings = { 'limits.pageSize': 2, 'limits.maxPageSize': 3 };
  const session = (await scratchWorkspace({ settings })).session();
  for (const name of ['a', 'b', 'c', 'd']) await session.call('add_folder', { name });
  expect(await session.call('list_children', { nodeId: 'library' })).toMatchObject({
    children: [{}, {}],
    nextPageToken: expect.any(String),
  });
  expect(await session.call('list_children', { nodeId: 'library', limit: 3 })).toMatchObject({
    children: [{}, {}, {}],
  });
  for (const [tool, input, argument] of [
    ['list_children', { nodeId: 'library', limit: 4 }, 'limit'],
    ['search', { rootNodeId: 'library', filters: [], limit: 4 }, 'limit'],
    ['get_view', { rootNodeId: 'library', pageSize: 4 }, 'pageSize'],
    ['get_subtree', { nodeId: 'library', paging: { pageSize: 4 } }, 'paging.pageSize'],
  ] as const) {
    expect(await session.callUntyped(tool, input)).toMatchObject({
      error_type: 'invalid_argument',
      error: `${argument}: '4' is more than a page may have, 3`,
    });
  }
});

test('T28 answers about many nodes are bounded, and say how many there are', async () => {
  const session = (await scratchWorkspace()).session();
  const made = await session.call('snapshot_create', { label: 'empty', version: 'r0' });
  const json = { nodeId: 'library', payloadType: 'library', payload: {}, children: many(6000) };
  const merged = await session.call('import_merge', { json, strategy: 'upsert', matchBy: 'nodeId', version: 'r0' });
  expect(merged).toMatchObject({ success: true });
  const diff = await session.call('snapshot_diff', { a: 'empty', b: 'now' });
  if (!diff.success) throw new Error(diff.error);
  expect(diff.diff.added).toHaveLength(5000);
  expect(diff.truncated).toEqual({ added: 6000, removed: 0, moved: 0, reordered: 0, changed: 0 });
  const undone = await session.call('undo', { version: diff.version });
  if (!undone.success) throw new Error(undone.error);
  expect(undone.nodeIds).toHaveLength(1000);
  expect(undone.nodeCount).toBeGreaterThanOrEqual(6000);
  expect(made).toMatchObject({ success: true });
});

test('T29 a snapshot can be removed, and the library stays', async () => {
  const session = (await scratchWorkspace()).session();
  await session.call('snapshot_create', { label: 'old', version: 'r0' });
  await session.call('add_folder', { name: 'Work' });
  expect(await session.call('snapshot_remove', { snapshotId: 'old', version: 'r1' })).toMatchObject({ success: true });
  expect(await session.call('snapshot_list', {})).toMatchObject({ snapshots: [] });
  expect(await session.call('snapshot_remove', { snapshotId: 'old', version: 'r1' })).toMatchObject({
    error_type: 'not_found',
  });
  expect(await session.call('list_folders', {})).toMatchObject({ folders: [{ name: 'Work' }] });
});

test('T264 a path that leads nowhere is not_found, and nothing is made', async () => {
  const session = (await scratchWorkspace()).session();
  const json = { nodeId: 'z', ...folder('Z'), path: ['Nope', 'Z'] };
  expect(
    await session.call('import_merge', { json, strategy: 'upsert', matchBy: 'path', version: 'r0' }),
  ).toMatchObject({
    error_type: 'not_found',
    error: expect.stringContaining("'Nope / Z'"),
  });
  expect(await session.call('list_folders', {})).toMatchObject({ folders: [], version: 'r0' });
});

test('T230 a list is hidden as a whole where part of it is excluded', async () => {
  const session = (await scratchWorkspace()).session();
  await session.call('define_document_type', { documentType: 'note' });
  const payloadProps = { name: 'x', items: [{ s: 1, t: 2 }] };
  const made = await session.call('add_child', {
    parentNodeId: 'library',
    payloadType: 'note',
    payloadProps,
    version: 'r0',
  });
  const nodeId = made.success ? made.nodeId : '';
  expect(await session.call('get_node', { nodeId, excludedProperties: ['items.0.s'] })).toMatchObject({
    node: { payload: { name: 'x' } },
  });
  const shown = await session.call('get_node', { nodeId, excludedProperties: ['items.0.s'] });
  expect(JSON.stringify(shown)).not.toContain('items');
});

test('T203 toggle_node flips what a view with its own default shows', async () => {
  const session = (await scratchWorkspace()).session();
  const made = await session.call('add_folder', { name: 'Work' });
  const nodeId = made.success ? made.id : '';
  const toggled = await session.call('toggle_node', { nodeId, defaultExpanded: false, version: 'r1' });
  expect(toggled).toMatchObject({ isExpanded: true });
});
