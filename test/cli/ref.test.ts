/** `ai-assist ref`: ls, search, drop, update. */
import { expect, test } from 'vitest';
import { scratchFolder } from '../support/scratch.js';
import { docsCollection, type InProject, inProject, projectWith, runIn } from './in-project.js';

const files = {
  'docs/adr.md': '# Decisions\n\nADR-008 says that folders have names. ADR-009 is about apples.',
  'docs/hooks.md': '# Hooks\n\nCall useState before the first render of a component.',
  'docs/languages.md': '# Languages\n\nC++ is compiled. So is C, and so is Rust.',
  'docs/options.md': '# Options\n\nPass --dry-run to see the plan. The component stays as it is.',
  'more/extra.md': '# Extra\n\nA component of the other folder.',
};
const more = { type: 'file', path: './more', glob: '**/*.md' };

async function synced(): Promise<InProject> {
  const project = projectWith({ docs: docsCollection, more }, files);
  expect((await project.run('collections', 'sync')).code).toBe(0);
  return project;
}

type Hit = { document: string; collection: string; documentHash: string };

async function found(project: InProject, ...args: string[]): Promise<string[]> {
  const { results } = await project.json('ref', 'search', ...args);
  return (results as Hit[]).map(({ document }) => document);
}

async function ids(project: InProject): Promise<Record<string, string>> {
  const { collections } = await project.json('collections', 'list');
  return Object.fromEntries((collections as { name: string; id: string }[]).map(({ name, id }) => [name, id]));
}

test('C530 ls and list-collections show what is indexed, with its type, source, documents and whole id', async () => {
  const project = await synced();
  const { docs = '' } = await ids(project);
  const listed = await project.run('ref', 'ls');
  expect(listed.code).toBe(0);
  expect(listed.stdout).toMatch(/│ Type +│ Source +│ Documents +│ Synced +│ Collection +│/);
  const line = listed.stdout.split('\n').find((text) => text.includes(docs));
  expect(line).toMatch(/^│ file │ .*docs \(\*\*\/\*\.md\) +│ 4 +│ \d{4}-\d\d-\d\dT.+│ file:[0-9a-f]{64} │$/);
  expect((await project.run('ref', 'list-collections')).stdout).toBe(listed.stdout);
  expect(await project.json('ref', 'ls')).toMatchObject({ collections: [{ type: 'file' }, { type: 'file' }] });
  expect((await inProject().run('ref', 'ls')).stdout).toContain('Next: ai-assist collections sync');
});

test('C531 search shows title, path, line and the text around the match', async () => {
  const { code, stdout } = await (await synced()).run('ref', 'search', 'ADR-008');
  expect(code).toBe(0);
  expect(stdout).toBe(
    'docs: adr.md:1  Decisions\n  # Decisions ADR-008 says that folders have names. ADR-009 is about apples.\n\n',
  );
});

test('C532 any word may match, and more words rank higher', async () => {
  const project = await synced();
  const paths = await found(project, 'component', 'render', 'zebra');
  expect(paths[0]).toBe('hooks.md');
  expect(paths.slice(1).sort()).toEqual(['extra.md', 'options.md']);
  expect(await found(project, 'component', '--limit', '1')).toHaveLength(1);
  expect((await project.run('ref', 'search', 'zebra')).stdout).toMatch(/^Nothing found\.\n {2}Try other words/);
});

test('C532 identifiers are found: ADR-008, useState, C++, --dry-run', async () => {
  const project = await synced();
  expect(await found(project, 'ADR-008')).toEqual(['adr.md']);
  expect(await found(project, 'useState')).toEqual(['hooks.md']);
  expect(await found(project, 'C++')).toEqual(['languages.md']);
  expect(await found(project, 'plan --dry-run')).toEqual(['options.md']);
  expect((await project.run('ref', 'search', '--', '--dry-run')).stdout).toContain('options.md:1');
});

test('C533 a word with a dash is left out; an option that is not there is refused with the way to search for it', async () => {
  const project = await synced();
  expect(await found(project, 'component', '-draft')).toHaveLength(3);
  expect(await found(project, 'component', '-plan', '-folder')).toEqual(['hooks.md']);
  const refused = await project.run('ref', 'search', '--dry-run');
  expect(refused).toMatchObject({ code: 2, stdout: '' });
  expect(refused.stderr).toContain('Next:  To search for it, write ref search -- --dry-run');
  expect((await project.run('ref', 'search')).code).toBe(2);
  expect((await project.run('ref', 'search', 'x', '--limit', 'many')).stderr).toContain("--limit 'many'");
});

