import { expect, test } from 'vitest';
import { addNode, parsePatch, setProperties, storedNode } from '../../../src/library/tree/edit.js';
import { nodeAt } from '../../../src/library/tree/nodes.js';
import type { Payload } from '../../../src/library/tree/payload.js';
import { currentTree } from '../../../src/library/tree/tree.js';
import { saveType } from '../../../src/library/tree/types.js';
import { currentRevision } from '../../../src/library/tree/version.js';
import type { Database } from '../../../src/storage/sql.js';
import { changeOn, plantedDatabase } from './planted.js';

async function set(database: Database, id: string, patch: Payload, isOwner = false): Promise<Payload | undefined> {
  return database.write(async (sql) => {
    await setProperties(changeOn(sql, isOwner), id, parsePatch(patch));
    return (await nodeAt(await currentTree(sql), id))?.payload;
  });
}

const guarded = [
  'NodeId',
  'Children',
  'Parent',
  'PayloadType',
  'nodeId',
  'CHILDREN',
  'parent',
  'payloadtype',
  'Parent.id',
];

test.each(guarded)('T460 Guard internal properties on self-payload nodes: %s cannot be set', async (name) => {
  const database = await plantedDatabase();
  for (const id of ['archive', 'library']) {
    await expect(set(database, id, { [name]: 'x' }, true)).rejects.toMatchObject({ type: 'invalid_argument' });
    await expect(set(database, id, { name: 'New', [name]: 'x' })).rejects.toThrow('belongs to the node itself');
  }
  expect(await set(database, 'archive', { status: 'dropped' })).toEqual({ name: 'Archive', status: 'dropped' });
});

test.each(guarded)('T460 a folder cannot be added with %s', async (name) => {
  const database = await plantedDatabase();
  const add = database.write(async (sql) => {
    const change = changeOn(sql);
    const parent = await storedNode(change, 'archive');
    return addNode(change, { parent, edge: 'last' }, 'folder', { name: 'x', [name]: 'y' });
  });
  await expect(add).rejects.toMatchObject({ type: 'invalid_argument' });
});

test.each(guarded)('T461 a document may have a property called %s', async (name) => {
  const database = await plantedDatabase();
  const top = name.split('.')[0] as string;
  expect(await set(database, 'style', { [name]: 'x' })).toHaveProperty(top);
});

const touching = ['secret', 'secret.key', 'secret.key.deep'];

test.each(touching)(
  'T462 Property update guards: only an owner sets %s where secret.key is protected',
  async (path) => {
    const database = await plantedDatabase();
    const before = await database.read(currentRevision);
    await expect(set(database, 'style', { [path]: {} })).rejects.toMatchObject({ type: 'forbidden' });
    await expect(set(database, 'style', { name: 'New', [path]: {} })).rejects.toThrow(
      "'secret.key' of a 'note' is protected",
    );
    expect(await database.read(currentRevision)).toBe(before);
    expect(await set(database, 'style', { [path]: {} }, true)).toHaveProperty('secret');
  },
);

test.each(['secrets', 'secret.other', 'key', 'name'])('T463 %s is beside the protected secret.key', async (path) => {
  const database = await plantedDatabase();
  expect(await set(database, 'style', { [path]: 'x' })).toHaveProperty(path, 'x');
});

test('T463 a dot inside a key, and a place in a list, are protected as they are written', async () => {
  const database = await plantedDatabase();
  const protectedPaths = ['a\\.b', 'list.0'];
  await database.write((sql) => saveType(sql, { name: 'note', schema: null, protectedPaths, allowedParents: null }));
  await set(database, 'style', { list: ['x', 'y'], 'a.b': {} }, true);
  const refused = { type: 'forbidden' };
  for (const path of ['a\\.b', 'a\\.b.c', 'list', 'list.0']) {
    await expect(set(database, 'style', { [path]: 1 })).rejects.toMatchObject(refused);
  }
  expect(await set(database, 'style', { 'a.b': 2, 'list.1': 'z' })).toMatchObject({ a: { b: 2 }, list: ['x', 'z'] });
});
