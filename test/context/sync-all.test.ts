/** Several collections in one go. */
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { syncAll } from '../../src/context/sync-all.js';
import { notFound } from '../../src/errors.js';
import { scratchDatabase } from '../support/library-port.js';
import { scratchFolder } from '../support/scratch.js';
import { folderSource } from './folder-source.mjs';

function collection(root: string, alias: string) {
  const folder = path.join(root, alias);
  mkdirSync(folder);
  writeFileSync(path.join(folder, 'a.md'), alias);
  const spec = { type: 'file', path: folder, glob: '**/*.md' } as const;
  return { alias, id: `file:${alias}`, spec, openSource: () => folderSource(folder) };
}

test('C465 one collection that fails does not keep the others from being synced', async () => {
  const database = await scratchDatabase();
  const root = scratchFolder();
  const unknown = {
    ...collection(root, 'unknown'),
    openSource: () => {
      throw notFound`No such source.`;
    },
  };
  const gone = { ...collection(root, 'gone'), openSource: () => folderSource(path.join(root, 'nowhere')) };
  const collections = [collection(root, 'one'), unknown, gone, collection(root, 'two')];
  const told: string[] = [];
  const results = await syncAll({
    database,
    collections,
    onBegin: ({ alias }) => told.push(`begin ${alias}`),
    onProgress: ({ kind, path }, { alias }) => told.push(`${kind} ${path} of ${alias}`),
    onResult: ({ alias, status }) => told.push(`${status} ${alias}`),
  });
  expect(results.map(({ alias, status, documents }) => [alias, status, documents])).toEqual([
    ['one', 'synced', 1],
    ['unknown', 'failed', 0],
    ['gone', 'failed', 0],
    ['two', 'synced', 1],
  ]);
  expect(results[1]?.error).toMatchObject({ type: 'not_found' });
  expect(results[2]?.error).toMatchObject({ type: 'internal', message: expect.stringContaining('ENOENT') });
  expect(told).toEqual([
    ...['begin one', 'add a.md of one', 'synced one', 'begin unknown', 'failed unknown', 'begin gone', 'failed gone'],
    ...['begin two', 'add a.md of two', 'synced two'],
  ]);
});

test('C465 a signal ends the whole run', async () => {
  const database = await scratchDatabase();
  const root = scratchFolder();
  const controller = new AbortController();
  const collections = [collection(root, 'one'), collection(root, 'two')];
  const onResult = () => controller.abort(new Error('cancelled'));
  await expect(syncAll({ database, collections, signal: controller.signal, onResult })).rejects.toThrow('cancelled');
});
