/** `ai-assist collections sync` and `list`: what is done, what is shown, and how it ends. */
import { createHash } from 'node:crypto';
import { rmSync, utimesSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { httpServer, page } from '../support/http-server.js';
import { docsCollection, type InProject, projectWith } from './in-project.js';

const files = { 'docs/a.md': '# Apple', 'docs/b.md': '# Pear' };
const docs = () => projectWith({ docs: docsCollection }, files);
const gone = { type: 'file', path: './gone', glob: '**/*.md' };

async function statuses(project: InProject): Promise<Record<string, string>> {
  const { collections } = await project.json('collections', 'list');
  const listed = collections as { name: string; status: string }[];
  return Object.fromEntries(listed.map(({ name, status }) => [name, status]));
}

test('C510 sync shows what is added, updated and removed, and a summary', async () => {
  const project = docs();
  const first = await project.run('collections', 'sync');
  expect(first).toMatchObject({ code: 0, stderr: '' });
  expect(first.stdout).toBe(
    'Syncing docs (file)...\n  + adding: a.md\n  + adding: b.md\n  ✓ 2 documents (2 added, 0 updated, 0 removed)\n\n',
  );
  project.add({ 'docs/a.md': '# Apricot', 'docs/c.md': '# Cherry' });
  rmSync(path.join(project.folder, 'docs', 'b.md'));
  expect((await project.run('collections', 'sync')).stdout).toBe(
    [
      'Syncing docs (file)...',
      '  + adding: c.md',
      '  ~ updating: a.md',
      '  - removing: b.md',
      '  ✓ 2 documents (1 added, 1 updated, 1 removed)\n\n',
    ].join('\n'),
  );
  expect((await project.run('collections', 'sync')).stdout).toBe(
    'Syncing docs (file)...\n  ✓ 2 documents (0 added, 0 updated, 0 removed)\n\n',
  );
});

test('C510 a package is fetched by its manifest, which the output says', async () => {
  const manifest = JSON.stringify({ name: 'pkg', version: '1', sources: { glob: ['*.md'] } });
  const project = projectWith(
    { ours: { type: 'pkg', url: 'file://./pkg/manifest.json' } },
    { 'pkg/manifest.json': manifest, 'pkg/a.md': '# Apple' },
  );
  expect((await project.run('collections', 'sync')).stdout).toBe(
    'Syncing ours (pkg)...\n  ↓ Fetching manifest...\n  + adding: a.md\n  ✓ 1 documents (1 added, 0 updated, 0 removed)\n\n',
  );
});

test('C511 sync takes one name, or all; a name that is not there is answered with those that are', async () => {
  const project = projectWith({ docs: docsCollection, more: { ...docsCollection, path: './more' } }, files);
  project.add({ 'more/m.md': '# Melon' });
  expect((await project.run('collections', 'sync', 'more')).stdout).not.toContain('docs');
  expect(await statuses(project)).toEqual({ docs: 'not synced', more: 'synced' });
  expect((await project.run('collections', 'sync')).code).toBe(0);
  expect(await statuses(project)).toEqual({ docs: 'synced', more: 'synced' });
  const missing = await project.run('collections', 'sync', 'mroe');
  expect(missing.code).toBe(1);
  expect(missing.stderr).toContain("No collection 'mroe'");
  expect(missing.stderr).toContain('Use one of: docs, more.');
});

test('C511 sync without any collection says how to add one', async () => {
  const { code, stdout } = await projectWith({}).run('collections', 'sync');
  expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining('collections add docs ./docs') });
});

test('C512 --dry-run shows what would be done, and changes nothing', async () => {
  const project = docs();
  const rehearsed = await project.run('collections', 'sync', '--dry-run');
  expect(rehearsed.code).toBe(0);
  expect(rehearsed.stdout).toContain('Would sync docs (file)...\n  + adding: a.md\n  + adding: b.md\n');
  expect(await statuses(project)).toEqual({ docs: 'not synced' });
  expect((await project.json('ref', 'ls')).collections).toEqual([]);
  await project.run('collections', 'sync');
  project.add({ 'docs/a.md': '# Apricot' });
  expect((await project.run('collections', 'sync', '--dry-run')).stdout).toContain('~ updating: a.md');
  expect((await project.json('ref', 'search', 'apricot')).results).toEqual([]);
  expect((await project.json('ref', 'search', 'apple')).results).toHaveLength(1);
});

test('C513 --force indexes every document again', async () => {
  const project = docs();
  await project.run('collections', 'sync');
  const forced = await project.json('collections', 'sync', '--force');
  expect(forced.results).toMatchObject([{ updated: ['a.md', 'b.md'], counts: { added: 0, updated: 2, removed: 0 } }]);
});

test('C514 a collection that fails gives exit code 1, and the others are done', async () => {
  const project = projectWith({ gone, docs: docsCollection }, files);
  const synced = await project.run('collections', 'sync');
  expect(synced.code).toBe(1);
  expect(synced.stdout).toContain('✓ 2 documents (2 added');
  expect(synced.stderr).toMatch(/Error: gone: The folder '.*gone' does not exist\nNext: {2}.+/);
  expect(await statuses(project)).toEqual({ gone: 'error', docs: 'synced' });
  const json = await project.run('collections', 'sync', '--json');
  expect(json).toMatchObject({ code: 1, stderr: '' });
  expect(JSON.parse(json.stdout)).toMatchObject({
    success: true,
    failed: 1,
    results: [
      {
        name: 'gone',
        status: 'failed',
        error: expect.stringContaining('does not exist'),
        instruction: expect.any(String),
      },
      { name: 'docs', status: 'unchanged' },
    ],
  });
});

