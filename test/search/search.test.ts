/** Keyword search over stored documents. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ensureCollection } from '../../src/context/collection-store.js';
import { putDocument } from '../../src/context/document-store.js';
import { chunkDocument } from '../../src/search/chunk.js';
import { documentsIn } from '../../src/search/scope.js';
import { search } from '../../src/search/search.js';
import type { Database } from '../../src/storage/sql.js';
import { factor } from '../support/effort.js';
import { scratchDatabase } from '../support/library-port.js';
import { noVectors } from './no-vectors.js';

type Documents = Record<string, string>;

/** A database with these documents. `b:x.md` is in the collection b, a plain path in a. */
async function searchable(documents: Documents): Promise<Database> {
  const database = await scratchDatabase();
  await database.write(async (sql) => {
    for (const id of ['a', 'b']) await ensureCollection(sql, id, { type: 'pkg', url: 'https://x.test/' }, 0);
    for (const [name, content] of Object.entries(documents)) {
      const path = name.replace(/^b:/, '');
      const { title, chunks } = chunkDocument(path, content);
      const document = { path, hash: `hash of ${path}`, title, content, bytes: Buffer.byteLength(content) };
      await putDocument(sql, name === path ? 'a' : 'b', document, chunks, 0);
    }
  });
  return database;
}

const find = (database: Database, query: string, collections?: string[]) =>
  database.read(async (sql) => {
    const scope = collections?.map((collection) => ({ collection }));
    const documents = scope && (await documentsIn(sql, scope));
    return search(sql, noVectors, { query, documents, mode: 'keyword', limit: 20 });
  });

const paths = async (database: Database, query: string) =>
  (await find(database, query)).map(({ document }) => document);

/** Text without any of the words that the tests search for. */
const filler = 'Nothing of interest stands here, only plain sentences about gardens and weather. ';
const around = (text: string) => `${filler}${text} ${filler}`;

test('C450 a hit says where it stands', async () => {
  const database = await searchable({
    'guide.md': '---\ntitle: The guide\n---\n# Start\n\n## Install\n\nRun the installer.\n',
  });
  expect(await find(database, 'installer')).toEqual([
    {
      ...{ collection: 'a', document: 'guide.md', title: 'The guide', headings: ['Start', 'Install'] },
      ...{ lines: { start: 1, end: 8 }, documentHash: 'hash of guide.md', score: expect.any(Number) },
      snippet: '---\ntitle: The guide\n---\n# Start\n\n## <mark>Install</mark>\n\nRun the <mark>installer</mark>.',
      ...{ more: [], duplicates: [], reasons: { keyword: { rank: 1, score: expect.any(Number) } } },
    },
  ]);
  expect((await find(database, 'installer'))[0]?.score).toBeGreaterThan(0);
});

test('C451 any word may match, and more words rank higher', async () => {
  const database = await searchable({
    'both.md': around('retry with backoff'),
    'one.md': around('retry, retry and retry'),
    'other.md': around('backoff'),
    'title.md': `# Retry\n\n${filler}`,
    'none.md': filler,
  });
  const found = await paths(database, 'retry backoff');
  expect(found[0]).toBe('both.md');
  expect([...found].sort()).toEqual(['both.md', 'one.md', 'other.md', 'title.md']);
});

test('C451 a word in the title counts more than in a heading, and there more than in the text', async () => {
  const database = await searchable({
    'text.md': `# Plain\n\n## Part\n\nzebra ${filler.repeat(10)}`,
    'heading.md': `# Plain\n\n${filler.repeat(10)}\n\n## Zebra\n\n${filler.repeat(10)}`,
    'title.md': `---\ntitle: Zebra\n---\n## Part\n\n${filler}`,
    ...Object.fromEntries(Array.from({ length: 20 }, (_, number) => [`${number}.md`, filler])),
  });
  const [first, ...rest] = await paths(database, 'zebra');
  expect(first).toBe('title.md');
  expect(rest.indexOf('heading.md')).toBeLessThan(rest.indexOf('text.md'));
});

test('C451 hits of the same score stand in the order of their paths', async () => {
  const database = await searchable({ 'c.md': 'zebra', 'a.md': 'zebra', 'b.md': 'zebra', 'd.md': 'lion' });
  expect(await paths(database, 'zebra')).toEqual(['a.md', 'b.md', 'c.md']);
});

