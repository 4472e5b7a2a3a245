/** Collections and documents in the database. */
import { expect, test } from 'vitest';
import {
  dropCollection,
  ensureCollection,
  listCollections,
  readState,
  saveError,
  saveOutcome,
} from '../../src/context/collection-store.js';
import {
  countDocuments,
  findDocument,
  listDocuments,
  putDocument,
  removeDocument,
} from '../../src/context/document-store.js';
import { listStored } from '../../src/context/marks.js';
import { statText } from '../../src/context/plan.js';
import { noState } from '../../src/context/source.js';
import { chunkDocument } from '../../src/search/chunk.js';
import { search as searchIn } from '../../src/search/search.js';
import type { Database, Sql } from '../../src/storage/sql.js';
import { noVectors } from '../search/no-vectors.js';
import { scratchDatabase } from '../support/library-port.js';
import { contentOf, expectWhole } from './indexed.js';

const now = Date.UTC(2030, 0, 1);
const stat = { size: 3, mtimeMs: 1.5, ctimeMs: 2.25, inode: 2 ** 60 };

async function withCollections(...ids: string[]): Promise<Database> {
  const database = await scratchDatabase();
  await database.write(async (sql) => {
    for (const id of ids) await ensureCollection(sql, id, { type: 'pkg', url: `https://x.test/${id}` }, now);
  });
  return database;
}

async function put(sql: Sql, collection: string, path: string, content: string, more: { stat?: typeof stat } = {}) {
  const { title, chunks } = chunkDocument(path, content);
  await putDocument(
    sql,
    collection,
    { path, hash: `hash of ${content}`, title, content, bytes: content.length, ...more },
    chunks,
    now,
  );
}

const search = (database: Database, query: string) =>
  database.read((sql) => searchIn(sql, noVectors, { query, mode: 'keyword', limit: 10 }));

test('C400 a collection is made once, and keeps what its syncs left', async () => {
  const database = await scratchDatabase();
  const state = { manifestHash: 'm', bundleHash: 'b', etag: 'e', lastModified: 'l' };
  await database.write(async (sql) => {
    await ensureCollection(sql, 'file:1', { type: 'file', path: '/docs', glob: '**/*.md' }, now);
    await saveOutcome(sql, 'file:1', { state, name: 'Docs', version: '2', complete: true, error: null }, now + 1000);
    await ensureCollection(sql, 'file:1', { type: 'file', path: '/docs', glob: '**/*.md' }, now + 2000);
  });
  const record = {
    ...{ id: 'file:1', type: 'file', path: '/docs', glob: '**/*.md', url: null, name: 'Docs', version: '2' },
    ...{ complete: true, lastError: null, state },
    ...{
      createdAt: '2030-01-01T00:00:00.000Z',
      updatedAt: '2030-01-01T00:00:01.000Z',
      lastSyncAt: '2030-01-01T00:00:01.000Z',
    },
  };
  expect(await database.read((sql) => readState(sql, 'file:1'))).toEqual(record);
  expect(await database.read((sql) => readState(sql, 'file:2'))).toBeUndefined();
  expect(await database.read(listCollections)).toEqual([{ ...record, documents: 0 }]);
});

test('C400 an error of the source is kept beside the state of the last sync', async () => {
  const database = await withCollections('pkg:a');
  await database.write((sql) => saveOutcome(sql, 'pkg:a', { state: noState, complete: true, error: null }, now));
  await database.write((sql) => saveError(sql, 'pkg:a', 'gone', now));
  expect(await database.read((sql) => readState(sql, 'pkg:a'))).toMatchObject({ complete: true, lastError: 'gone' });
});

test('C401 a document is stored with its chunks and words, and replaced with them', async () => {
  const database = await withCollections('pkg:a');
  await database.write((sql) => put(sql, 'pkg:a', 'a.md', '# Apples\n\nred\n\n# Pears\n\ngreen\n'));
  expect((await search(database, 'pears')).map(({ snippet }) => snippet)).toEqual([
    '# Apples\n\nred\n\n# <mark>Pears</mark>\n\ngreen',
  ]);
  await database.write((sql) => put(sql, 'pkg:a', 'a.md', '# Plums\n\nblue\n'));
  expect(await search(database, 'pears')).toEqual([]);
  expect(await search(database, 'plums')).toHaveLength(1);
  expect(await database.read((sql) => countDocuments(sql, 'pkg:a'))).toBe(1);
  await expectWhole(database);
});

