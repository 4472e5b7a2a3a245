/** Documents by name, through MCP: get_content, lists, syncs and searches of categories and groups, and resources. */
import { ProtocolError } from '@modelcontextprotocol/client';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { addFiles } from '../support/files.js';
import { nearClient } from '../support/mcp.js';
import { scratchFolder } from '../support/scratch.js';
import { catalogOfFile, failure } from './catalog-client.js';

const catalog = catalogOfFile();
const { call, write } = catalog;

const folderOf = (path: string) => ({ type: 'file', path, glob: '**/*' });
const start = {
  collections: {
    react: folderOf('./react'),
    docs: folderOf('./docs'),
    later: folderOf('./later'),
    learn: { type: 'group', description: 'To begin with', categories: ['guides', 'hooks'] },
    empty: { type: 'group', categories: [] },
  },
  categories: {
    guides: { collection: 'docs', patterns: ['guides/**', '!guides/drafts/**'] },
    hooks: { collection: 'react', patterns: ['hooks/use-*'], description: 'Hooks' },
    intros: { patterns: ['**/intro'] },
    nothing: { collection: 'docs', patterns: [] },
  },
};

beforeAll(async () => {
  catalog.add({
    'react/hooks/use-state.md': '# useState\n\nKeeps state.\n',
    'react/hooks/use-memo.md': '# useMemo\n\nKeeps a value.\n',
    'react/hooks/other.md': '# Other\n',
    'react/intro.mdx': '# React\n',
    'react/app/[id]/page.md': '# Page\n\nOf one id.\n',
    'docs/guides/intro.md': '# Start here\n\nRead this first.\n',
    'docs/guides/drafts/x.md': '# Draft\n',
    'docs/api/data.json': '{ "a": 1 }\n',
    'later/a.md': '# Later\n',
  });
  write(start);
  for (const name of ['react', 'docs'])
    expect(await call('collection_sync', { name })).toMatchObject({ success: true });
});

beforeEach(() => write(start));