const identifiers: Documents = {
  'camel.md': around('Call `useState(0)` in a component.'),
  'snake.md': around('The setting max_open_files is low.'),
  'adr8.md': around('See ADR-008 for the reasons.'),
  'adr9.md': `# ADR-009\n\n${around('Another one: ADR-009 and 007.')}`,
  'cpp.md': around('Written in C++ by hand.'),
  'csharp.md': around('Written in C# by hand.'),
  'c.md': around('Written in C by hand.'),
  'flag.md': around('Use --dry-run to see what would happen.'),
  'run.md': `# Run\n\n${around('Just run it, and run it again.')}`,
  'call.md': around('Then foo.bar() is called.'),
  'acronym.md': around('An XMLHttpRequest is sent.'),
  'net.md': around('Needs .NET 8.'),
  'sum.md': around('The SHA-256 of it, in UTF8.'),
};

test.each([
  ['useState', 'camel.md'],
  ['usestate', 'camel.md'],
  ['use_state', 'camel.md'],
  ['state', 'camel.md'],
  ['useState()', 'camel.md'],
  ['max_open_files', 'snake.md'],
  ['maxOpenFiles', 'snake.md'],
  ['open_files', 'snake.md'],
  ['ADR-008', 'adr8.md'],
  ['adr 008', 'adr8.md'],
  ['"ADR-008"', 'adr8.md'],
  ['C++', 'cpp.md'],
  ['c++', 'cpp.md'],
  ['C#', 'csharp.md'],
  ['C', 'c.md'],
  ['--dry-run', 'flag.md'],
  ['dry run', 'flag.md'],
  ['foo.bar()', 'call.md'],
  ['foo.bar', 'call.md'],
  ['bar', 'call.md'],
  ['XMLHttpRequest', 'acronym.md'],
  ['http request', 'acronym.md'],
  ['.NET', 'net.md'],
  ['sha256', 'sum.md'],
  ['utf-8', 'sum.md'],
])('C452 %s is found first in %s', async (query, path) => {
  expect((await paths(await searchable(identifiers), query))[0]).toBe(path);
});

test('C452 names of symbols are told apart', async () => {
  const database = await searchable(identifiers);
  expect(await paths(database, 'C++')).toEqual(['cpp.md']);
  expect(await paths(database, 'C#')).toEqual(['csharp.md']);
  expect(await paths(database, 'ADR-008')).toEqual(['adr8.md']);
});

test('C452 an identifier that stands nowhere is found by its parts', async () => {
  const database = await searchable(identifiers);
  expect(await paths(database, 'ADR-123')).toEqual(expect.arrayContaining(['adr8.md', 'adr9.md']));
});

test('C453 quotes give phrases, and a leading minus excludes words and phrases', async () => {
  const database = await searchable({ 'ab.md': 'alpha beta', 'ba.md': 'beta alpha', 'abc.md': 'alpha beta gamma' });
  expect((await paths(database, '"alpha beta"')).sort()).toEqual(['ab.md', 'abc.md']);
  expect((await paths(database, '“alpha beta”')).sort()).toEqual(['ab.md', 'abc.md']);
  expect((await paths(database, 'alpha -gamma')).sort()).toEqual(['ab.md', 'ba.md']);
  expect((await paths(database, 'gamma alpha -"beta alpha"')).sort()).toEqual(['ab.md', 'abc.md']);
  expect(await paths(database, '-gamma')).toEqual(['abc.md']);
  expect(await paths(database, '"alpha gamma"')).toEqual([]);
});

test('C454 words that are everywhere are dropped, unless they are all there is', async () => {
  const database = await searchable({ 'the.md': 'the who is it', 'cache.md': 'cache' });
  expect(await paths(database, 'what is the cache?')).toEqual(['cache.md']);
  expect(await paths(database, 'The Who')).toEqual(['the.md']);
  expect(await paths(database, '"the who" cache')).toContain('the.md');
});

test('C455 word forms, accents and scripts without spaces are found', async () => {
  const database = await searchable({
    'run.md': 'running configurations',
    'cafe.md': 'Caf\u00e9 M\u00fcnchen',
    'ja.md': '\u6771\u4eac\u90fd\u306e\u6587\u66f8',
  });
  expect(await paths(database, 'run configuration')).toEqual(['run.md']);
  expect(await paths(database, 'cafe')).toEqual(['cafe.md']);
  expect(await paths(database, 'Cafe\u0301')).toEqual(['cafe.md']);
  expect(await paths(database, '\u6587\u66f8')).toEqual(['ja.md']);
});

