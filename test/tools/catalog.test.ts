/** Categories, groups and the rulings about them, through MCP. */
import { beforeEach, expect, test } from 'vitest';
import { catalogOfFile, failure } from './catalog-client.js';

const catalog = catalogOfFile();
const { call, read, text, write } = catalog;

const docs = { type: 'file', path: './docs', glob: '**/*.md' };
const far = { type: 'pkg', url: 'https://docs.test/v1/manifest.json' };
const start = {
  collections: {
    docs,
    far,
    mine: { type: 'group', categories: ['guides', 'api'] },
    all: { type: 'group', categories: ['guides'] },
  },
  categories: {
    guides: { collection: 'docs', patterns: ['guides/**', 'intro'], description: 'How to' },
    api: { patterns: ['api/**'] },
  },
};

beforeEach(() => write(start));

async function refused(tool: string, input: Record<string, unknown>, type: string, words = '') {
  const before = text();
  const answer = await call(tool, input);
  expect(answer).toMatchObject(failure(type, words));
  expect(text()).toBe(before);
  return answer;
}

test('K3 collections and categories share one namespace', async () => {
  await refused('collection_add', { name: 'guides' }, 'already_exists', "category 'guides'");
  await refused('category_add', { name: 'docs' }, 'already_exists', "collection 'docs'");
  await refused('category_add', { name: 'guides' }, 'already_exists', "category 'guides'");
  await refused('category_change', { name: 'api', new_name: 'mine' }, 'name_conflict', "collection 'mine'");
  await refused('category_change', { name: 'api', new_name: 'guides' }, 'name_conflict', "category 'guides'");
});

test('K4 old names stay usable whatever they are, and may be kept in a change', async () => {
  write({ collections: { 'old name!': docs }, categories: { 'a/b': { collection: 'old name!', patterns: [] } } });
  expect(await call('collection_change', { name: 'old name!', new_name: 'old name!', description: 'x' })).toMatchObject(
    {
      success: true,
    },
  );
  expect(await call('collection_change', { name: 'old name!', new_name: 'new' })).toMatchObject({ success: true });
  expect(await call('category_update', { name: 'a/b', add_patterns: ['x'] })).toMatchObject({ success: true });
  expect(read()).toEqual({
    collections: { new: { ...docs, description: 'x' } },
    categories: { 'a/b': { collection: 'new', patterns: ['x'] } },
  });
});

test('K11 collection_add with path makes a file collection, with url a package, else a group', async () => {
  expect(await call('collection_add', { name: 'f', path: './x', description: 'D' })).toMatchObject({
    value: { name: 'f', type: 'file', path: './x', glob: '**/*.md', description: 'D' },
    id: expect.stringMatching(/^file:/),
  });
  const { value } = await call('collection_add', { name: 'p', url: 'https://me:secret@docs.test/m.json' });
  expect(value).toEqual({ name: 'p', type: 'pkg', url: 'https://docs.test/m.json' });
  await refused(
    'collection_add',
    { name: 'x', path: 'a', url: 'https://docs.test/m.json' },
    'invalid_argument',
    'path or url',
  );
  await refused('collection_add', { name: 'x', glob: '*' }, 'invalid_argument', 'glob');
  await refused('collection_add', { name: 'x', path: '' }, 'invalid_argument', 'path: ');
  for (const glob of ['', '../*', '!x']) {
    await refused('collection_add', { name: 'x', path: 'a', glob }, 'invalid_argument', `glob '${glob}'`);
  }
  await refused('collection_add', { name: 'x', path: 'a', categories: [] }, 'invalid_type', "'x' is a file collection");
  await refused(
    'collection_add',
    { name: 'x', url: 'https://docs.test/m.json', categories: ['api'] },
    'invalid_type',
    'pkg',
  );
});

test('K11 categories of a file or pkg collection are invalid_type', async () => {
  await refused('collection_change', { name: 'docs', categories: [] }, 'invalid_type', "'docs'");
  await refused('collection_update', { name: 'far', add_categories: ['api'] }, 'invalid_type', "'far'");
  await refused('collection_update', { name: 'far', remove_categories: [] }, 'invalid_type', "'far'");
});

test('K13 a collection that a category draws from is not removed', async () => {
  const answer = await refused('collection_remove', { name: 'docs' }, 'in_use', "'guides'");
  expect(answer.categories).toEqual(['guides']);
  await refused('collection_remove', { name: 'docs', dryRun: true }, 'in_use');
  expect(await call('collection_remove', { name: 'far' })).toMatchObject({ success: true });
  await call('category_remove', { name: 'guides' });
  expect(await call('collection_remove', { name: 'docs' })).toMatchObject({ success: true });
});

test('K14 a renamed collection is followed by the categories that draw from it', async () => {
  expect(await call('collection_change', { name: 'docs', new_name: 'handbook', description: 'Ours' })).toMatchObject({
    value: { name: 'handbook', type: 'file', description: 'Ours' },
    message: expect.stringContaining("'handbook'"),
  });
  expect(Object.keys(read().collections)).toEqual(['handbook', 'far', 'mine', 'all']);
  expect(read().categories.guides).toEqual({ ...start.categories.guides, collection: 'handbook' });
});

