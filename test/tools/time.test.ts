import { expect, test } from 'vitest';
import { type Answer, type Entry, library } from './time-library.js';

type Diff = Record<'added' | 'removed' | 'moved' | 'reordered' | 'changed', Entry[]>;

const diffOf = ({ diff }: Answer) => diff as Diff;

test('T300 T301 T302 Snapshots and diff (in-memory): snapshot_create/list/restore', async () => {
  const { ann, bob, add, names } = await library();
  const first = await add(ann, 'library', 'first');
  const before = await ann('snapshot_list');
  const created = await ann('snapshot_create', { label: 'one' });
  expect(created).toEqual({ success: true, snapshotId: expect.any(String), nodeIds: [], version: before.version });
  const listed = await ann('snapshot_list');
  expect(listed).toEqual({
    success: true,
    snapshots: [
      { snapshotId: created.snapshotId, label: 'one', version: before.version, at: expect.any(String), agent: 'ann' },
    ],
    version: before.version,
  });
  const [{ at }] = listed.snapshots as [{ at: string }];
  expect(new Date(at).toISOString()).toBe(at);

  await add(bob, 'library', 'second');
  await bob('remove_node', { nodeId: first });
  const restored = await ann('snapshot_restore', { snapshotId: created.snapshotId });
  expect(restored).toMatchObject({ success: true, nodeIds: expect.arrayContaining([first]) });
  expect(await names('library')).toEqual(['first']);
  const labels = ((await ann('snapshot_list')).snapshots as Entry[]).map(({ label }) => label);
  expect(labels).toEqual(['one', 'before restore of one']);
  await ann('snapshot_restore', { snapshotId: restored.safetySnapshotId });
  expect(await names('library')).toEqual(['second']);
});

test('T303 a label names its snapshot while no other has it, and now is no label', async () => {
  const { ann, bob } = await library();
  const first = await ann('snapshot_create', { label: 'same' });
  expect(await ann('snapshot_diff', { a: 'same', b: 'now' })).toMatchObject({ success: true });
  const second = await bob('snapshot_create', { label: 'same' });
  const refused = await ann('snapshot_restore', { snapshotId: 'same' });
  expect(refused).toMatchObject({
    error_type: 'invalid_argument',
    snapshotIds: [first.snapshotId, second.snapshotId].sort(),
  });
  expect(refused.error).toContain(first.snapshotId);
  expect(await ann('snapshot_diff', { a: 'ghost', b: 'now' })).toMatchObject({
    error_type: 'not_found',
    error: "Invalid a 'ghost': snapshot not found",
  });
  expect(await ann('snapshot_create', { label: 'now' })).toMatchObject({ error_type: 'invalid_argument' });
});

test('T310 Snapshots and diff (in-memory): snapshot_diff and diff_subtree', async () => {
  const { ann, add, folder } = await library();
  const [work, home] = [await folder(ann, 'library', 'Work'), await folder(ann, 'library', 'Home')];
  const [a, b, c] = [
    await add(ann, work, 'a', { deep: { x: 1 } }),
    await add(ann, work, 'b'),
    await add(ann, work, 'c'),
  ];
  await ann('snapshot_create', { label: 'then' });
  await ann('update_payload', { nodeId: a, patch: { 'deep.x': 2, 'deep.y': [1] } });
  await ann('tag_node', { nodeId: a, tags: ['hot'] });
  await ann('move_node', { nodeId: b, newParentId: home });
  await ann('move_before', { nodeId: c, siblingId: a });
  const d = await add(ann, home, 'd');
  await ann('bookmark', { nodeId: d, label: 'here' });
  const forth = await ann('snapshot_diff', { a: 'then', b: 'now' });
  const added = { nodeId: d, payloadType: 'note', parentId: home, after: b, payload: { name: 'd' }, tags: [] };
  const changes = [
    { path: 'deep.x', before: 1, after: 2 },
    { path: 'deep.y', after: [1] },
  ];
  expect(forth.diff).toEqual({
    added: [added],
    removed: [],
    moved: [{ nodeId: b, from: work, to: home, after: null }],
    reordered: [{ nodeId: c, parentId: work, after: null }],
    changed: [{ nodeId: a, changes, tags: { added: ['hot'], removed: [] } }],
    bookmarks: { added: [{ label: 'here', nodeId: d }], removed: [] },
  });
  const back = diffOf(await ann('snapshot_diff', { a: 'now', b: 'then' }));
  expect(back.removed).toEqual([added]);
  expect(back.moved).toEqual([{ nodeId: b, from: home, to: work, after: a }]);
  expect(diffOf(await ann('snapshot_diff', { a: 'then', b: 'then' })).changed).toEqual([]);
});

