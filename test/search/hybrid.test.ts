/** Search by words and by meaning together, over made-up vectors. */
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { ensureCollection } from '../../src/context/collection-store.js';
import { putDocument } from '../../src/context/document-store.js';
import { chunkDocument } from '../../src/search/chunk.js';
import { fuse } from '../../src/search/fusion.js';
import { matcherFor } from '../../src/search/marks.js';
import { relatedTo } from '../../src/search/related.js';
import { documentsIn } from '../../src/search/scope.js';
import { search } from '../../src/search/search.js';
import { searchSeveral } from '../../src/search/several.js';
import { snippetOf } from '../../src/search/snippet.js';
import type { VectorPort } from '../../src/search/vectors/port.js';
import { openDatabase } from '../../src/storage/open.js';
import type { Database, Sql } from '../../src/storage/sql.js';
import { scratchDatabase } from '../support/library-port.js';
import { scratchFolder } from '../support/scratch.js';
import { noVectors } from './no-vectors.js';

async function searchable(documents: Record<string, string>): Promise<Database> {
  const database = await scratchDatabase();
  await database.write(async (sql) => {
    for (const [name, content] of Object.entries(documents)) {
      const [collection = '', path = ''] = name.includes(':') ? name.split(':') : ['a', name];
      await ensureCollection(sql, collection, { type: 'pkg', url: `https://x.test/${collection}` }, 0);
      const { chunks, ...about } = chunkDocument(path, content);
      await putDocument(sql, collection, { path, hash: path, content, bytes: content.length, ...about }, chunks, 0);
    }
  });
  return database;
}

/** Vectors that are made up: the paths given are near in this order, and only they and `embedded` have vectors. */
function fakeVectors(near: string[], embedded: string[] = near): VectorPort {
  const chunksOf = async (sql: Sql, paths: string[], documents?: ReadonlySet<number>) => {
    const rows = await sql.all<{ id: number; path: string; document: number }>(
      `SELECT c.id, d.path, d.id AS document FROM reference_document_chunks c
       JOIN reference_documents d ON d.id = c.document_id ORDER BY c.id`,
    );
    return paths.flatMap((path) => rows.filter((row) => row.path === path && (documents?.has(row.document) ?? true)));
  };
  const nearest: VectorPort['nearest'] = async (sql, _text, { documents, limit }) =>
    (await chunksOf(sql, near, documents)).slice(0, limit).map(({ id }, at) => ({ chunk: id, score: 1 - at / 100 }));
  return {
    nearest,
    nearestTo: async (sql, own, want) => (await nearest(sql, '', want)).filter(({ chunk }) => !own.includes(chunk)),
    coverage: async (sql, documents) => {
      const [{ chunks = 0 } = {}] = await sql.all<{ chunks: number }>(
        `SELECT count(*) AS chunks FROM reference_document_chunks
         WHERE ? IS NULL OR document_id IN (SELECT value FROM json_each(?))`,
        [documents ? 1 : null, JSON.stringify([...(documents ?? [])])],
      );
      return { chunks, embedded: (await chunksOf(sql, [...new Set([...near, ...embedded])], documents)).length };
    },
  };
}

type Ask = { mode?: 'hybrid' | 'keyword' | 'vector'; limit?: number; collections?: string[] };

const ask = (
  database: Database,
  vectors: VectorPort,
  query: string,
  { mode = 'hybrid', limit = 10, collections }: Ask = {},
) =>
  database.read(async (sql) => {
    const documents =
      collections &&
      (await documentsIn(
        sql,
        collections.map((collection) => ({ collection })),
      ));
    return search(sql, vectors, { query, mode, limit, documents });
  });

const paths = (results: readonly { document: string }[]) => results.map(({ document }) => document);

test('R30 a document that is first by words and by meaning has the score 1, and both lists count', () => {
  const fused = fuse([1, 2, 3], [1, 4, 3]);
  expect(fused[0]).toEqual({ document: 1, score: 1, keywordRank: 1, vectorRank: 1 });
  expect(fused.map(({ document }) => document)).toEqual([1, 3, 4, 2]);
  expect(fuse([], [])).toEqual([]);
});

