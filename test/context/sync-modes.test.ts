/** Dry runs, forced and cancelled syncs, progress, and syncs at the same time. */
import { readFileSync, rmSync, utimesSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { Source, SourceListing } from '../../src/context/source.js';
import { defaultLimits, noState } from '../../src/context/source.js';
import { globSource } from '../../src/context/sources/glob.js';
import { httpManifestSource } from '../../src/context/sources/http-manifest.js';
import type { SyncProgress } from '../../src/context/sync-run.js';
import { httpClient } from '../support/http-client.js';
import { httpServer } from '../support/http-server.js';
import { manifestText } from '../support/http-source.js';
import { scratchDatabase } from '../support/library-port.js';
import { scratchFolder } from '../support/scratch.js';
import { folderSource } from './folder-source.mjs';
import { contentOf, expectWhole } from './indexed.js';
import { folderOf, recordOf, remoteSource, sync, textOf, watched, write } from './syncing.js';

test('C437 binary and over-large files are warnings; other encodings are read', async () => {
  const database = await scratchDatabase();
  const files = {
    'bin.md': 'a\0b',
    'large.md': 'x'.repeat(101),
    'latin.md': Buffer.from('caf\xe9', 'latin1'),
    'ok.md': 'ok',
  };
  const folder = folderOf(files);
  const result = await sync(database, folderSource(folder), { maxFileBytes: 100 });
  expect(result).toMatchObject({ added: ['latin.md', 'ok.md'], documents: 2 });
  expect(Object.fromEntries(result.warnings.map(({ path, message }) => [path, message]))).toEqual({
    'bin.md': 'the file is binary, not text',
    'large.md': 'the file has 101 bytes, more than the 100 allowed',
    'latin.md': 'the file is not valid UTF-8; it was read as windows-1252',
  });
  expect(await textOf(database, 'latin.md')).toBe('caf\u00e9');
  expect(await recordOf(database)).toMatchObject({ complete: true });
  write(folder, { 'ok.md': 'a\0b' });
  expect(await sync(database, folderSource(folder))).toMatchObject({ documents: 3, added: ['large.md'] });
  expect(await textOf(database, 'ok.md')).toBe('ok');
  expect(await recordOf(database)).toMatchObject({ complete: false });
});

test('C437 an over-large file of a folder or over HTTP is a warning too, and the sync is complete', async () => {
  const server = await httpServer({
    '/m.json': manifestText(['large.md', 'ok.md']),
    '/large.md': 'x'.repeat(500),
    '/ok.md': 'ok',
  });
  const limits = { ...defaultLimits, maxFileBytes: 100 };
  const folder = folderOf({ 'large.md': 'x'.repeat(500), 'ok.md': 'ok' });
  const sources = [
    globSource({ path: folder, glob: '**/*.md' }, limits),
    httpManifestSource(server.url('/m.json'), httpClient().http, limits),
  ];
  for (const source of sources) {
    const database = await scratchDatabase();
    const result = await sync(database, source);
    expect(result).toMatchObject({ added: ['ok.md'], warnings: [{ path: 'large.md' }] });
    expect(result.warnings[0]?.message).toContain('100');
    expect(await recordOf(database)).toMatchObject({ complete: true, lastError: null });
  }
});

test('C438 a dry run reports the plan and changes nothing at all', async () => {
  const location = path.join(scratchFolder(), 'data.db');
  const database = await scratchDatabase(location);
  const folder = folderOf({ 'a.md': 'a', 'b.md': 'b', 'c.md': 'c', 'touched.md': 't' });
  const fresh = { added: ['a.md', 'b.md', 'c.md', 'touched.md'], documents: 4 };
  expect(await sync(database, folderSource(folder), { dryRun: true })).toMatchObject({ status: 'synced', ...fresh });
  expect(await recordOf(database)).toBeUndefined();
  await sync(database, folderSource(folder));
  write(folder, { 'b.md': 'changed', 'd.md': 'new' });
  utimesSync(path.join(folder, 'touched.md'), 1000, 1000);
  rmSync(path.join(folder, 'c.md'));
  const everything = () =>
    database.read(async (sql) => [
      await contentOf(database),
      await sql.all('SELECT * FROM collections'),
      await sql.all('SELECT * FROM document_marks'),
    ]);
  const before = await everything();
  const planned = { added: ['d.md'], updated: ['b.md'], removed: ['c.md'], unchanged: 2, documents: 4 };
  expect(await sync(database, folderSource(folder), { dryRun: true })).toMatchObject({ status: 'synced', ...planned });
  expect(await sync(database, folderSource(folder), { dryRun: true, force: true })).toMatchObject({
    updated: ['a.md', 'b.md', 'touched.md'],
  });
  expect(await everything()).toEqual(before);
  expect(await sync(database, folderSource(folder))).toMatchObject({ status: 'synced', ...planned });
});

test('C439 force reads and indexes everything again', async () => {
  const database = await scratchDatabase();
  const folder = folderOf({ 'a.md': '# Apple\n', 'b.md': '# Bee\n' });
  await sync(database, folderSource(folder));
  const before = await contentOf(database, ['apple', 'bee']);
  await database.write((sql) => sql.run("UPDATE reference_documents SET title = 'spoiled', content = 'spoiled'"));
  const { source, reads } = watched(folderSource(folder));
  expect(await sync(database, source, { force: true })).toMatchObject({
    status: 'synced',
    updated: ['a.md', 'b.md'],
    unchanged: 0,
  });
  expect(reads.sort()).toEqual(['a.md', 'b.md']);
  expect(await contentOf(database, ['apple', 'bee'])).toEqual(before);
  const remote = { 'a.md': { content: 'a' } };
  await sync(database, remoteSource(remote));
  expect(await sync(database, remoteSource(remote), { force: true })).toMatchObject({ updated: ['a.md'] });
});

test('C460 progress counts every document to the total, and says what was done', async () => {
  const database = await scratchDatabase();
  const folder = folderOf({ 'a.md': 'a', 'b.md': 'b', 'c.md': 'c', 'same.md': 's' });
  await sync(database, folderSource(folder));
  write(folder, { 'a.md': 'changed', 'd.md': 'new' });
  utimesSync(path.join(folder, 'same.md'), 1000, 1000);
  rmSync(path.join(folder, 'c.md'));
  const seen: SyncProgress[] = [];
  await sync(database, folderSource(folder), { onProgress: (progress) => seen.push(progress) });
  expect(seen.map(({ done, total }) => `${done}/${total}`)).toEqual(['1/4', '2/4', '3/4', '4/4']);
  expect(seen.map(({ kind, path }) => `${kind} ${path}`).sort()).toEqual([
    'add d.md',
    'check same.md',
    'remove c.md',
    'update a.md',
  ]);
  expect(seen[0]).toEqual({ step: 'Removing', done: 1, total: 4, path: 'c.md', kind: 'remove' });
  const steps: string[] = [];
  await sync(database, remoteSource({}), { onProgress: ({ step, total }) => void (total === 0 && steps.push(step)) });
  expect(steps).toEqual(['Fetching manifest']);
});

test('C461 documents are read a few at a time', async () => {
  const database = await scratchDatabase();
  let reading = 0;
  let most = 0;
  const read = async () => {
    most = Math.max(most, ++reading);
    await new Promise(setImmediate);
    reading--;
    return Buffer.from('text');
  };
  const documents = Array.from({ length: 100 }, (_, number) => ({ path: `${number}.md`, read }));
  const listing: SourceListing = { changed: true, state: noState, documents, warnings: [] };
  const source = { open: async () => listing, close: async () => {} };
  expect(await sync(database, source, { concurrency: 3 })).toMatchObject({ documents: 100 });
  expect(most).toBe(3);
});

test('C462 a cancelled sync rejects with the reason, keeps whole documents, and the next one finishes', async () => {
  const database = await scratchDatabase();
  const files = Object.fromEntries(Array.from({ length: 300 }, (_, number) => [`${number}.md`, `# File ${number}\n`]));
  const folder = folderOf(files);
  const controller = new AbortController();
  const onProgress = ({ done }: SyncProgress) => void (done === 1 && controller.abort(new Error('cancelled')));
  await expect(sync(database, folderSource(folder), { signal: controller.signal, onProgress })).rejects.toThrow(
    'cancelled',
  );
  await expectWhole(database);
  const { documents } = await contentOf(database);
  expect(documents.length).toBeGreaterThanOrEqual(1);
  expect(documents.length).toBeLessThan(300);
  expect(await recordOf(database)).toMatchObject({ complete: false });
  expect(await sync(database, folderSource(folder), { waitMs: 0 })).toMatchObject({
    documents: 300,
    unchanged: documents.length,
  });
});

test('C462 a source that went back to what it was before a cancelled sync is not taken for unchanged', async () => {
  const database = await scratchDatabase();
  const numbered = (content: string) =>
    Object.fromEntries(Array.from({ length: 300 }, (_, number) => [`${number}.md`, { content }]));
  await sync(database, remoteSource(numbered('one')));
  const controller = new AbortController();
  const onProgress = ({ done }: SyncProgress) => void (done === 1 && controller.abort(new Error('cancelled')));
  const second = remoteSource(numbered('two'), { etag: '2' });
  await expect(sync(database, second, { signal: controller.signal, onProgress })).rejects.toThrow('cancelled');
  const before = (await contentOf(database)).documents as { content: string }[];
  expect(new Set(before.map(({ content }) => content))).toEqual(new Set(['one', 'two']));
  await sync(database, remoteSource(numbered('one')));
  const after = (await contentOf(database)).documents as { content: string }[];
  expect(new Set(after.map(({ content }) => content))).toEqual(new Set(['one']));
});

test('C463 two syncs of one collection at once do the work once', async () => {
  const location = path.join(scratchFolder(), 'data.db');
  const [one, other] = [await scratchDatabase(location), await scratchDatabase(location)];
  const files = Object.fromEntries(Array.from({ length: 100 }, (_, number) => [`${number}.md`, `# File ${number}\n`]));
  const folder = folderOf(files);
  const [first, second] = [watched(folderSource(folder)), watched(folderSource(folder))];
  const results = await Promise.all([sync(one, first.source), sync(other, second.source)]);
  expect(results.map(({ status }) => status).sort()).toEqual(['synced', 'unchanged']);
  expect([first.reads.length, second.reads.length].sort()).toEqual([0, 100]);
});

test('C463 a sync that may not wait says who holds the collection', async () => {
  const database = await scratchDatabase();
  const folder = folderOf({ 'a.md': 'a' });
  const inner: Promise<unknown>[] = [];
  const source = folderSource(folder);
  const nested: Source = {
    open: async (options) => {
      inner.push(sync(database, folderSource(folder), { waitMs: 0 }));
      await Promise.all(inner);
      return source.open(options);
    },
    close: async () => {},
  };
  expect(await sync(database, nested)).toMatchObject({ status: 'synced' });
  expect(await inner[0]).toMatchObject({
    status: 'failed',
    error: { type: 'conflict', message: expect.stringContaining(`process ${process.pid}`) },
  });
});

test('C464 a file of the disk with the very content of another collection is stored for both', async () => {
  const database = await scratchDatabase();
  const folder = folderOf({ 'a.md': readFileSync(import.meta.filename) });
  await sync(database, folderSource(folder));
  await sync(database, folderSource(folder), { id: 'file:2' });
  const { chunks } = await contentOf(database);
  const hashes = (collection: string) =>
    (chunks as { collection: string; text_hash: string }[])
      .filter((chunk) => chunk.collection === collection)
      .map(({ text_hash }) => text_hash);
  expect(hashes('file:1')).toEqual(hashes('file:2'));
  expect(hashes('file:1').length).toBeGreaterThan(5);
});
