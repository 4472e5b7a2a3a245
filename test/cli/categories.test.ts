/** `ai-assist categories`, groups in `ai-assist collections`, and `ai-assist content`. */
import { expect, test } from 'vitest';
import { runHere } from './here.js';
import { docsCollection, inProject, projectWith } from './in-project.js';

const project = (categories: Record<string, object> = {}, collections: Record<string, object> = {}) =>
  inProject({
    'context.json': JSON.stringify({ collections: { docs: docsCollection, ...collections }, categories }, null, 2),
    'docs/guides/a.md': '# Apple\n\nRed.\n',
    'docs/api/b.md': '# Pear\n\nGreen.\n',
  });

type Project = ReturnType<typeof project>;
const fileOf = (one: Project) => JSON.parse(one.read('context.json'));
const out = async (one: Project, command: string) => {
  const done = await one.run(...command.split(' '));
  expect(done).toMatchObject({ code: 0, stderr: '' });
  return done.stdout;
};

/** The same without a process of its own, for what is refused. */
const refusedHere = ({ folder, env }: Project, ...args: string[]) => runHere([...args, '--project', folder], env);

test('K80 categories are added, changed, updated, listed and removed, with readable answers', async () => {
  const one = project();
  await one.run('collections', 'sync');
  expect(await out(one, 'categories list')).toContain('No categories. Add one: ai-assist categories add');
  expect(await out(one, 'categories add guides guides/** !guides/x --collection docs --description Ours')).toBe(
    "Category 'guides' added.\nTakes guides/**, !guides/x from docs\n",
  );
  expect(await out(one, 'categories update guides --add-pattern api/** --remove-pattern !guides/x')).toBe(
    "Category 'guides' updated: it has 2 patterns.\nTakes guides/**, api/** from docs\n",
  );
  expect(await out(one, 'categories change guides --new-name all --collection= --dry-run')).toBe(
    "Rehearsed: Category 'guides' changed, and renamed to 'all'.\nTakes guides/**, api/** from all collections\n",
  );
  expect(await out(one, 'categories change guides --new-name all --collection= --description=')).toContain("'all'");
  expect(fileOf(one).categories).toEqual({ all: { patterns: ['guides/**', 'api/**'] } });
  await one.run('collections', 'add', 'every', '--category', 'all');
  const [, head, , row] = (await out(one, 'categories list')).split('\n');
  expect(head?.split('│').map((cell) => cell.trim())).toEqual([
    '',
    'Name',
    'From',
    'Patterns',
    'Documents',
    'Groups',
    '',
  ]);
  expect(row?.split('│').map((cell) => cell.trim())).toEqual(['', 'all', 'all', 'guides/**, api/**', '2', 'every', '']);
  expect(await out(one, 'categories remove all')).toBe("Category 'all' removed, also from every.\n");
  expect(fileOf(one)).toMatchObject({ categories: {}, collections: { every: { categories: [] } } });
});

test.each([
  { args: [''], code: 2, next: 'categories add, remove, change, update, list' },
  { args: ['lst'], code: 2, next: 'categories add, remove, change, update, list' },
  { args: ['add'], code: 2, next: 'categories add NAME PATTERN' },
  { args: ['remove'], code: 2, next: 'categories remove NAME' },
  { args: ['remove', 'a', 'b'], code: 2, next: '--help' },
  { args: ['change', 'a', '--glob', 'x'], code: 2, next: '--help' },
  { args: ['remove', 'nope'], code: 1, next: 'category_list' },
  { args: ['add', 'docs', 'x'], code: 1, next: 'Choose another name' },
  { args: ['add', 'x', '../y'], code: 1, next: 'relative to the folder' },
])('K80 categories $args is refused with the next move, and changes nothing', async ({ args, code, next }) => {
  const one = project({ a: { patterns: [] } });
  const before = one.read('context.json');
  const refused = await refusedHere(one, 'categories', ...args);
  expect(refused).toMatchObject({ code, stdout: '' });
  expect(refused.stderr).toMatch(/^Error: .+\nNext: {2}.+/);
  expect(refused.stderr).toContain(next);
  expect(one.read('context.json')).toBe(before);
});

test('K81 groups are added, changed, updated, listed and synced', async () => {
  const one = project({ a: { patterns: ['guides/**'] }, b: { collection: 'docs', patterns: ['api/**'] } });
  expect(await out(one, 'collections add g --category a,b --description Both')).toContain('Added g (group).');
  expect(await out(one, 'collections add h --type group')).toContain('Added h (group).');
  expect(await out(one, 'collections update g --remove-category a --add-category a')).toContain('Categories: b, a');
  expect(await out(one, 'collections change g --new-name both --category b --description=')).toContain(
    'Categories: b\n',
  );
  expect(await out(one, 'collections change both --category=')).toContain('Categories: none');
  await out(one, 'collections update both --add-category b');
  expect(fileOf(one).collections).toEqual({
    docs: docsCollection,
    both: { type: 'group', categories: ['b'] },
    h: { type: 'group', categories: [] },
  });
  expect(await out(one, 'collections sync both')).toContain('Syncing docs (file)...');
  const listed = await out(one, 'collections list');
  expect(listed).toMatch(/both +│ group +│ b +│ ✓ synced/);
});

test.each([
  ['new', '--type', 'group', './docs'],
  ['new', './docs', '--category', 'a', '--type', 'file'],
  ['new', '--type', 'group', '--url', 'https://docs.test/m.json'],
  ['new'],
])('K81 a group that is not meant is not made: collections add %s %s %s %s', async (...args) => {
  const one = projectWith({});
  expect(await refusedHere(one, 'collections', 'add', ...args)).toMatchObject({ code: 2, stdout: '' });
  expect(one.declared()).toEqual({});
});

test('K57 K82 content prints Markdown, and what is missing on standard error', async () => {
  const one = project({ a: { patterns: ['guides/**'] } }, { later: { ...docsCollection, path: './later' } });
  await one.run('collections', 'sync', 'docs');
  expect(await one.run('content', 'docs/api/b,docs')).toEqual({
    code: 0,
    stdout: '# Source: docs/api/b.md\n\n# Pear\n\nGreen.\n\n# Source: docs/guides/a.md\n\n# Apple\n\nRed.\n',
    stderr: '',
  });
  const partly = await one.run('content', 'a');
  expect(partly.stdout).toContain('# Apple');
  expect(partly.stderr).toBe('Not synced yet: later. Use collection_sync.\n');
  const found = await one.run('ref', 'search', 'red', 'green', '--collection', 'a', '--mode', 'keyword');
  expect(found.stdout).toContain('guides/a.md');
  expect(found.stdout).not.toContain('api/b.md');
  one.add({ 'docs/guides/a.md': `# Apple \u001b[31m\u202e\ttab\n${'Red.\n'.repeat(2000)}` });
  await one.run('collections', 'sync', 'docs');
  const cut = await one.run('content', 'docs', '--pattern', 'guides/*', '--max-tokens', '200');
  expect(cut.stdout).toContain('# Apple \\u001b[31m\\u202e\ttab\nRed.\n');
  expect(cut.stderr).toContain('The last document is cut');
  expect(await one.json('content', 'docs', '--max-tokens', '200')).toMatchObject({
    success: true,
    documents: [{}, {}],
  });
  for (const args of [[], ['a', 'b'], ['a', '--max-tokens', 'many']])
    expect((await refusedHere(one, 'content', ...args)).code).toBe(2);
  expect((await refusedHere(one, 'content', 'nope')).stderr).toContain('Use one of: docs, later, a.');
});
