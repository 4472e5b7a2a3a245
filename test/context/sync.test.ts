/** The sync of one collection, over real folders and real databases. */
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { readState } from '../../src/context/collection-store.js';
import { findDocument } from '../../src/context/document-store.js';
import type { OpenOptions, Source, SourceDocument, SourceListing } from '../../src/context/source.js';
import { noState } from '../../src/context/source.js';
import { syncCollection } from '../../src/context/sync.js';
import type { SyncOptions, SyncProgress } from '../../src/context/sync-run.js';
import { notFound } from '../../src/errors.js';
import type { Database } from '../../src/storage/sql.js';
import { scratchDatabase } from '../support/library-port.js';
import { scratchFolder } from '../support/scratch.js';
import { folderSource } from './folder-source.mjs';
import { contentOf, expectWhole } from './indexed.js';

const id = 'file:1';
const spec = { type: 'file', path: '/docs', glob: '**/*' } as const;
/** Long after the files of a test were written, so that their stats are certain. */
const later = () => Date.now() + 60_000;

type Files = Record<string, string | Uint8Array>;

function write(folder: string, files: Files): void {
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    writeFileSync(path.join(folder, name), content);
  }
}

function folderOf(files: Files): string {
  const folder = scratchFolder();
  write(folder, files);
  return folder;
}

const sync = (database: Database, source: Source, more: Partial<SyncOptions> = {}) =>
  syncCollection({ database, id, spec, source, now: later, ...more });

/** The source with a note of every document that it reads. */
function watched(source: Source): { source: Source; reads: string[] } {
  const reads: string[] = [];
  const noting = (document: SourceDocument): SourceDocument => ({
    ...document,
    read: (signal) => {
      reads.push(document.path);
      return document.read(signal);
    },
  });
  const open = async (options: OpenOptions): Promise<SourceListing> => {
    const listing = await source.open(options);
    return listing.changed ? { ...listing, documents: listing.documents.map(noting) } : listing;
  };
  return { source: { open, close: () => source.close() }, reads };
}

type Remote = { content: string | Error; declaredHash?: string };

/** A source without stats, as over a network. It knows itself again by its etag. */
function remoteSource(
  documents: Record<string, Remote>,
  { etag = '1', name = 'Docs', version = '1.0.0' } = {},
): Source {
  const toDocument = ([name, { content, ...rest }]: [string, Remote]): SourceDocument => ({
    ...{ path: name, ...rest },
    read: async () => {
      if (content instanceof Error) throw content;
      return Buffer.from(content);
    },
  });
  return {
    open: async ({ previous, onStep }) => {
      onStep('Fetching manifest');
      const state = { ...noState, etag };
      if (previous?.etag === etag) return { changed: false, state };
      const listed = Object.entries(documents).map(toDocument);
      return { changed: true, state, name, version, documents: listed, warnings: [] };
    },
    close: async () => {},
  };
}

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
const recordOf = (database: Database) => database.read((sql) => readState(sql, id));
const textOf = async (database: Database, name: string) =>
  (await database.read((sql) => findDocument(sql, id, name)))?.content;

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
  expect((await contentOf(database, ['bee'])).hits).toEqual([['b.md:1']]);
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
      await sql.all('SELECT * FROM file_stats'),
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

test('C461 documents are read a few at a time, and their contents are not kept', async () => {
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
  const onProgress = ({ done }: SyncProgress) => void (done === 70 && controller.abort(new Error('cancelled')));
  await expect(sync(database, folderSource(folder), { signal: controller.signal, onProgress })).rejects.toThrow(
    'cancelled',
  );
  await expectWhole(database);
  const { documents } = await contentOf(database);
  expect(documents.length).toBeGreaterThanOrEqual(70);
  expect(documents.length).toBeLessThan(300);
  expect(await recordOf(database)).toMatchObject({ complete: false });
  expect(await sync(database, folderSource(folder), { waitMs: 0 })).toMatchObject({
    documents: 300,
    unchanged: documents.length,
  });
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
