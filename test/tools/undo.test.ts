import { expect, test } from 'vitest';
import { type Answer, type Entry, library } from './time-library.js';

test('T330 T331 undo and redo of one’s own changes, with what was reverted', async () => {
  const { ann, bob, add, names } = await library();
  await add(ann, 'library', 'a');
  await add(bob, 'library', 'b');
  const third = await add(ann, 'library', 'c');
  expect(await ann('undo')).toMatchObject({ success: true, reverted: { tool: 'add_child' }, nodeIds: [third] });
  expect(await names('library')).toEqual(['a', 'b']);
  expect(await ann('undo')).toMatchObject({ success: true });
  expect(await names('library')).toEqual(['b']);
  expect(await ann('undo')).toMatchObject({
    error_type: 'invalid_argument',
    error: expect.stringMatching(/^Nothing to undo/),
  });
  expect(await bob('redo')).toMatchObject({ error_type: 'invalid_argument' });
  expect(await ann('redo')).toMatchObject({ success: true, reverted: { tool: 'undo' } });
  expect(await names('library')).toEqual(['a', 'b']);
  await add(ann, 'library', 'd');
  const refused = await ann('redo');
  expect(refused).toMatchObject({ error_type: 'invalid_argument', error: expect.stringContaining('another change') });
  const dry = await ann('undo', { dryRun: true });
  expect(dry).toMatchObject({ success: true, dryRun: true });
  expect(await names('library')).toEqual(['a', 'b', 'd']);
});

test('T333 undo is refused where someone has changed the same things since', async () => {
  const { ann, bob, add, folder, names } = await library();
  const [box, other] = [await folder(bob, 'library', 'Box'), await folder(bob, 'library', 'Other')];
  const conflicts = async (nodeIds: string[]) => {
    const { version } = await ann('snapshot_list');
    expect(await ann('undo')).toMatchObject({ error_type: 'conflict', currentVersion: version, nodeIds });
    expect((await ann('snapshot_list')).version).toBe(version);
  };
  const made = await folder(ann, 'library', 'Made');
  const inside = await add(bob, made, 'inside');
  await conflicts([inside]);
  await bob('remove_node', { nodeId: inside });
  await bob('tag_node', { nodeId: made, tags: ['kept'] });
  await conflicts([made]);

  await ann('update_payload', { nodeId: box, patch: { name: 'Box by ann' } });
  await bob('update_payload', { nodeId: box, patch: { name: 'Box by bob' } });
  await conflicts([box]);

  const note = await add(bob, box, 'note');
  await ann('move_node', { nodeId: note, newParentId: other });
  await bob('remove_node', { nodeId: box });
  await conflicts([box]);

  await ann('tag_node', { nodeId: note, tags: ['x'] });
  await bob('remove_node', { nodeId: note });
  await conflicts([note]);

  const [outer, inner] = [await folder(bob, 'library', 'Outer'), await folder(bob, 'library', 'Inner')];
  await ann('move_node', { nodeId: inner, newParentId: outer });
  await ann('move_node', { nodeId: inner, newParentId: 'library' });
  await bob('move_node', { nodeId: outer, newParentId: inner });
  const { version } = await ann('snapshot_list');
  expect(await ann('undo')).toMatchObject({ error_type: 'conflict' });
  expect((await ann('snapshot_list')).version).toBe(version);
  expect(await names(inner)).toEqual(['Outer']);
});

test('T334 undo leaves alone what others have changed beside it', async () => {
  const { ann, bob, add, folder, names } = await library();
  const box = await folder(bob, 'library', 'Box');
  const [a, b, c] = [await add(bob, box, 'a'), await add(bob, box, 'b'), await add(bob, box, 'c')];
  await ann('move_before', { nodeId: c, siblingId: a });
  await bob('update_payload', { nodeId: c, patch: { stars: 5 } });
  await add(bob, box, 'd');
  await bob('move_after', { nodeId: a, siblingId: b });
  expect(await names(box)).toEqual(['c', 'b', 'a', 'd']);
  expect(await ann('undo')).toMatchObject({ success: true, nodeIds: [c] });
  expect(await names(box)).toEqual(['b', 'c', 'a', 'd']);
  expect((await ann('get_node', { nodeId: c })).node).toMatchObject({ payload: { name: 'c', stars: 5 } });
});

test('T336 an undo is a change for other writers: their older versions are out of date', async () => {
  const { ann, bob, add } = await library();
  const note = await add(bob, 'library', 'note');
  await ann('update_payload', { nodeId: note, patch: { name: 'other' } });
  const { version } = await bob('get_node', { nodeId: note });
  await ann('undo');
  const stale = await bob('update_payload', { nodeId: note, patch: { name: 'mine' }, version });
  expect(stale).toMatchObject({ error_type: 'conflict' });
  expect(await ann('redo', { version })).toMatchObject({ error_type: 'conflict' });
});

test('T340 T341 T342 history shows who changed what, newest first, in pages, for all or for one node', async () => {
  const { ann, bob, add } = await library();
  const [one, two] = [await add(ann, 'library', 'one'), await add(bob, 'library', 'two')];
  const edited = await bob('update_payload', { nodeId: one, patch: { stars: 1 } });
  await ann('tag_node', { nodeId: two, tags: ['x'] });
  await ann('undo');
  type History = Answer & { revisions: Entry[]; nextPageToken?: string };
  const all = (await ann('history')) as History;
  const brief = ({ agent, tool, kind, nodeIds, nodeCount }: Entry) => [agent, tool, kind, nodeIds, nodeCount];
  expect(all.revisions.map(brief)).toEqual([
    ['ann', 'undo', 'undo', [two], 1],
    ['ann', 'tag_node', 'change', [two], 1],
    ['bob', 'update_payload', 'change', [one], 1],
    ['bob', 'add_child', 'change', [two], 1],
    ['ann', 'add_child', 'change', [one], 1],
  ]);
  expect(all.version).toBe(all.revisions[0]?.version);
  const first = (await ann('history', { limit: 2 })) as History;
  await add(bob, 'library', 'later');
  const second = (await ann('history', { limit: 2, pageToken: first.nextPageToken })) as History;
  const third = (await ann('history', { limit: 2, pageToken: second.nextPageToken })) as History;
  expect([...first.revisions, ...second.revisions, ...third.revisions]).toEqual(all.revisions);
  expect(third.nextPageToken).toBeUndefined();
  expect(await bob('history', { limit: 2, pageToken: first.nextPageToken })).toMatchObject({
    error_type: 'invalid_argument',
  });

  const own = (await ann('history', { nodeId: one })) as History;
  expect(own.revisions.map(({ tool }) => tool)).toEqual(['update_payload', 'add_child']);
  const since = (await ann('history', {
    nodeId: one,
    fromVersion: edited.version,
    toVersion: edited.version,
  })) as History;
  expect(since.revisions.map(({ version }) => version)).toEqual([edited.version]);
  expect(await ann('history', { nodeId: 'ghost' })).toMatchObject({ error_type: 'not_found' });
  expect(await ann('history', { fromVersion: 'r3', toVersion: 'r2' })).toMatchObject({
    error_type: 'invalid_argument',
  });
  expect(await ann('history', { fromVersion: 'x' })).toMatchObject({ error_type: 'invalid_argument' });
});