test('C456 a search can be limited to collections, and to a number of hits', async () => {
  const database = await searchable({ 'x.md': 'zebra', 'b:x.md': 'zebra', 'b:y.md': 'zebra' });
  expect((await find(database, 'zebra', ['b'])).map(({ collection, document }) => collection + document)).toEqual([
    'bx.md',
    'by.md',
  ]);
  expect(await find(database, 'zebra', [])).toEqual([]);
  expect(await find(database, 'zebra', ['none'])).toEqual([]);
  const one = { query: 'zebra', mode: 'keyword', limit: 1 } as const;
  expect(await database.read((sql) => search(sql, noVectors, one))).toHaveLength(1);
});

test('C456 a document is one hit, however often it matches', async () => {
  const database = await searchable({
    'x.md': `# Zebra\n\nzebra zebra zebras ${filler.repeat(7)}\n\n## Lions\n\nzebra ${filler.repeat(7)}\n`,
  });
  const hits = await find(database, 'zebra "zebra" zebras');
  expect(hits.map(({ lines, more }) => [lines.start, more.map((place) => place.lines.start)])).toEqual([[1, [5]]]);
});

test('C457 the snippet shows the first match, in at most 300 characters', async () => {
  const database = await searchable({
    'long.md': `${filler.repeat(8)}The zebra crossed. ${filler.repeat(8)}`,
    'short.md': ' zebras\n',
  });
  const [short, long] = (await find(database, 'zebra')).sort((one, other) => one.snippet.length - other.snippet.length);
  expect(short?.snippet).toBe('<mark>zebras</mark>');
  expect(long?.snippet).toContain('The <mark>zebra</mark> crossed.');
  expect(long?.snippet).toMatch(/^….*…$/);
  expect(unmarked(long?.snippet ?? '').length).toBeLessThanOrEqual(300);
});

const unmarked = (snippet: string) => snippet.replace(/<\/?mark>/g, '');

const word = fc.oneof(
  fc.constantFrom(
    'zebra',
    'AND',
    'OR',
    'NOT',
    'NEAR(',
    'title:',
    '*',
    '^',
    '"',
    '""',
    "'",
    '-',
    '--',
    '-"',
    '(',
    ')',
    '{',
    '}',
    '+',
    '\0',
    '\\',
  ),
  fc.constantFrom('title:zebra', '-zebra', 'zebra*', 'NEAR(a b, 2)', '\ud800', '%', ';', '--x', 'C++', '\u6587', 'the'),
  fc.string({ unit: 'binary', maxLength: 20 }),
);

test('C458 no text of a query is an error', async () => {
  const database = await searchable({ 'x.md': 'zebra C++ \u6587' });
  const query = fc
    .array(word, { maxLength: 30 })
    .chain((words) => fc.constantFrom(' ', '', '"', '-').map((by) => words.join(by)));
  await fc.assert(
    fc.asyncProperty(query, async (text) => {
      for (const { snippet } of await find(database, text)) expect(unmarked(snippet).length).toBeLessThanOrEqual(300);
    }),
    { numRuns: 500 * factor },
  );
});

test.each(['a', 'a ', '"', '-', '("a" OR ', 'zebra -', '\u6587', 'aB1', '. ', 'C++', '#'])(
  'C458 10,000 characters of %j are a query too',
  async (text) => {
    const database = await searchable({ 'x.md': 'zebra' });
    expect(await find(database, text.repeat(10_000 / text.length))).toBeInstanceOf(Array);
    expect(await paths(database, `zebra ${text.repeat(10_000 / text.length)}`.replaceAll('-', ' '))).toBeInstanceOf(
      Array,
    );
  },
);

test('C459 a search finds what a plain look at the texts finds', async () => {
  const vocabulary = ['zebra', 'lion', 'tiger', 'bear', 'wolf'];
  const text = fc.array(fc.constantFrom(...vocabulary), { minLength: 1, maxLength: 6 }).map((words) => words.join(' '));
  await fc.assert(
    fc.asyncProperty(
      fc.array(text, { minLength: 1, maxLength: 8 }),
      fc.subarray(vocabulary, { minLength: 1 }),
      async (texts, wanted) => {
        const database = await searchable(Object.fromEntries(texts.map((one, number) => [`${number}.md`, one])));
        const expected = texts.flatMap((one, number) =>
          wanted.some((each) => one.includes(each)) ? [`${number}.md`] : [],
        );
        expect((await paths(database, wanted.join(' '))).sort()).toEqual(expected.sort());
      },
    ),
    { numRuns: 25 * factor },
  );
});