test('R31 a document without vectors stands neither below nor above all that have them', () => {
  const words = Array.from({ length: 20 }, (_, at) => at + 1);
  const meaning = [...words].reverse().filter((document) => document !== 3);
  const place = (unembedded: Map<number, number>) =>
    fuse(words, meaning, unembedded).findIndex(({ document }) => document === 3);
  const [unfair, fair] = [place(new Map()), place(new Map([[3, 1]]))];
  expect(fair).toBeLessThan(unfair);
  expect(fair).toBeGreaterThan(0);
  const alike = fuse(
    words,
    words.filter((document) => document !== 3),
    new Map([[3, 1]]),
  );
  const at = alike.findIndex(({ document }) => document === 3);
  expect(at).toBeGreaterThan(0);
  expect(at).toBeLessThan(6);
  expect(alike[at]?.estimated).toBe(true);
});

test('R31 a collection without vectors keeps its order by words, and one with all of them is not estimated', () => {
  const all = new Map([1, 2, 3].map((document) => [document, 1]));
  expect(fuse([1, 2, 3], [], all).map(({ document }) => document)).toEqual([1, 2, 3]);
  expect(fuse([1, 2, 3], [3, 2, 1]).some(({ estimated }) => estimated)).toBe(false);
});

test('R31 a half-embedded collection is found beside a whole one', async () => {
  const filler = (word: string) => `${word} ${'plain words of a text '.repeat(12)}`;
  const database = await searchable({
    'new:best.md': `# Zebra\n\n${filler('zebra zebra zebra')}`,
    ...Object.fromEntries(Array.from({ length: 8 }, (_, at) => [`old:${at}.md`, filler(`zebra ${at} lion${at}`)])),
  });
  const old = Array.from({ length: 8 }, (_, at) => `${at}.md`);
  const half = await ask(database, fakeVectors(old), 'zebra');
  const place = half.findIndex(({ document }) => document === 'best.md');
  expect(place).toBeLessThan(4);
  expect(half[place]?.reasons).toMatchObject({ estimated: true, keyword: { rank: 1 } });
  const whole = await ask(database, fakeVectors(old, ['best.md']), 'zebra');
  expect(whole.some(({ reasons }) => reasons.estimated)).toBe(false);
});

test('R32 each mode uses what it says, and without an embedder hybrid is keyword', async () => {
  const database = await searchable({ 'word.md': 'zebra crossing', 'meaning.md': 'striped animal' });
  const vectors = fakeVectors(['meaning.md'], ['word.md']);
  expect(paths(await ask(database, vectors, 'zebra', { mode: 'keyword' }))).toEqual(['word.md']);
  expect(paths(await ask(database, vectors, 'zebra', { mode: 'vector' }))).toEqual(['meaning.md']);
  expect(paths(await ask(database, vectors, 'zebra')).sort()).toEqual(['meaning.md', 'word.md']);
  expect(await ask(database, noVectors, 'zebra')).toEqual(await ask(database, noVectors, 'zebra', { mode: 'keyword' }));
});

test('R32 what a minus excludes is not found by its meaning either, and is no part of the meaning', async () => {
  const database = await searchable({
    'word.md': 'zebra crossing',
    'meaning.md': 'striped animal',
    'other.md': 'donkey',
  });
  const asked: string[] = [];
  const near = fakeVectors(['meaning.md', 'other.md'], ['word.md']);
  const vectors: VectorPort = {
    ...near,
    nearest: (sql, text, want) => {
      asked.push(text);
      return near.nearest(sql, text, want);
    },
  };
  expect(paths(await ask(database, vectors, 'zebra -striped -"no such"', { mode: 'vector' }))).toEqual(['other.md']);
  expect(paths(await ask(database, vectors, 'zebra -striped')).sort()).toEqual(['other.md', 'word.md']);
  expect(asked).toEqual(['zebra', 'zebra']);
});

