/** `ai-assist collections`: init, add, remove, and where the project is. */
import { existsSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { addFiles } from '../support/files.js';
import { scratchFolder } from '../support/scratch.js';
import { docsCollection, inProject, projectWith, runIn } from './in-project.js';

test('C500 init makes an empty project file, and says what to type next', async () => {
  const project = inProject();
  const made = await project.run('collections', 'init');
  expect(made).toMatchObject({ code: 0, stderr: '' });
  expect(made.stdout).toContain('context.json');
  expect(made.stdout).toContain('Next: ai-assist collections add');
  expect(JSON.parse(project.read('context.json'))).toEqual({ collections: {} });
});

test('C500 init leaves a project file that is there, unless --force is given', async () => {
  const project = projectWith({ docs: docsCollection });
  const refused = await project.run('collections', 'init');
  expect(refused.code).toBe(1);
  expect(refused.stderr).toContain('--force');
  expect(project.declared()).toEqual({ docs: docsCollection });
  expect(await project.json('collections', 'init')).toMatchObject({ success: false, error_type: 'conflict' });
  expect((await project.run('collections', 'init', '--force')).code).toBe(0);
  expect(project.declared()).toEqual({});
});

const url = 'https://docs.test/v18/manifest.json';

test.each([
  { args: ['--type', 'file', '--path', './docs', '--glob', '*.mdx'], entry: { ...docsCollection, glob: '*.mdx' } },
  { args: ['--path', './docs'], entry: docsCollection },
  { args: ['./docs'], entry: docsCollection },
  { args: ['docs', '--description', 'Ours'], entry: { ...docsCollection, path: 'docs', description: 'Ours' } },
  { args: ['--type', 'pkg', '--url', url], entry: { type: 'pkg', url } },
  { args: ['--url', url], entry: { type: 'pkg', url } },
  { args: [url], entry: { type: 'pkg', url } },
  { args: ['file://../shared/manifest.json'], entry: { type: 'pkg', url: 'file://../shared/manifest.json' } },
  { args: ['https://docs.test/v1.tar.gz'], entry: { type: 'pkg', url: 'https://docs.test/v1.tar.gz' } },
])('C501 add $args writes the entry, and its type is inferred', async ({ args, entry }) => {
  const project = projectWith({});
  const added = await project.run('collections', 'add', 'mine', ...args);
  expect(added).toMatchObject({ code: 0, stderr: '' });
  expect(added.stdout).toBe(`Added mine (${entry.type}).\nNext: ai-assist collections sync mine\n`);
  expect(project.declared()).toEqual({ mine: entry });
});

test.each([
  { args: [], code: 2, next: 'collections add NAME PATH' },
  { args: ['new'], code: 2, next: 'collections add NAME PATH' },
  { args: ['new', './a', '--path', './b'], code: 2, next: 'one path or one URL' },
  { args: ['new', './a', '--url', url], code: 2, next: 'one path or one URL' },
  { args: ['new', './a', '--type', 'folder'], code: 2, next: '--type file or --type pkg' },
  { args: ['new', './a', '--type', 'pkg'], code: 2, next: '--url URL' },
  { args: ['new', url, '--type', 'file'], code: 2, next: '--path PATH' },
  { args: ['new', './a', '--drop'], code: 2, next: '--help' },
  { args: ['new', './a', 'more'], code: 2, next: '--help' },
  { args: ['new', url, '--glob', '*.md'], code: 1, next: 'Leave glob out' },
  { args: ['old', './a'], code: 1, next: 'another name' },
  { args: ['new!', './a'], code: 1, next: 'letters, digits' },
  { args: ['new', 'https://docs.test/v18'], code: 1, next: '.tar.gz' },
  { args: ['new', 'ftp://docs.test/manifest.json'], code: 1, next: 'https://' },
])('C502 add $args is refused with the next move, and changes nothing', async ({ args, code, next }) => {
  const project = projectWith({ old: docsCollection });
  const before = project.read('context.json');
  const refused = await project.run('collections', 'add', ...args);
  expect(refused).toMatchObject({ code, stdout: '' });
  expect(refused.stderr).toMatch(/^Error: .+\nNext: {2}.+/);
  expect(refused.stderr).toContain(next);
  expect(project.read('context.json')).toBe(before);
});

test('C503 remove takes a collection out of the project file and keeps its documents; --drop drops them', async () => {
  const project = projectWith({ docs: docsCollection, twin: docsCollection }, { 'docs/a.md': '# Apple' });
  await project.run('collections', 'sync');
  const removed = await project.run('collections', 'remove', 'docs');
  expect(removed).toMatchObject({ code: 0, stdout: 'Removed docs from the project.\n' });
  expect(project.declared()).toEqual({ twin: docsCollection });
  expect((await project.json('ref', 'search', 'apple')).results).toHaveLength(1);
  const dropped = await project.run('collections', 'remove', 'twin', '--drop');
  expect(dropped.stdout).toBe('Removed twin from the project, and its documents from the index.\n');
  expect((await project.json('ref', 'ls')).collections).toEqual([]);
  expect((await project.json('ref', 'search', 'apple')).results).toEqual([]);
});

test('C503 remove says when there is no such collection, and when nothing was there to drop', async () => {
  const project = projectWith({ docs: docsCollection });
  const missing = await project.run('collections', 'remove', 'dosc');
  expect(missing.code).toBe(1);
  expect(missing.stderr).toContain("No collection 'dosc'");
  expect((await project.run('collections', 'remove')).code).toBe(2);
  expect(await project.json('collections', 'remove', 'docs', '--drop')).toMatchObject({ dropped: false });
});

test('C503 an entry whose URL is not valid can still be removed', async () => {
  const project = projectWith({ bad: { type: 'pkg', url: 'ftp://docs.test/x' }, docs: docsCollection });
  expect((await project.run('collections', 'list')).stdout).toContain('collections.bad.url');
  expect((await project.run('collections', 'remove', 'bad')).code).toBe(0);
  expect(project.declared()).toEqual({ docs: docsCollection });
});

test('C501 a path given below the root is kept as it is seen from the root', async () => {
  const project = projectWith({}, { 'packages/one/docs/a.md': '# Apple' });
  const below = path.join(project.folder, 'packages', 'one');
  for (const [name, given] of Object.entries({ inner: './docs', outer: '../../guides', far: '../../../far' })) {
    expect((await runIn(below, ['collections', 'add', name, given], project.env)).code).toBe(0);
  }
  expect(project.declared()).toMatchObject({
    inner: { path: './packages/one/docs' },
    outer: { path: './guides' },
    far: { path: '../far' },
  });
});

test('C502 a manifest or bundle by its path is refused with its URL as the next move', async () => {
  const { code, stderr } = await projectWith({}).run('collections', 'add', 'pkg', './pkg/manifest.json');
  expect(code).toBe(2);
  expect(stderr).toContain('Write file://./pkg/manifest.json');
});

test('C504 the project file is found above the working directory, or in --project DIR', async () => {
  const project = projectWith({ docs: docsCollection }, { 'docs/deep/a.md': '# Apple' });
  const below = path.join(project.folder, 'docs', 'deep');
  expect((await runIn(below, ['collections', 'sync'], project.env)).stdout).toContain('+ adding: deep/a.md');
  const elsewhere = scratchFolder();
  const search = ['ref', 'search', 'apple', '--collection', 'docs', '--project', project.folder];
  expect((await runIn(elsewhere, search, project.env)).stdout).toContain('deep/a.md:1');
  const listed = await runIn(elsewhere, ['collections', 'list', '--project', project.folder], project.env);
  expect(listed.stdout).toContain('✓ synced');
  const relative = path.relative(elsewhere, project.folder);
  await runIn(elsewhere, ['collections', 'add', 'more', './more', '--project', relative], project.env);
  expect(project.declared()).toHaveProperty('more');
});

test('C504 without a project file, commands say how to begin', async () => {
  const nowhere = inProject();
  for (const args of [['list'], ['sync'], ['add', 'docs', './docs'], ['remove', 'docs']]) {
    const { code, stderr } = await nowhere.run('collections', ...args);
    expect(code).toBe(1);
    expect(stderr).toContain('ai-assist collections init');
  }
});

test('C505 AI_ASSIST_PROJECT_CONFIG_FILE names the project file', async () => {
  const project = inProject({ 'docs/a.md': '# Apple' });
  const env = { ...project.env, AI_ASSIST_PROJECT_CONFIG_FILE: 'mine.json' };
  for (const args of [['init'], ['add', 'docs', './docs'], ['sync']])
    expect((await runIn(project.folder, ['collections', ...args], env)).code).toBe(0);
  expect(JSON.parse(project.read('mine.json')).collections).toEqual({ docs: docsCollection });
  expect(existsSync(path.join(project.folder, 'context.json'))).toBe(false);
  expect((await project.run('collections', 'list')).stderr).toContain('No context.json found');
});

test('C506 a command that is not there, or none, is answered with those that are', async () => {
  const project = inProject();
  for (const args of [[], ['lst'], ['manifest'], ['constructor']]) {
    const { code, stderr } = await project.run('collections', ...args);
    expect(code).toBe(2);
    expect(stderr).toContain('init, add, remove, change, update, list, sync, pack, manifest init');
  }
});

test('C506 --json prints the envelope alone, for every command', async () => {
  const project = inProject();
  addFiles(project.folder, { 'docs/a.md': '# Apple' });
  mkdirSync(path.join(project.folder, 'package'));
  const commands = [
    'init',
    'add docs ./docs',
    'list',
    'sync',
    'sync --dry-run',
    'manifest init',
    'pack',
    'remove docs',
  ];
  for (const command of commands) {
    const { code, stdout, stderr } = await project.run('collections', ...command.split(' '), '--json');
    expect({ command, code, stderr, success: JSON.parse(stdout).success }).toEqual({
      command,
      code: 0,
      stderr: '',
      success: true,
    });
  }
  const refused = await project.run('collections', 'remove', 'docs', '--json');
  expect(refused).toMatchObject({ code: 1, stderr: '' });
  expect(JSON.parse(refused.stdout)).toMatchObject({ success: false, error_type: 'not_found' });
});
