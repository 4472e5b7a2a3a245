import { expect, test } from 'vitest';
import { nodesAt } from '../../src/library/tree/history.js';
import { currentRevision } from '../../src/library/tree/version.js';
import { folderContract } from '../contract/folder-port.js';
import { portOn, scratchDatabase } from '../support/library-port.js';

folderContract('the embedded library', async () => portOn(await scratchDatabase()));

test('F7 the library can be named as parent', async () => {
  const port = portOn(await scratchDatabase());
  const { id } = await port.add('Work', { placement: 'ending', relativeTo: 'library' });
  await port.add('Notes', { placement: 'beginning', relativeTo: id });
  expect((await port.list({ parentId: 'library', includeChildren: false })).folders).toMatchObject([{ id }]);
  expect((await port.list({ parentId: 'library', includeChildren: true })).folders).toHaveLength(2);
});

test('F34 an edit that changes nothing makes no revision', async () => {
  const database = await scratchDatabase();
  const port = portOn(database);
  const made = await port.add('Work', { placement: 'ending' });
  const edited = await port.edit({ id: made.id }, { newName: 'Work', newStatus: 'active' });
  expect(edited).toEqual(made);
  expect(await database.read(currentRevision)).toBe(1);
});

test('F66 a removed folder is still in the tree of before', async () => {
  const database = await scratchDatabase();
  const port = portOn(database);
  const { id } = await port.add('Work', { placement: 'ending' });
  const before = await database.read(currentRevision);
  await port.remove({ id });
  const namesAt = async (revision: number) =>
    (await database.read((sql) => nodesAt(sql, revision))).flatMap((node) => node.name ?? []);
  expect(await namesAt(before)).toEqual(['Work']);
  expect(await namesAt(before + 1)).toEqual([]);
});

test('F67 a chain of 10,000 folders', async () => {
  const database = await scratchDatabase();
  const port = portOn(database);
  const top = await port.add('top', { placement: 'ending' });
  let deepest = top.id;
  for (let depth = 1; depth < 10_000; depth++) {
    deepest = (await port.add(`level ${depth}`, { placement: 'ending', relativeTo: deepest })).id;
  }
  const other = await port.add('other', { placement: 'ending' });
  expect((await port.list({ includeChildren: true })).folders).toHaveLength(10_001);
  await expect(port.move({ id: top.id }, { placement: 'ending', relativeTo: deepest })).rejects.toThrow('descendant');
  await port.move({ id: top.id }, { placement: 'ending', relativeTo: other.id });
  expect((await port.list({ parentId: other.id, includeChildren: true })).folders.at(-1)?.id).toBe(deepest);
  await port.remove({ id: other.id });
  expect((await port.list({ includeChildren: true })).folders).toEqual([]);
});