const awkward = ['"', '"a" OR "', 'a AND', 'NEAR(a b)', "it's; DROP TABLE x", '*', '(a', 'a:b^2 {c}', '%_\\', '- "'];

test('C534 quotes and operators never break a search', async () => {
  const project = projectWith({ docs: docsCollection }, { 'docs/a.md': '# Apple' });
  await project.run('collections', 'sync');
  for (const query of awkward) {
    const { stdout } = await project.run('ref', 'search', '--json', '--', `${query} apple`);
    expect({ query, ...JSON.parse(stdout) }).toMatchObject({ query, success: true, results: [{ document: 'a.md' }] });
    expect(await project.run('ref', 'search', '--', query)).toMatchObject({ code: 0, stderr: '' });
  }
});

test('C535 --collection repeats, and takes aliases and ids', async () => {
  const project = await synced();
  const { docs = '', more: other = '' } = await ids(project);
  expect(await found(project, 'component', '-c', 'more')).toEqual(['extra.md']);
  expect((await found(project, 'component', '--collection', 'docs', '--collection', 'more')).sort()).toEqual([
    'extra.md',
    'hooks.md',
    'options.md',
  ]);
  expect(await found(project, 'component', `--collection=${other}`)).toEqual(['extra.md']);
  const outside = await runIn(scratchFolder(), ['ref', 'search', 'component', '-c', docs], project.env);
  expect(outside.stdout).not.toContain('extra.md');
  expect(outside.stdout).toContain('hooks.md');
});

test('C535 a collection that is not there, or not synced, is refused with the next move', async () => {
  const project = await synced();
  project.add({
    'context.json': JSON.stringify({ collections: { docs: docsCollection, new: { ...more, path: 'new' } } }),
  });
  const search = async (name: string) => (await project.run('ref', 'search', 'x', '-c', name)).stderr;
  expect(await search('dosc')).toContain('Use one of: docs, new.');
  expect(await search('new')).toContain('ai-assist collections sync new');
  expect(await search(`file:${'0'.repeat(64)}`)).toContain('is not indexed yet');
  const outside = await runIn(scratchFolder(), ['ref', 'search', 'x', '-c', 'docs'], project.env);
  expect(outside.code).toBe(1);
  expect(outside.stderr).toContain("'docs' is an alias");
});

test('C536 drop without a terminal and without --force drops nothing, and exits with 1', async () => {
  const project = await synced();
  const refused = await project.run('ref', 'drop', 'docs');
  expect(refused).toMatchObject({ code: 1, stdout: '' });
  expect(refused.stderr).toContain('Add --force');
  expect(await found(project, 'useState')).toEqual(['hooks.md']);
});

test('C536 drop --force drops from the index, keeps the project file, and a sync brings it back', async () => {
  const project = await synced();
  const { docs = '', more: other = '' } = await ids(project);
  expect((await project.run('ref', 'drop', 'docs', '--force')).stdout).toBe('Dropped docs from the index.\n');
  expect(await found(project, 'useState')).toEqual([]);
  expect(Object.keys(project.declared())).toEqual(['docs', 'more']);
  const again = await project.run('ref', 'drop', docs, '--force');
  expect(again.code).toBe(1);
  expect(again.stderr).toContain('is not indexed');
  expect(await project.json('ref', 'drop', other, '--force')).toEqual({ success: true, collection: other });
  await project.run('collections', 'sync', 'docs');
  expect(await found(project, 'useState')).toEqual(['hooks.md']);
});

test('C537 update still indexes a folder under a name, and says that it is deprecated and what replaces it', async () => {
  const project = projectWith({}, { 'docs/a.md': '# Apple', 'docs/b.txt': 'Pear' });
  const updated = await project.run('ref', 'update', '-c', 'docs', '-d', './docs', '-p', '**/*.txt');
  expect(updated.code).toBe(0);
  expect(updated.stderr).toContain('ref update is deprecated. Use collections add and collections sync instead.');
  expect(updated.stdout).toContain('+ adding: b.txt');
  expect(project.declared()).toEqual({ docs: { type: 'file', path: './docs', glob: '**/*.txt' } });
  project.add({ 'docs/c.txt': 'Cherry' });
  expect((await project.run('ref', 'update', '-c', 'docs', '-d', 'docs', '-p', '**/*.txt')).stdout).toContain('c.txt');
  expect((await project.json('ref', 'update', '-c', 'docs')).results).toMatchObject([{ status: 'unchanged' }]);
});

