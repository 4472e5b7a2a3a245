/** `ai-assist collections pack` and `manifest init`: making packages, and syncing what was made. */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { httpServer, page } from '../support/http-server.js';
import { scratchFolder } from '../support/scratch.js';
import { type InProject, inProject, projectWith } from './in-project.js';

const documents = { 'guide.md': '# Guide\n\nApple.', 'api/core.md': '# Core\n\nPear.' };
const manifest = (sources: object = { glob: ['**/*.md'] }) =>
  JSON.stringify({ name: 'fruit', version: '1.2.0', sources });
const source = () => inProject({ ...documents, 'manifest.json': manifest() });
const sha256 = (bytes: string | Uint8Array) => createHash('sha256').update(bytes).digest('hex');

test('C520 pack writes {name}-{version}.tar.gz, and says what went in', async () => {
  const project = source();
  const packed = await project.run('collections', 'pack');
  expect(packed).toMatchObject({ code: 0, stderr: '' });
  const bundle = path.join(project.folder, 'fruit-1.2.0.tar.gz');
  const bytes = readFileSync(bundle);
  expect(packed.stdout).toContain(`Packed 2 documents into ${bundle} (${bytes.length} bytes)\nsha256:${sha256(bytes)}`);
  expect(packed.stdout).toContain('guide.md (15 bytes)');
  expect(packed.stdout).toContain('api/core.md (13 bytes)');
});

test('C520 --manifest and --output name the two files; packing twice gives the same bytes', async () => {
  const project = inProject({ 'src/manifest.json': manifest(), 'src/guide.md': '# Guide' });
  const pack = ['collections', 'pack', '--manifest', 'src/manifest.json', '--output'];
  const [one, two] = [await project.json(...pack, 'one.tgz'), await project.json(...pack, 'two.tar.gz')];
  expect(one).toMatchObject({ success: true, documents: [{ path: 'guide.md', bytes: 7, hash: sha256('# Guide') }] });
  expect(one.file).toBe(path.join(project.folder, 'one.tgz'));
  expect(two.sha256).toBe(one.sha256);
});

test.each([
  { files: {}, next: 'ai-assist collections manifest init' },
  { files: { 'manifest.json': '{' }, next: '' },
  { files: { 'manifest.json': manifest({ files: ['gone.md'] }) }, next: '' },
  { files: { 'manifest.json': manifest({ files: ['../secret.md'] }) }, next: 'leave the file out' },
  { files: { 'manifest.json': manifest() }, next: 'sources.glob' },
])('C521 pack refuses $files, and leaves no bundle behind', async ({ files, next }) => {
  const project = inProject(files);
  const before = readdirSync(project.folder);
  const refused = await project.run('collections', 'pack');
  expect(refused).toMatchObject({ code: 1, stdout: '' });
  expect(refused.stderr).toMatch(/^Error: .+\nNext: {2}.+/);
  expect(refused.stderr).toContain(next);
  expect(readdirSync(project.folder)).toEqual(before);
});

test('C521 a rehearsal of pack answers the same, and writes nothing', async () => {
  const project = source();
  const rehearsed = await project.json('tool', 'collection_pack', '--dry-run');
  expect(existsSync(String(rehearsed.file))).toBe(false);
  const packed = await project.json('collections', 'pack');
  expect(rehearsed).toEqual({ ...packed, dryRun: true });
});

test('C522 manifest init makes a manifest that packs, and replaces one only with --force', async () => {
  const project = inProject(documents);
  const made = await project.run('collections', 'manifest', 'init');
  expect(made).toMatchObject({ code: 0, stderr: '' });
  expect(made.stdout).toContain('Next: ai-assist collections pack');
  expect(JSON.parse(project.read('manifest.json'))).toMatchObject({ version: '1.0.0', sources: { glob: ['**/*.md'] } });
  expect((await project.json('collections', 'pack')).documents).toHaveLength(2);
  project.add({ 'manifest.json': manifest() });
  const refused = await project.run('collections', 'manifest', 'init');
  expect(refused.code).toBe(1);
  expect(refused.stderr).toContain('--force');
  expect(project.read('manifest.json')).toBe(manifest());
  expect((await project.run('collections', 'manifest', 'init', '--force')).code).toBe(0);
  expect(JSON.parse(project.read('manifest.json')).name).toBe(path.basename(project.folder));
});

type Listed = { path: string; hash: string; title: string };

async function indexed(project: InProject, collection: string): Promise<Listed[]> {
  const { documents } = await project.json('tool', 'ref_list', '--collection', collection);
  return (documents as Listed[]).map(({ path: name, hash, title }) => ({ path: name, hash, title }));
}

test('C523 a bundle that pack made syncs from file:// and from HTTP to the same documents as its source', async () => {
  const made = source();
  const { file } = await made.json('collections', 'pack', '--output', path.join(scratchFolder(), 'fruit.tar.gz'));
  const server = await httpServer({ '/fruit.tar.gz': page(readFileSync(String(file)), { etag: true }) });
  const project = projectWith({
    source: { type: 'pkg', url: `file://${made.folder}/manifest.json` },
    disk: { type: 'pkg', url: `file://${file}` },
    http: { type: 'pkg', url: server.url('/fruit.tar.gz') },
  });
  expect(await project.run('collections', 'sync')).toMatchObject({ code: 0, stderr: '' });
  const expected = await indexed(project, 'source');
  expect(expected.map((document) => document.path)).toEqual(['api/core.md', 'guide.md']);
  expect(await indexed(project, 'disk')).toEqual(expected);
  expect(await indexed(project, 'http')).toEqual(expected);
  await project.run('collections', 'sync', 'http');
  expect(server.headers('/fruit.tar.gz').map((headers) => headers['if-none-match'])).toEqual([
    undefined,
    expect.any(String),
  ]);
});