const sources = (content: unknown) => [...String(content).matchAll(/^# Source: (.*)$/gm)].map(([, source]) => source);

test('K53 get_content gives documents as Markdown, each below a heading with its source', async () => {
  const answer = await call('get_content', { name: 'guides' });
  expect(answer).toMatchObject({
    success: true,
    content: '# Source: docs/guides/intro.md\n\n# Start here\n\nRead this first.\n',
    documents: [
      {
        alias: 'docs',
        collection: expect.stringMatching(/^file:/),
        path: 'guides/intro.md',
        title: 'Start here',
        documentHash: expect.any(String),
      },
    ],
    leftOut: [],
    leftOutCount: 0,
  });
  expect(answer.message).toBeUndefined();
});

test.each([
  ['learn', ['docs/guides/intro.md', 'react/hooks/use-memo.md', 'react/hooks/use-state.md']],
  ['hooks,guides', ['react/hooks/use-memo.md', 'react/hooks/use-state.md', 'docs/guides/intro.md']],
  ['hooks, learn', ['react/hooks/use-memo.md', 'react/hooks/use-state.md', 'docs/guides/intro.md']],
  ['hooks/**/use-s*', ['react/hooks/use-state.md']],
  ['hooks/**/other', null],
  ['react/hooks/{use-memo,other}', ['react/hooks/other.md', 'react/hooks/use-memo.md']],
  ['react/hooks/use-state,docs/api/data', ['react/hooks/use-state.md', 'docs/api/data.json']],
  ['docs/api/data.json', ['docs/api/data.json']],
  ['react/app/[id]/page.md', ['react/app/[id]/page.md']],
  ['react/app/[id]/page', ['react/app/[id]/page.md']],
])('K50 K52 K53 the name %j stands for %j', async (name, expected) => {
  const answer = await call('get_content', { name, maxTokens: 1000 });
  if (expected) expect(sources(answer.content)).toEqual(expected);
  else expect(answer).toMatchObject(failure('not_found', 'no documents'));
});

test('K50 K51 K52 a pattern narrows what a name stands for, also a raw id, which stands alone', async () => {
  const { documents } = await call('get_content', { name: 'learn', pattern: '**/use-state' });
  expect(documents).toMatchObject([{ path: 'hooks/use-state.md' }]);
  const [{ collection }] = documents as [{ collection: string }];
  const byId = await call('get_content', { name: collection, pattern: 'hooks/use-*' });
  expect(byId.documents).toMatchObject([{ path: 'hooks/use-memo.md' }, { path: 'hooks/use-state.md' }]);
  expect(await call('get_content', { name: 'hooks/**/use-*', pattern: '**/*-memo.*' })).toMatchObject({
    documents: [{ path: 'hooks/use-memo.md' }],
  });
  expect(await call('get_content', { name: 'learn', pattern: 'nope' })).toMatchObject(failure('not_found', "'nope'"));
  expect(await call('get_content', { name: 'learn', pattern: '../x' })).toMatchObject(
    failure('invalid_argument', "'../x'"),
  );
  expect(await call('get_content', { name: 'learn', pattern: '' })).toMatchObject(failure('invalid_argument', 'empty'));
});

test('K52 ref_list takes categories, groups and expressions', async () => {
  const paths = async (collection: string) =>
    ((await call('ref_list', { collection })).documents as { path: string }[]).map(({ path }) => path);
  expect(await paths('learn')).toEqual(['guides/intro.md', 'hooks/use-memo.md', 'hooks/use-state.md']);
  expect(await paths('docs/api/*,hooks')).toEqual(['api/data.json', 'hooks/use-memo.md', 'hooks/use-state.md']);
  expect(await paths('react')).toHaveLength(5);
});

test('K57 ref_search takes categories, groups and expressions', async () => {
  const found = await call('ref_search', { query: 'keeps', mode: 'keyword', collections: ['learn/**/use-memo'] });
  expect(found.results).toMatchObject([{ document: 'hooks/use-memo.md' }]);
  expect((await call('ref_search', { query: 'keeps', mode: 'keyword', collections: ['guides'] })).results).toEqual([]);
});

test('K52 pages of ref_list over several collections hold every document once', async () => {
  catalog.add({ 'twin/hooks/use-memo.md': '# Twin\n', 'twin/z.md': '# Z\n' });
  write({ ...start, collections: { ...start.collections, twin: folderOf('./twin') } });
  await call('collection_sync', { name: 'twin' });
  const seen: string[] = [];
  for (let after: unknown = ''; after !== undefined; ) {
    const page = await call('ref_list', { collection: 'hooks,twin', limit: 1, after });
    for (const { collection, path } of page.documents as { collection: string; path: string }[]) {
      seen.push(`${collection} ${path}`);
    }
    after = page.nextAfter;
  }
  expect(seen).toHaveLength(4);
  expect(new Set(seen).size).toBe(4);
});

test('K54 get_content keeps to its budget, cuts at a line, and tells what was left out', async () => {
  const line = (at: number) => `Line ${at} of many, long enough to count. Ä\n`;
  const long = Array.from({ length: 400 }, (_, index) => line(index)).join('');
  const more = Object.fromEntries(
    Array.from({ length: 120 }, (_, index) => [`big/z${String(index).padStart(3, '0')}.md`, 'x']),
  );
  catalog.add({ 'big/a.md': '# Short\n', 'big/b.md': long, ...more });
  write({ collections: { big: folderOf('./big') } });
  await call('collection_sync');
  for (const maxTokens of [100, 150, 1000, 2500, 100_000]) {
    const answer = await call('get_content', { name: 'big', maxTokens });
    const { content, tokens, documents, leftOut, leftOutCount } = answer as unknown as {
      content: string;
      tokens: number;
      documents: { path: string; nextLine?: number }[];
      leftOut: unknown[];
      leftOutCount: number;
    };
    expect(Buffer.byteLength(content)).toBeLessThanOrEqual(maxTokens * 4);
    expect(tokens).toBeLessThanOrEqual(maxTokens);
    expect(documents.length + leftOutCount).toBe(122);
    expect(leftOut).toHaveLength(Math.min(100, leftOutCount));
    expect(documents[0]).toMatchObject({ path: 'a.md' });
    const cut = documents.find(({ nextLine }) => nextLine !== undefined);
    if (cut) {
      expect(content).toContain(line((cut.nextLine as number) - 2));
      expect(content).not.toContain(line((cut.nextLine as number) - 1));
      expect(content).toMatch(/> Left out for the token budget: the rest of the document above, from line \d+/);
      expect(await call('ref_read', { collection: 'big', path: cut.path, startLine: cut.nextLine })).toMatchObject({
        text: expect.stringContaining(line((cut.nextLine as number) - 1)),
      });
    }
    if (leftOutCount > 0) expect(answer.message).toContain(`Left out: ${leftOutCount} document`);
    expect(leftOutCount > 0).toBe(content.includes('more document'));
  }
});

test('K55 what is unknown, not synced, empty or contradictory is told with the next move', async () => {
  expect(await call('get_content', { name: 'nope' })).toMatchObject({
    ...failure('not_found', "'nope'"),
    instruction: expect.stringContaining('react, docs, later, learn'),
  });
  expect(await call('get_content', { name: 'learn,nope/x' })).toMatchObject(failure('not_found', "'nope'"));
  expect(await call('get_content', { name: 'later' })).toMatchObject({
    ...failure('not_found', 'not indexed yet'),
    instruction: expect.stringContaining('ai-assist collections sync later'),
  });
  for (const name of ['empty', 'nothing'])
    expect(await call('get_content', { name })).toMatchObject(failure('not_found', `'${name}' has no documents`));
  expect(await call('get_content', { name: 'learn,' })).toMatchObject(failure('invalid_argument', 'without a name'));
  expect(await call('get_content', { name: `file:${'0'.repeat(64)}` })).toMatchObject(failure('not_found'));
  write({
    collections: {
      lost: { type: 'group', categories: ['gone'] },
      odd: { type: 'group', categories: ['bad', 'far', 'self'] },
    },
    categories: {
      bad: { patterns: ['../x'] },
      far: { collection: 'gone', patterns: ['x'] },
      self: { collection: 'odd', patterns: ['x'] },
    },
  });
  expect(await call('get_content', { name: 'lost' })).toMatchObject(failure('not_found', "names 'gone'"));
  expect(await call('get_content', { name: 'far' })).toMatchObject(
    failure('invalid_argument', 'categories.far.collection'),
  );
  expect(await call('get_content', { name: 'self' })).toMatchObject(failure('invalid_argument', 'is a group'));
});

test('K55 a group of which a part is synced gives that part, and names the rest', async () => {
  expect(await call('get_content', { name: 'intros' })).toMatchObject({
    documents: [{ path: 'intro.mdx' }, { path: 'guides/intro.md' }],
    notSynced: ['later'],
    message: expect.stringContaining('later'),
  });
  const bad = { type: 'pkg', url: 'ftp://docs.test/m.json' };
  write({ ...start, collections: { ...start.collections, bad } });
  expect(await call('get_content', { name: 'intros' })).toMatchObject({
    documents: [{}, {}],
    notSynced: ['later', 'bad'],
  });
  expect(await call('get_content', { name: 'bad' })).toMatchObject(failure('invalid_argument', 'collections.bad.url'));
});

test('K21 collection_list shows groups with their categories, the worst status and their documents', async () => {
  const groupIn = async (name: string) =>
    ((await call('collection_list')).collections as { name: string }[]).find((one) => one.name === name);
  expect(await groupIn('learn')).toEqual({
    name: 'learn',
    type: 'group',
    source: 'guides, hooks',
    description: 'To begin with',
    categories: ['guides', 'hooks'],
    status: 'synced',
    documents: 3,
    lastSyncAt: expect.any(String),
    version: null,
    error: null,
    id: null,
  });
  expect(await groupIn('empty')).toMatchObject({ status: 'synced', documents: 0, source: '' });
  write({ ...start, collections: { ...start.collections, all: { type: 'group', categories: ['guides', 'intros'] } } });
  expect(await groupIn('all')).toMatchObject({ status: 'not synced', lastSyncAt: null, documents: 2 });
  catalog.add({ 'docs/new.md': '# New\n' });
  expect(await groupIn('learn')).toMatchObject({ status: 'stale' });
  await call('collection_sync', { name: 'guides' });
  expect(await groupIn('learn')).toMatchObject({ status: 'synced' });
  write({
    collections: { ...start.collections, lost: { type: 'group', categories: ['gone'] } },
    categories: start.categories,
  });
  expect(await groupIn('lost')).toMatchObject({ status: 'error', error: expect.stringContaining("'gone'") });
});

test('K22 collection_sync of a group or category syncs what it draws from, each once', async () => {
  const names = async (name: string) =>
    ((await call('collection_sync', { name, dryRun: true })).results as { name: string }[]).map((one) => one.name);
  expect(await names('learn')).toEqual(['docs', 'react']);
  expect(await names('intros')).toEqual(['react', 'docs', 'later']);
  expect(await names('hooks')).toEqual(['react']);
  expect(await names('empty')).toEqual([]);
  expect(await call('collection_sync', { name: 'nope' })).toMatchObject(failure('not_found', "'nope'"));
});

test('K34 category_list answers patterns, source, documents and groups, and tells faults', async () => {
  write({ ...start, categories: { ...start.categories, far: { collection: 'gone', patterns: ['x'] } } });
  expect(await call('category_list')).toEqual({
    success: true,
    categories: [
      { name: 'guides', ...start.categories.guides, documents: 1, groups: ['learn'] },
      { name: 'hooks', ...start.categories.hooks, documents: 2, groups: ['learn'] },
      { name: 'intros', ...start.categories.intros, documents: 2, groups: [] },
      { name: 'nothing', ...start.categories.nothing, documents: 0, groups: [] },
      {
        name: 'far',
        collection: 'gone',
        patterns: ['x'],
        documents: null,
        groups: [],
        error: expect.stringContaining("'gone'"),
      },
    ],
    version: expect.any(String),
  });
});

const textOf = async (uri: string) => {
  const { contents } = await catalog.client().readResource({ uri });
  const [first] = contents as { uri: string; mimeType: string; text: string }[];
  expect(first?.uri).toBe(uri);
  return { text: String(first?.text), mimeType: first?.mimeType };
};

test('K70 names and documents are resources', async () => {
  expect(await textOf('context://guides')).toEqual({
    text: '# Source: docs/guides/intro.md\n\n# Start here\n\nRead this first.\n',
    mimeType: 'text/markdown',
  });
  expect((await textOf('context://learn/')).text).toContain('# Source: react/hooks/use-memo.md');
  expect((await textOf('context://hooks,guides')).text).toContain('# Source: docs/guides/intro.md');
  expect(await textOf('context://react/hooks/use-state.md')).toEqual({
    text: '# useState\n\nKeeps state.\n',
    mimeType: 'text/markdown',
  });
  expect(await textOf('context://docs/api/data.json')).toEqual({ text: '{ "a": 1 }\n', mimeType: 'text/plain' });
  expect((await textOf('context://react/app/%5Bid%5D/page.md')).text).toBe('# Page\n\nOf one id.\n');
  expect((await textOf('context://hooks/**/use-*')).text).toContain('# Source: react/hooks/use-state.md');
});

test('K70 a large document is read whole', async () => {
  const text = Array.from({ length: 30_000 }, (_, index) => `Line ${index} of a large one.\n`).join('');
  catalog.add({ 'large/a.md': text, 'large/[b].md': 'One\n', 'large/b.md': 'Two\n' });
  write({ collections: { large: folderOf('./large') } });
  await call('collection_sync');
  expect((await textOf('context://large/a.md')).text === text).toBe(true);
  expect((await textOf('context://large/%5Bb%5D.md')).text).toBe('One\n');
});

test('K71 categories, groups, collections and documents are listed, with templates', async () => {
  const { resources } = await catalog.client().listResources();
  const own = resources.filter(({ uri }) => uri.startsWith('context://'));
  expect(own.map(({ uri }) => uri)).toEqual([
    ...['guides', 'hooks', 'intros', 'nothing', 'react', 'docs', 'later', 'learn', 'empty'].map(
      (name) => `context://${name}`,
    ),
    'context://react/app/%5Bid%5D/page.md',
    ...['hooks/other.md', 'hooks/use-memo.md', 'hooks/use-state.md', 'intro.mdx'].map(
      (path) => `context://react/${path}`,
    ),
    ...['api/data.json', 'guides/drafts/x.md', 'guides/intro.md', 'new.md'].map((path) => `context://docs/${path}`),
  ]);
  expect(own.find(({ uri }) => uri === 'context://learn')).toMatchObject({
    name: 'learn',
    description: 'To begin with',
  });
  expect(own.at(-2)).toMatchObject({ name: 'docs/guides/intro.md', title: 'Start here', mimeType: 'text/markdown' });
  const { resourceTemplates } = await catalog.client().listResourceTemplates();
  expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual(
    expect.arrayContaining(['context://{name}', 'context://{name}/{+path}']),
  );
});

test('K72 names and paths are completed', async () => {
  const complete = async (uri: string, name: string, value: string, given: Record<string, string> = {}) => {
    const ref = { type: 'ref/resource' as const, uri };
    const params = { ref, argument: { name, value }, context: { arguments: given } };
    return (await catalog.client().complete(params)).completion.values;
  };
  expect(await complete('context://{name}', 'name', 'l')).toEqual(['later', 'learn']);
  expect(await complete('context://{name}', 'name', 'guides,H')).toEqual(['guides,hooks']);
  expect(await complete('context://{name}/{+path}', 'name', 'zz')).toEqual([]);
  const path = (value: string, name: string) => complete('context://{name}/{+path}', 'path', value, { name });
  expect(await path('hooks/use', 'react')).toEqual(['hooks/use-memo.md', 'hooks/use-state.md']);
  expect(await path('', 'learn')).toEqual(['guides/intro.md', 'hooks/use-memo.md', 'hooks/use-state.md']);
  expect(await path('', 'nope')).toEqual([]);
});

test('K73 an address that stands for nothing is refused with the next move', async () => {
  const refused = async (uri: string) => {
    const thrown = await catalog
      .client()
      .readResource({ uri })
      .catch((error: unknown) => error);
    expect(thrown, uri).toBeInstanceOf(ProtocolError);
    return (thrown as ProtocolError).message;
  };
  expect(await refused('context://nope')).toContain('Use one of');
  expect(await refused('context://docs/nope.md')).toContain('no documents that match');
  expect(await refused('context://docs/../../etc/passwd')).toContain('leaves its folder');
  expect(await refused('context://later')).toContain('collections sync later');
  for (const uri of ['context://', 'context:///x', 'context://%E0%A4%A'])
    expect(await refused(uri)).toContain('context://{name}');
});

test('K73 a session that may not read the catalog has no resources of it, and one outside a project lists none', async () => {
  const without = await nearClient({ toolsets: ['folders'] });
  expect(without.getServerCapabilities()?.resources).toBeUndefined();
  const folder = scratchFolder();
  const outside = await nearClient({ project: folder });
  const listed = async () =>
    (await outside.listResources()).resources.filter(({ uri }) => uri.startsWith('context://'));
  expect(await listed()).toEqual([]);
  addFiles(folder, { 'context.json': '{ "collections": { "docs": { "type": "file", "path": "." } } }' });
  expect(await listed()).toMatchObject([{ uri: 'context://docs' }]);
});