test('K30 category_add names documents by patterns, of one collection or of all', async () => {
  const input = {
    name: 'hooks',
    collection: 'far',
    patterns: ['hooks/use-*', '!hooks/use-old', 'hooks/use-*'],
    description: 'React',
  };
  const value = { name: 'hooks', collection: 'far', patterns: ['hooks/use-*', '!hooks/use-old'], description: 'React' };
  expect(await call('category_add', input)).toEqual({
    success: true,
    value,
    message: "Category 'hooks' added.",
    version: expect.any(String),
  });
  const { name: _, ...entry } = value;
  expect(read().categories.hooks).toEqual(entry);
  expect(await call('category_add', { name: 'empty' })).toMatchObject({
    message: expect.stringContaining('no patterns'),
  });
  expect(read().categories.empty).toEqual({ patterns: [] });
});

test('K30 category_add makes the list of categories where there is none', async () => {
  write({ collections: {} });
  await call('category_add', { name: 'a', patterns: ['**'] });
  expect(read()).toEqual({ collections: {}, categories: { a: { patterns: ['**'] } } });
});

test('K30 a category draws from a file or pkg collection that exists', async () => {
  await refused('category_add', { name: 'x', collection: 'nope' }, 'not_found', "'nope'");
  await refused('category_add', { name: 'x', collection: 'mine' }, 'invalid_type', "'mine' is a group");
  await refused('category_change', { name: 'api', collection: 'all' }, 'invalid_type', 'group');
  await refused('category_change', { name: 'api', collection: 'api' }, 'not_found', "'api'");
});

test.each(['../x', '/etc/*', '', 'a*b*c*d*e', 'x'.repeat(501), 'a\u202eb', '!only/**'])(
  'K30 the pattern %j is refused',
  async (pattern) => {
    await refused('category_add', { name: 'x', patterns: [pattern] }, 'invalid_argument');
    await refused('category_change', { name: 'api', patterns: [pattern] }, 'invalid_argument');
  },
);

test('K30 a category has at most 100 patterns', async () => {
  const patterns = Array.from({ length: 101 }, (_, index) => `p${index}/**`);
  await refused('category_add', { name: 'x', patterns }, 'invalid_argument', '101');
  await refused('category_update', { name: 'api', add_patterns: patterns.slice(1) }, 'invalid_argument', '101');
});

test('K31 category_remove takes it out of every group too', async () => {
  expect(await call('category_remove', { name: 'guides' })).toMatchObject({
    success: true,
    value: { name: 'guides', collection: 'docs' },
    groups: ['mine', 'all'],
  });
  expect(read().collections).toMatchObject({ mine: { categories: ['api'] }, all: { categories: [] } });
  expect(Object.keys(read().categories)).toEqual(['api']);
});

test('K32 category_change replaces what is given, and a rename follows into groups', async () => {
  expect(await call('category_change', { name: 'guides', new_name: 'howto', patterns: ['**'] })).toMatchObject({
    value: { name: 'howto', collection: 'docs', patterns: ['**'], description: 'How to' },
  });
  expect(Object.keys(read().categories)).toEqual(['howto', 'api']);
  expect(read().collections).toMatchObject({ mine: { categories: ['howto', 'api'] }, all: { categories: ['howto'] } });
  expect(await call('category_change', { name: 'howto', collection: '', description: '' })).toMatchObject({
    value: { name: 'howto', patterns: ['**'] },
  });
  expect(read().categories.howto).toEqual({ patterns: ['**'] });
});

test('K33 category_update removes first, then adds; what is there already stays where it is', async () => {
  const input = { name: 'guides', remove_patterns: ['intro', 'nope'], add_patterns: ['new/**', 'guides/**', 'intro'] };
  expect(await call('category_update', input)).toMatchObject({ value: { patterns: ['guides/**', 'new/**', 'intro'] } });
  const before = text();
  expect(await call('category_update', { name: 'guides', add_patterns: ['intro'] })).toMatchObject({ success: true });
  expect(await call('category_update', { name: 'guides' })).toMatchObject({ success: true });
  expect(text()).toBe(before);
});

test('K20 a rehearsal answers what would be, and changes nothing; a version that is old is a conflict', async () => {
  const before = text();
  const { version } = await call('collection_list');
  const calls = [
    ['collection_add', { name: 'new', categories: ['api'] }],
    ['collection_remove', { name: 'mine' }],
    ['collection_change', { name: 'mine', new_name: 'ours' }],
    ['collection_update', { name: 'mine', remove_categories: ['api'] }],
    ['category_add', { name: 'new', patterns: ['x'] }],
    ['category_remove', { name: 'guides' }],
    ['category_change', { name: 'guides', new_name: 'howto' }],
    ['category_update', { name: 'guides', add_patterns: ['x'] }],
  ] as const;
  for (const [tool, input] of calls) {
    expect(await call(tool, { ...input, dryRun: true, version }), tool).toMatchObject({
      success: true,
      dryRun: true,
      version,
    });
    const stale = { ...input, version: '0'.repeat(64) };
    expect(await call(tool, stale), tool).toMatchObject({ ...failure('conflict'), currentVersion: version });
    expect(await call(tool, { ...stale, dryRun: true }), tool).toMatchObject(failure('conflict'));
  }
  expect(text()).toBe(before);
  expect(await call('collection_change', { name: 'mine', new_name: 'ours', version })).toMatchObject({ success: true });
});

test('K20 a repeated key happens once', async () => {
  const input = { name: 'api', add_patterns: ['x'], idempotencyKey: 'k1' };
  const first = await call('category_update', input);
  await call('category_update', { name: 'api', remove_patterns: ['x'] });
  expect(await call('category_update', input)).toEqual(first);
  expect(read().categories.api).toEqual({ patterns: ['api/**'] });
});
