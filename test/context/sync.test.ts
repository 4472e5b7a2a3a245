/** What a sync of one collection does, over real folders and real databases. */
import { rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { Source } from '../../src/context/source.js';
import { notFound } from '../../src/errors.js';
import { scratchDatabase } from '../support/library-port.js';
import { folderSource } from './folder-source.mjs';
import { contentOf, expectWhole } from './indexed.js';
import { folderOf, recordOf, remoteSource, sha256, sync, textOf, watched, write } from './syncing.js';

test('C430 a first sync adds every document', async () => {
  const database = await scratchDatabase();
  const folder = folderOf({ 'b.md': '# Bee\n', 'sub/a.md': '# Ant\n' });
  expect(await sync(database, folderSource(folder))).toEqual({
    ...{
      status: 'synced',
      documents: 2,
      added: ['b.md', 'sub/a.md'],
      updated: [],
      removed: [],
      unchanged: 0,
      warnings: [],
    },
  });
  expect((await contentOf(database, ['bee'])).hits).toEqual([['b.md']]);
  expect(await recordOf(database)).toMatchObject({
    complete: true,
    lastError: null,
    lastSyncAt: expect.stringMatching(/^\d{4}-/),
  });
  await expectWhole(database);
});

test('C430 a later sync does what changed, and nothing else', async () => {
  const database = await scratchDatabase();
  const folder = folderOf({ 'a.md': 'a', 'b.md': 'b', 'c.md': 'c' });
  await sync(database, folderSource(folder));
  write(folder, { 'b.md': 'changed', 'd.md': 'new' });
  rmSync(path.join(folder, 'c.md'));
  const { source, reads } = watched(folderSource(folder));
  expect(await sync(database, source)).toMatchObject({
    ...{ status: 'synced', documents: 3, added: ['d.md'], updated: ['b.md'], removed: ['c.md'], unchanged: 1 },
  });
  expect(reads.sort()).toEqual(['b.md', 'd.md']);
  expect(await textOf(database, 'b.md')).toBe('changed');
  await expectWhole(database);
});

test('C431 a file whose stat is what it was is not read', async () => {
  const database = await scratchDatabase();
  const folder = folderOf({ 'a.md': 'a', 'b.md': 'b' });
  await sync(database, folderSource(folder));
  const { source, reads } = watched(folderSource(folder));
  expect(await sync(database, source)).toMatchObject({ status: 'unchanged', documents: 2, unchanged: 2 });
  expect(reads).toEqual([]);
});

test('C431 a file that was touched is read once, and found unchanged', async () => {
  const database = await scratchDatabase();
  const folder = folderOf({ 'a.md': 'a', 'b.md': 'b' });
  await sync(database, folderSource(folder));
  utimesSync(path.join(folder, 'a.md'), 1000, 1000);
  const first = watched(folderSource(folder));
  expect(await sync(database, first.source)).toMatchObject({ status: 'unchanged', unchanged: 2 });
  const second = watched(folderSource(folder));
  await sync(database, second.source);
  expect([first.reads, second.reads]).toEqual([['a.md'], []]);
});

test('C432 a file written within two seconds before it was read is read again the next time', async () => {
  const database = await scratchDatabase();
  const folder = folderOf({ 'a.md': 'one' });
  const file = path.join(folder, 'a.md');
  const written = statSync(file).ctimeMs;
  await sync(database, folderSource(folder), { now: () => written + 1999 });
  // The same size and, as far as a coarse clock can tell, the same time.
  const sameStat = folderSource(folder);
  writeFileSync(file, 'two');
  const listing = await sameStat.open({ previous: undefined, signal: new AbortController().signal, onStep: () => {} });
  const [document] = listing.changed ? listing.documents : [];
  Object.assign(document?.stat as object, { mtimeMs: written, ctimeMs: written });
  const source = { open: async () => listing, close: async () => {} };
  expect(await sync(database, source, { now: () => written + 2001 })).toMatchObject({ updated: ['a.md'] });
  expect(await textOf(database, 'a.md')).toBe('two');
  const again = watched(source);
  await sync(database, again.source);
  expect(again.reads).toEqual([]);
});

test('C433 a source that cannot be had keeps everything, and the failure is in the result and in the record', async () => {
  const database = await scratchDatabase();
  await sync(database, remoteSource({ 'a.md': { content: 'a' } }));
  const before = await contentOf(database);
  let closed = 0;
  const broken: Source = {
    open: async () => Promise.reject(notFound`The manifest 'x' is gone.`),
    close: async () => void closed++,
  };
  const result = await sync(database, broken);
  expect(result).toMatchObject({
    status: 'failed',
    documents: 1,
    unchanged: 1,
    error: { type: 'not_found', message: "The manifest 'x' is gone." },
  });
  expect(await contentOf(database)).toEqual(before);
  expect(await recordOf(database)).toMatchObject({
    complete: true,
    lastError: "The manifest 'x' is gone.",
    state: { etag: '1' },
  });
  expect(closed).toBe(1);
  expect(await sync(database, remoteSource({}, { etag: '1' }))).toMatchObject({ status: 'unchanged', documents: 1 });
  expect(await recordOf(database)).toMatchObject({ lastError: null });
});

test('C434 a source that says it is unchanged is believed after a complete sync only', async () => {
  const database = await scratchDatabase();
  const gone = notFound`'b.md' was not found`;
  const first = await sync(database, remoteSource({ 'a.md': { content: 'a' }, 'b.md': { content: gone } }));
  expect(first).toMatchObject({
    status: 'synced',
    added: ['a.md'],
    warnings: [{ path: 'b.md', message: "'b.md' was not found" }],
  });
  expect(await recordOf(database)).toMatchObject({
    complete: false,
    lastError: expect.stringContaining("'b.md' was not found"),
    name: 'Docs',
    version: '1.0.0',
  });
  const second = await sync(database, remoteSource({ 'a.md': { content: 'a' }, 'b.md': { content: 'b' } }));
  expect(second).toMatchObject({ added: ['b.md'], unchanged: 1, name: 'Docs', version: '1.0.0' });
  const third = watched(remoteSource({ 'a.md': { content: 'other' } }));
  expect(await sync(database, third.source)).toMatchObject({
    status: 'unchanged',
    documents: 2,
    name: 'Docs',
    version: '1.0.0',
  });
  expect(await recordOf(database)).toMatchObject({
    complete: true,
    lastError: null,
    name: 'Docs',
    version: '1.0.0',
    state: { etag: '1' },
  });
  expect(third.reads).toEqual([]);
});

test('C435 a document that cannot be had keeps its old text, and the rest is done', async () => {
  const database = await scratchDatabase();
  await sync(database, remoteSource({ 'a.md': { content: 'old a' }, 'b.md': { content: 'old b' } }));
  const failing = remoteSource(
    { 'a.md': { content: notFound`'a.md' was not found` }, 'b.md': { content: 'new b' } },
    { etag: '2' },
  );
  expect(await sync(database, failing)).toMatchObject({
    status: 'synced',
    updated: ['b.md'],
    removed: [],
    unchanged: 1,
    warnings: [{ path: 'a.md' }],
  });
  expect([await textOf(database, 'a.md'), await textOf(database, 'b.md')]).toEqual(['old a', 'new b']);
});

test('C436 content that breaks its declared hash is not indexed, and what was there stays', async () => {
  const database = await scratchDatabase();
  await sync(database, remoteSource({ 'a.md': { content: 'one', declaredHash: sha256('one') } }));
  const lying = {
    'a.md': { content: 'evil', declaredHash: sha256('two') },
    'b.md': { content: 'evil', declaredHash: sha256('b') },
  };
  const message = 'the content does not have the hash that the manifest declares';
  expect(await sync(database, remoteSource(lying, { etag: '2' }))).toMatchObject({
    ...{ status: 'unchanged', documents: 1, added: [], updated: [] },
    warnings: [
      { path: 'a.md', message },
      { path: 'b.md', message },
    ],
  });
  expect(await textOf(database, 'a.md')).toBe('one');
  expect(await recordOf(database)).toMatchObject({ complete: false });
  const honest = { 'a.md': { content: 'two', declaredHash: sha256('two') } };
  expect(await sync(database, remoteSource(honest, { etag: '2' }))).toMatchObject({ updated: ['a.md'], warnings: [] });
});

test('C436 a document whose declared hash is stored is not read', async () => {
  const database = await scratchDatabase();
  const documents = { 'a.md': { content: 'one', declaredHash: sha256('one') }, 'b.md': { content: 'two' } };
  await sync(database, remoteSource(documents));
  const { source, reads } = watched(remoteSource(documents, { etag: '2' }));
  expect(await sync(database, source)).toMatchObject({ status: 'unchanged', unchanged: 2 });
  expect(reads).toEqual(['b.md']);
});