test('C401 a document that cannot be stored whole leaves nothing', async () => {
  const database = await withCollections('pkg:a');
  await database.write((sql) => put(sql, 'pkg:a', 'a.md', '# Apples\n'));
  const before = await contentOf(database, ['apples', 'pears']);
  const failing = database.write(async (sql) => {
    await put(sql, 'pkg:a', 'a.md', '# Pears\n');
    throw new Error('stop');
  });
  await expect(failing).rejects.toThrow('stop');
  expect(await contentOf(database, ['apples', 'pears'])).toEqual(before);
  await expectWhole(database);
});

test('C402 a removed document leaves no chunk, no word and no stat', async () => {
  const database = await withCollections('pkg:a');
  await database.write((sql) => put(sql, 'pkg:a', 'a.md', '# Apples\n', { stat }));
  expect(await database.write((sql) => removeDocument(sql, 'pkg:a', 'a.md'))).toBe(true);
  expect(await database.write((sql) => removeDocument(sql, 'pkg:a', 'a.md'))).toBe(false);
  expect(await search(database, 'apples')).toEqual([]);
  expect(await database.read((sql) => sql.all('SELECT * FROM document_marks'))).toEqual([]);
  await expectWhole(database);
});

test('C403 dropping a collection removes all it holds and nothing of another', async () => {
  const database = await withCollections('pkg:a', 'pkg:b');
  await database.write(async (sql) => {
    await put(sql, 'pkg:a', 'a.md', '# Apples\n', { stat });
    await put(sql, 'pkg:b', 'a.md', '# Apples\n', { stat });
    expect(await dropCollection(sql, 'pkg:a')).toBe(true);
    expect(await dropCollection(sql, 'pkg:a')).toBe(false);
  });
  expect((await search(database, 'apples')).map(({ collection }) => collection)).toEqual(['pkg:b']);
  expect(await database.read((sql) => sql.all('SELECT collection FROM document_marks'))).toEqual([
    { collection: 'pkg:b' },
  ]);
  expect((await database.read(listCollections)).map(({ id, documents }) => [id, documents])).toEqual([['pkg:b', 1]]);
  await expectWhole(database);
});

test('C404 what is stored is listed with hashes and stats, however much it is', async () => {
  const database = await withCollections('pkg:a', 'pkg:b');
  await database.write(async (sql) => {
    await put(sql, 'pkg:a', 'a.md', 'x', { stat });
    await put(sql, 'pkg:a', 'b.md', 'y');
    await put(sql, 'pkg:b', 'c.md', 'z');
    await sql.run(
      `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 12000)
       INSERT INTO document_marks (collection, path, hash) SELECT 'pkg:b', 'many/' || i, 'h' FROM n`,
    );
  });
  const [a, b] = await database.read(async (sql) => [await listStored(sql, 'pkg:a'), await listStored(sql, 'pkg:b')]);
  expect(a).toEqual(
    new Map([
      ['a.md', { path: 'a.md', hash: 'hash of x', stat: statText(stat) }],
      ['b.md', { path: 'b.md', hash: 'hash of y', stat: null }],
    ]),
  );
  expect(b?.size).toBe(12_001);
});

test('C405 documents are listed in pages by path, and one is found with its content', async () => {
  const database = await withCollections('pkg:a');
  await database.write(async (sql) => {
    for (const path of ['c.md', 'a.md', 'b.md']) await put(sql, 'pkg:a', path, `# ${path}\n`);
  });
  const page = (after?: string) => database.read((sql) => listDocuments(sql, 'pkg:a', { after, limit: 2 }));
  expect((await page()).map(({ path }) => path)).toEqual(['a.md', 'b.md']);
  expect((await page('b.md')).map(({ path, title }) => [path, title])).toEqual([['c.md', 'c.md']]);
  expect(await database.read((sql) => findDocument(sql, 'pkg:a', 'b.md'))).toMatchObject({
    content: '# b.md\n',
    bytes: 7,
  });
  expect(await database.read((sql) => findDocument(sql, 'pkg:a', 'd.md'))).toBeUndefined();
});

test('C406 the same text has the same hash in every collection', async () => {
  const database = await withCollections('pkg:a', 'pkg:b');
  await database.write(async (sql) => {
    const same = `# One\n\n${'same '.repeat(100)}\n\n`;
    await put(sql, 'pkg:a', 'a.md', `${same}# Two\n\n${'two '.repeat(100)}`);
    await put(sql, 'pkg:b', 'other.md', `${same}# Three\n\n${'three '.repeat(100)}`);
  });
  const rows = await database.read((sql) =>
    sql.all<{ hash: string; count: number }>(
      'SELECT text_hash AS hash, count(*) AS count FROM reference_document_chunks GROUP BY 1 ORDER BY 2',
    ),
  );
  expect(rows.map(({ count }) => count)).toEqual([1, 1, 2]);
});