test('C514 where all fail, each says why', async () => {
  const project = projectWith({ gone, lost: { type: 'pkg', url: 'file://./lost/manifest.json' } });
  const { code, stderr } = await project.run('collections', 'sync');
  expect(code).toBe(1);
  expect(stderr).toContain('Error: gone: The folder');
  expect(stderr).toContain('Error: lost: The manifest');
  expect(await project.json('collections', 'sync')).toMatchObject({
    success: false,
    error_type: 'not_found',
    failed: 2,
    results: [{ name: 'gone' }, { name: 'lost' }],
  });
});

test('C514 a collection that is declared wrongly fails alone, in sync and in list', async () => {
  const project = projectWith({ wrong: { type: 'pkg', url: 'nowhere' }, docs: docsCollection }, files);
  const synced = await project.run('collections', 'sync');
  expect(synced.code).toBe(1);
  expect(synced.stdout).toContain('✓ 2 documents (2 added');
  expect(synced.stderr).toContain("Error: wrong: collections.wrong.url: 'nowhere' is not a URL\nNext:  ");
  expect(await statuses(project)).toEqual({ wrong: 'error', docs: 'synced' });
  const alone = await project.json('collections', 'sync', 'wrong');
  expect(alone).toMatchObject({ success: false, error_type: 'invalid_argument', results: [{ type: 'pkg', id: null }] });
});

test('C515 a warning about a single file is shown, and alone gives exit code 0', async () => {
  const project = docs();
  project.add({ 'docs/image.md': Buffer.from([0, 1, 2, 3]) });
  const synced = await project.run('collections', 'sync');
  expect(synced.code).toBe(0);
  expect(synced.stderr).toBe('  ! image.md: the file is binary, not text\n');
  expect(synced.stdout).toContain('✓ 2 documents');
  expect(await statuses(project)).toEqual({ docs: 'synced' });
});

test('C516 list shows every collection with its type, source and status in a box', async () => {
  const far = 'https://docs.test/a/very/long/path/of/a/package/that/goes/on/v18/manifest.json';
  const project = projectWith({ docs: docsCollection, gone, far: { type: 'pkg', url: far } }, files);
  await project.run('collections', 'sync', 'docs');
  await project.run('collections', 'sync', 'gone');
  const { code, stdout } = await project.run('collections', 'list');
  expect(code).toBe(0);
  const lines = stdout.split('\n');
  expect(lines[0]).toMatch(/^┌─+┬─+┬─+┬─+┐$/);
  expect(lines[1]).toMatch(/^│ Name +│ Type +│ Source +│ Status +│$/);
  expect(lines[3]).toMatch(/^│ docs +│ file │ \.\/docs \(\*\*\/\*\.md\) +│ ✓ synced +│$/);
  expect(lines[4]).toMatch(/^│ gone +│ file │ .+│ ✗ error +│$/);
  expect(lines[5]).toMatch(/^│ far +│ pkg {2}│ https:\/\/docs\.test.+….+manifest\.json │ ⚠ not synced │$/);
  expect(lines[7]).toMatch(/^gone: The folder '.*' does not exist$/);
  expect((await projectWith({}).run('collections', 'list')).stdout).toContain('collections add docs ./docs');
});

test('C517 list says stale after a change of content, a new or a removed file, and synced after the next sync', async () => {
  const project = docs();
  const changes = [
    () => project.add({ 'docs/a.md': '# Apricot' }),
    () => project.add({ 'docs/c.md': '# Cherry' }),
    () => rmSync(path.join(project.folder, 'docs/b.md')),
  ];
  for (const change of changes) {
    await project.run('collections', 'sync');
    expect(await statuses(project)).toEqual({ docs: 'synced' });
    change();
    expect(await statuses(project)).toEqual({ docs: 'stale' });
  }
});

test('C517 a file that was only touched does not make a collection stale', async () => {
  const project = docs();
  await project.run('collections', 'sync');
  utimesSync(path.join(project.folder, 'docs/a.md'), 1_000_000, 1_000_000);
  expect(await statuses(project)).toEqual({ docs: 'synced' });
});

test('C518 list does not ask the network, also not for the remote files of a local manifest', async () => {
  const server = await httpServer({
    '/far.md': '# Far',
    '/pkg/manifest.json': page('{"name":"n","version":"1","sources":{"files":["x.md"]}}'),
    '/pkg/x.md': '# X',
  });
  const hash = `sha256:${createHash('sha256').update('# Apple').digest('hex')}`;
  const sources = { files: [{ path: 'a.md', hash }, { url: server.url('/far.md') }] };
  const project = projectWith(
    {
      mixed: { type: 'pkg', url: 'file://./manifest.json' },
      remote: { type: 'pkg', url: server.url('/pkg/manifest.json') },
    },
    { 'manifest.json': JSON.stringify({ name: 'mixed', version: '1', sources }), 'a.md': '# Apple' },
  );
  project.env.AI_ASSIST_ALLOW_HOSTS = `127.0.0.1:${server.port}`;
  expect(await project.run('collections', 'sync')).toMatchObject({ code: 0, stderr: '' });
  const asked = server.count();
  expect(await statuses(project)).toEqual({ mixed: 'synced', remote: 'synced' });
  expect(server.count()).toBe(asked);
});