test('C537 update refuses to index another folder under a name that is taken', async () => {
  const project = await synced();
  const refused = await project.run('ref', 'update', '-c', 'docs', '-d', 'more');
  expect(refused.code).not.toBe(0);
  expect(refused.stderr).toContain('ai-assist collections remove docs');
  expect((await project.run('ref', 'update')).stderr).toContain('ref update -c NAME -d FOLDER -p PATTERN');
});

test('C539 ref read prints a document or a section as it is, and says how to read on', async () => {
  const project = projectWith(
    { docs: docsCollection },
    { 'docs/a.md': '# Apple\n\nRed \u001b[31mand\u001b[0m round.\n\n## Seeds\n\n- five\n- small\n' },
  );
  await project.run('collections', 'sync');
  const whole = await project.run('ref', 'read', '-c', 'docs', 'a.md');
  expect(whole.stdout).toBe('# Apple\n\nRed \\u001b[31mand\\u001b[0m round.\n\n## Seeds\n\n- five\n- small\n');
  expect((await project.run('ref', 'read', '-c', 'docs', 'a.md', '--section', 'Seeds')).stdout).toBe(
    '## Seeds\n\n- five\n- small\n',
  );
  const part = await project.run('ref', 'read', '-c', 'docs', 'a.md', '--max-tokens', '4');
  expect(part.stderr).toMatch(/There is more: add --from \d+\./);
  expect((await project.run('ref', 'read', 'a.md')).stderr).toContain('Write ref read -c COLLECTION PATH.');
});

test('C538 a ref command takes its own options only, and an unknown one is answered with those that are', async () => {
  const project = inProject();
  for (const args of [['ls', '--force'], ['drop', 'a', 'b'], ['update', '-c', 'x', '--limit', '1'], [], ['lst']]) {
    const { code, stderr } = await project.run('ref', ...args);
    expect({ args, code }).toEqual({ args, code: 2 });
    expect(stderr).toMatch(/Next: {2}.+/);
  }
  expect((await project.run('ref', 'lst')).stderr).toContain(
    'list-collections, ls, search, related, read, drop, update',
  );
});

test('R47 search answers as Markdown, as paths, with reasons, and within limits', async () => {
  const project = await synced();
  const shown = async (...args: string[]) => (await project.run('ref', 'search', 'component', ...args)).stdout;
  expect(await shown('--files', '--mode', 'keyword')).toMatch(/^(?:[a-z]+\.md\n){3}$/);
  expect(await shown('--md', '-n', '1')).toMatch(
    /^### .+\n\n`(?:docs|more)\/.+\.md`, lines 1 to 3\n\n> .*\*\*component\*\*/s,
  );
  expect(await shown('--explain', '-n1')).toMatch(/score [\d.]+; keyword rank 1, score [\d.]+/);
  expect(await shown('--path', 'hooks.*', '--files')).toBe('hooks.md\n');
  expect(await shown('--max-tokens', '120')).toContain('more had no room');
});

test.each([
  [['--mode', 'fuzzy'], 'Write --mode hybrid, keyword, vector.'],
  [['-n', 'many'], 'Write --limit 20.'],
  [['--max-tokens', '1.5'], 'Write --max-tokens 2000.'],
  [['--md', '--files'], 'Give one of them.'],
  [['x', '--limit', '0'], 'Write --limit 20.'],
  [['x', '--max-tokens', '30'], 'Write --max-tokens 2000.'],
  [['x', '--project', '/nonexistent'], 'Write the folder of your project'],
])('R47 %j is refused with what works', async (args, next) => {
  const refused = await inProject().run('ref', 'search', 'word', ...args);
  expect(refused).toMatchObject({ code: 2, stdout: '' });
  expect(refused.stderr).toContain(`Next:  ${next}`);
});

test('R48 related shows documents like one document', async () => {
  const project = await synced();
  const { code, stdout } = await project.run('ref', 'related', '-c', 'docs', 'hooks.md', '--files');
  expect(code).toBe(0);
  expect(stdout.split('\n').sort()).toEqual(['', 'extra.md', 'options.md']);
  expect((await project.run('ref', 'related', 'hooks.md')).stderr).toContain('Write ref related -c COLLECTION PATH.');
});