test('R33 a document with very many chunks does not keep others out', async () => {
  const chapter = (number: number) => `## Zebra ${number}\n\nzebra ${`words of chapter ${number} `.repeat(40)}\n\n`;
  const database = await searchable({
    'book.md': `# Zebra\n\n${Array.from({ length: 300 }, (_, at) => chapter(at)).join('')}`,
    ...Object.fromEntries(
      Array.from({ length: 5 }, (_, at) => [`${at}.md`, `A note ${at} with a zebra ${'and more '.repeat(60)}`]),
    ),
  });
  const results = await ask(database, noVectors, 'zebra', { mode: 'keyword', limit: 6 });
  expect(results).toHaveLength(6);
  expect(results.find(({ document }) => document === 'book.md')?.more).toHaveLength(3);
});

test('R34 scope filters apply before ranking', async () => {
  const strong = Object.fromEntries(Array.from({ length: 250 }, (_, at) => [`a:${at}.md`, `# Zebra\n\nzebra ${at}`]));
  const database = await searchable({ ...strong, 'b:weak.md': `${'other words '.repeat(50)} zebra` });
  const vectors = fakeVectors(Object.keys(strong).map((name) => name.slice(2)));
  for (const mode of ['hybrid', 'keyword'] as const) {
    expect(paths(await ask(database, vectors, 'zebra', { mode, collections: ['b'] }))).toEqual(['weak.md']);
    expect(await ask(database, vectors, 'zebra', { mode, collections: [] })).toEqual([]);
  }
});

test('R35 nearly the same text is one result that names the others, unless it differs in what was asked for', async () => {
  const text = (version: string) =>
    `# Install\n\nRun the installer of version ${version} and wait. ${Array.from({ length: 70 }, (_, at) => `step${at}`).join(' ')}`;
  const database = await searchable({
    'v1:install.md': text('one'),
    'v2:install.md': text('two'),
    'c:other.md': 'installer',
  });
  const [first, ...rest] = await ask(database, noVectors, 'installer wait');
  expect(first).toMatchObject({ document: 'install.md', duplicates: [{ document: 'install.md' }] });
  expect(paths(rest)).toEqual(['other.md']);
  const apart = await ask(database, noVectors, 'installer version two');
  expect(apart.filter(({ document }) => document === 'install.md')).toHaveLength(2);
});

test('R20 text without spaces is found by two or three characters in a row, and marked', async () => {
  const database = await searchable({
    'zh.md': '安装指南：如何在服务器上部署软件包。',
    'part.md': '软件的其他说明。',
    'ja.md': 'データベースを設定する方法。',
    'ko.md': '서버를 설정합니다.',
    'th.md': 'การติดตั้งซอฟต์แวร์',
  });
  expect(paths(await ask(database, noVectors, '部署软件包'))[0]).toBe('zh.md');
  expect(paths(await ask(database, noVectors, '如何安装软件')).sort()).toEqual(['part.md', 'zh.md']);
  expect(paths(await ask(database, noVectors, '設定'))).toEqual(['ja.md']);
  expect(paths(await ask(database, noVectors, '서버'))).toEqual(['ko.md']);
  expect(paths(await ask(database, noVectors, 'ติดตั้ง'))).toEqual(['th.md']);
  expect((await ask(database, noVectors, '設定'))[0]?.snippet).toContain('<mark>設定</mark>');
});

test('R21 words of compounds count on their own, and a name of code as a whole besides', async () => {
  const database = await searchable({
    'layer.md': 'the layer near a boundary of the flow',
    'name.md': 'call max_open_files first',
    'other.md': 'open many files, files and files, with a max of files',
  });
  expect(paths(await ask(database, noVectors, 'boundary-layer theory'))).toEqual(['layer.md']);
  expect(paths(await ask(database, noVectors, 'call max_open_files'))[0]).toBe('name.md');
  expect(paths(await ask(database, noVectors, 'max_open_files'))).toEqual(['name.md']);
});