test('T311 a change to a shared payload shows for every node that shares it', async () => {
  const { ann, add, folder } = await library();
  const [source, target] = [await folder(ann, 'library', 'Source'), await folder(ann, 'library', 'Target')];
  const note = await add(ann, source, 'a');
  const copied = await ann('copy_subtree', { sourceId: source, targetParentId: target, mode: 'reference' });
  await ann('snapshot_create', { label: 'then' });
  await ann('update_payload', { nodeId: note, patch: { name: 'b' } });
  const { changed } = diffOf(await ann('snapshot_diff', { a: 'then', b: 'now' }));
  expect(changed).toHaveLength(2);
  expect(changed.map(({ nodeId }) => nodeId)).toContain(note);
  for (const { nodeId, changes } of changed) {
    expect([note, ...(copied.nodeIds as string[])]).toContain(nodeId);
    expect(changes).toEqual([{ path: 'name', before: 'a', after: 'b' }]);
  }
});

test('T315 T316 diff_subtree matches different roots by names, and equal names by position', async () => {
  const { ann, add, folder } = await library();
  const [left, right] = [await folder(ann, 'library', 'Left'), await folder(ann, 'library', 'Right')];
  const [one, two] = [await add(ann, left, 'x', { v: 1 }), await add(ann, left, 'x', { v: 2 })];
  const gone = await add(ann, left, 'gone');
  const below = await add(ann, gone, 'below');
  const [three, four] = [await add(ann, right, 'x', { v: 1 }), await add(ann, right, 'x', { v: 3 })];
  const fresh = await add(ann, right, 'fresh');
  await ann('tag_node', { nodeId: three, tags: ['new'] });
  const { diff } = await ann('diff_subtree', { aId: left, bId: right });
  const lone = { payloadType: 'note', tags: [] };
  expect(diff).toEqual({
    added: [{ path: ['fresh'], nodeId: fresh, after: 'x[2]', payload: { name: 'fresh' }, ...lone }],
    removed: [
      { path: ['gone'], nodeId: gone, after: 'x[2]', payload: { name: 'gone' }, ...lone },
      { path: ['gone', 'below'], nodeId: below, after: null, payload: { name: 'below' }, ...lone },
    ],
    moved: [],
    reordered: [],
    changed: [
      { path: [], nodeId: left, matchId: right, changes: [{ path: 'name', before: 'Left', after: 'Right' }] },
      { path: ['x'], nodeId: one, matchId: three, changes: [], tags: { added: ['new'], removed: [] } },
      { path: ['x[2]'], nodeId: two, matchId: four, changes: [{ path: 'v', before: 2, after: 3 }] },
    ],
  });
  expect(await ann('diff_subtree', { aId: left, bId: 'ghost' })).toMatchObject({ error_type: 'not_found' });
  expect(diffOf(await ann('diff_subtree', { aId: left, bId: left }))).toMatchObject({ added: [], changed: [] });
});

test('T315 diff_subtree names what stands in another order', async () => {
  const { ann, add, folder } = await library();
  const [left, right] = [await folder(ann, 'library', 'Same'), await folder(ann, 'library', 'Same')];
  for (const name of ['a', 'b', 'c[2]']) await add(ann, left, name);
  for (const name of ['c[2]', 'a', 'b']) await add(ann, right, name);
  const diff = diffOf(await ann('diff_subtree', { aId: left, bId: right }));
  expect(diff.reordered).toMatchObject([{ path: ['c[2][1]'], after: null }]);
  expect([diff.added, diff.removed, diff.changed]).toEqual([[], [], []]);
});

test('T324 Version tokens: a restore with an outdated version is refused and changes nothing', async () => {
  const { ann, bob, add, names } = await library();
  const note = await add(ann, 'library', 'note');
  await ann('snapshot_create', { label: 'then' });
  const { version } = await ann('update_payload', { nodeId: note, patch: { name: 'mine' } });
  await bob('update_payload', { nodeId: note, patch: { name: 'theirs' } });
  const refused = await ann('snapshot_restore', { snapshotId: 'then', version });
  expect(refused).toMatchObject({ error_type: 'conflict', currentVersion: expect.any(String), nodeIds: [note] });
  expect(await names('library')).toEqual(['theirs']);
  expect(((await ann('snapshot_list')).snapshots as unknown[]).length).toBe(1);
  const { version: latest } = await ann('snapshot_list');
  await add(bob, note, 'elsewhere');
  expect(await ann('snapshot_restore', { snapshotId: 'then', version: latest })).toMatchObject({
    error_type: 'conflict',
  });
});

test('T327 restoring and undoing change protected properties only for an owner', async () => {
  const { ann, owner, caller, add } = await library();
  const note = await add(owner, 'library', 'note', { secret: 1 });
  await ann('snapshot_create', { label: 'then' });
  await owner('update_payload', { nodeId: note, patch: { secret: 2 } });
  expect(await ann('snapshot_restore', { snapshotId: 'then' })).toMatchObject({ error_type: 'forbidden' });
  expect(await owner('snapshot_restore', { snapshotId: 'then' })).toMatchObject({ success: true, nodeIds: [note] });
  // Olga is no owner any more: what she did as one is not hers to undo.
  expect(await caller('olga', 'editor')('undo')).toMatchObject({ error_type: 'forbidden' });
  expect(await owner('undo')).toMatchObject({ success: true });
});