test('R22 where there are few texts, more of the words rank higher', async () => {
  const database = await searchable({
    'one.md': 'retry retry',
    'both.md': 'retry with backoff',
    'too.md': 'retry it',
    'off.md': 'backoff',
  });
  expect(paths(await ask(database, noVectors, 'retry backoff'))[0]).toBe('both.md');
});

test.each([
  ['running', 'He runs and ran; Run!', 'He <mark>runs</mark> and ran; <mark>Run</mark>!'],
  ['state', 'useState and restate', '<mark>useState</mark> and restate'],
  ['C++', 'C and C++ code', 'C and <mark>C++</mark> code'],
  ['--dry-run', 'use --dry-run, or dry', 'use <mark>--dry-run</mark>, or <mark>dry</mark>'],
  ['cafe', 'the Café', 'the <mark>Café</mark>'],
])('R23 %s is marked in %j', (query, text, expected) => {
  const parsed = query === '--dry-run' ? ['dry', 'run'] : [query];
  const find = matcherFor([query], query === 'C++' ? ['Cplusplus'] : parsed);
  expect(snippetOf(text, find(text))).toBe(expected);
});

test('R45 several queries give one answer without repeats, and what more of them find comes first', async () => {
  const database = await searchable({
    'both.md': 'zebra and lion',
    'one.md': 'zebra zebra',
    'two.md': 'lion lion',
    'none.md': 'bear',
  });
  const { results, found } = await database.read((sql) =>
    searchSeveral(sql, noVectors, { queries: ['zebra', 'lion', 'tiger'], mode: 'hybrid', limit: 10 }),
  );
  expect(paths(results)[0]).toBe('both.md');
  expect(paths(results).sort()).toEqual(['both.md', 'one.md', 'two.md']);
  expect(results[0]?.queries).toEqual([0, 1]);
  expect(found).toEqual([2, 2, 0]);
});

test('R46 related documents are like the document, by words and by meaning, and never itself', async () => {
  const database = await searchable({
    'retry.md': '# Retry\n\nRetry with backoff after a timeout.',
    'backoff.md': '# Backoff\n\nBackoff grows after each timeout.',
    'far.md': '# Gardens\n\nFlowers in spring.',
    'near.md': '# Striped\n\nSomething in other words.',
  });
  const related = (vectors: VectorPort) =>
    database.read((sql) => relatedTo(sql, vectors, { document: 1, mode: 'hybrid', limit: 10 }));
  expect(paths(await related(noVectors))).toEqual(['backoff.md']);
  expect(paths(await related(fakeVectors(['retry.md', 'near.md'], ['backoff.md', 'far.md']))).sort()).toEqual([
    'backoff.md',
    'near.md',
  ]);
});

test('R36 a search answers from one state while another process writes', async () => {
  const location = path.join(scratchFolder(), 'library.db');
  const [reader, writer] = [await opened(location), await opened(location)];
  const put = (name: string, content: string) =>
    writer.write(async (sql) => {
      await ensureCollection(sql, 'a', { type: 'pkg', url: 'https://x.test/a' }, 0);
      const { chunks, ...about } = chunkDocument(name, content);
      await putDocument(sql, 'a', { path: name, hash: name, content, bytes: content.length, ...about }, chunks, 0);
    });
  await put('x.md', 'zebra one');
  const zebras = (sql: Sql) => search(sql, noVectors, { query: 'zebra', mode: 'keyword', limit: 10 });
  await reader.read(async (sql) => {
    const before = await zebras(sql);
    await put('y.md', 'zebra two');
    expect(await zebras(sql)).toEqual(before);
  });
  expect(await reader.read(zebras)).toHaveLength(2);
});

async function opened(location: string): Promise<Database> {
  const driver = (process.env.AI_ASSIST_SQLITE_DRIVER || 'auto') as 'auto' | 'node' | 'libsql';
  const database = await openDatabase({ location, driver });
  onTestFinished(() => database.close());
  return database;
}
