import { createHash } from 'node:crypto';
import { symlinkSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { defaultLimits } from '../../src/context/source.js';
import { localManifestSource } from '../../src/context/sources/local-manifest.js';
import { addFiles, documentAt, folderWith, listSource, never, openSource, pathsOf, textAt } from '../support/files.js';

const noFetch = () => Promise.reject(new Error('Nothing to fetch here'));
const hashOf = (text: string) => createHash('sha256').update(text).digest('hex');

function packageWith(manifest: object, files: Record<string, string> = {}): string {
  const about = { name: 'docs', version: '2.1.0' };
  return folderWith({ ...files, 'manifest.json': JSON.stringify({ ...about, ...manifest }) });
}

const urlOf = (...parts: string[]) => pathToFileURL(path.join(...parts)).href;
const source = (folder: string, fetchUrl: (url: string) => Promise<Uint8Array> = noFetch, limits = defaultLimits) =>
  localManifestSource(urlOf(folder, 'manifest.json'), limits, fetchUrl);

test('C230 The globs of a local manifest are relative to its folder, and leave out the manifest itself', async () => {
  const sources = { glob: ['**/*.md', '**/*.json'] };
  const folder = packageWith({ description: 'Standards', sources }, { 'a.md': 'A', 'x/b.md': '', 'x/c.json': '{}' });
  const listing = await listSource(source(folder));
  expect(pathsOf(listing)).toEqual(['a.md', 'x/b.md', 'x/c.json']);
  expect(documentAt(listing, 'a.md').stat).toMatchObject({ size: 1 });
  expect(listing).toMatchObject({ name: 'docs', version: '2.1.0', description: 'Standards', warnings: [] });
});

test('C231 Listed files come with their stat and the hash that the manifest promises', async () => {
  const files = ['a.md', { path: './x/50%.md', hash: `sha256:${hashOf('B').toUpperCase()}` }];
  const listing = await listSource(source(packageWith({ sources: { files } }, { 'a.md': 'A', 'x/50%.md': 'B' })));
  expect(pathsOf(listing)).toEqual(['a.md', 'x/50%.md']);
  expect(documentAt(listing, 'a.md')).not.toHaveProperty('declaredHash');
  expect(documentAt(listing, 'x/50%.md')).toMatchObject({ declaredHash: hashOf('B'), stat: { size: 1 } });
  expect(await textAt(listing, 'x/50%.md')).toBe('B');
});

test('C232 A listed file that is missing stays listed, and fails when it is read', async () => {
  const listing = await listSource(source(packageWith({ sources: { files: ['gone.md', 'a.md'] } }, { 'a.md': 'A' })));
  expect(pathsOf(listing)).toEqual(['gone.md', 'a.md']);
  expect(documentAt(listing, 'gone.md')).not.toHaveProperty('stat');
  await expect(documentAt(listing, 'gone.md').read(never)).rejects.toMatchObject({ type: 'not_found' });
});

test('C233 What leaves the folder of the manifest is never read', async () => {
  const outside = folderWith({ 'secret.md': 'secret' });
  const secret = urlOf(outside, 'secret.md');
  const files = ['../secret.md', '/etc/passwd', 'a/../../b.md', { url: secret }, 'link.md', 'a.md'];
  const folder = packageWith({ sources: { files } }, { 'a.md': 'A' });
  symlinkSync(path.join(outside, 'secret.md'), path.join(folder, 'link.md'));
  const listing = await listSource(source(folder));
  expect(pathsOf(listing)).toEqual(['link.md', 'a.md']);
  expect(listing.warnings).toHaveLength(4);
  await expect(documentAt(listing, 'link.md').read(never)).rejects.toMatchObject({ type: 'invalid_argument' });
});

test('C234 A baseUrl on the disk moves the folder that paths are relative to', async () => {
  const base = folderWith({ 'a.md': 'elsewhere' });
  const folder = packageWith({ baseUrl: urlOf(base), sources: { files: ['a.md', '../x.md'] } }, { 'a.md': 'here' });
  const listing = await listSource(source(folder));
  expect(pathsOf(listing)).toEqual(['a.md']);
  expect(await textAt(listing, 'a.md')).toBe('elsewhere');
  const relative = packageWith({ baseUrl: './docs', sources: { files: ['a.md'] } }, { 'docs/a.md': 'below' });
  expect(await textAt(await listSource(source(relative)), 'a.md')).toBe('below');
});

test('C235 Entries of a local manifest on the network are fetched by their URL', async () => {
  const remote = 'https://cdn.example.com/contributing.md';
  const fetched: string[] = [];
  const fetchUrl = async (url: string) => {
    fetched.push(url);
    return Buffer.from('remote');
  };
  const folder = packageWith({ sources: { files: [{ url: remote, hash: `sha256:${hashOf('remote')}` }] } });
  const listing = await listSource(source(folder, fetchUrl));
  expect(listing.documents).toMatchObject([{ path: remote, declaredHash: hashOf('remote') }]);
  expect(fetched).toEqual([]);
  expect(await textAt(listing, remote)).toBe('remote');
  const based = packageWith({ baseUrl: 'https://example.com/docs', sources: { files: ['a b.md'] } });
  expect(await textAt(await listSource(source(based, fetchUrl)), 'a b.md')).toBe('remote');
  expect(fetched).toEqual([remote, 'https://example.com/docs/a%20b.md']);
});

test('C236 A local manifest always lists its files, and its state is the hash of its bytes', async () => {
  const folder = packageWith({ sources: { glob: ['*.md'] } }, { 'a.md': '' });
  const { state } = await openSource(source(folder));
  expect(state.manifestHash).toMatch(/^[0-9a-f]{64}$/);
  addFiles(folder, { 'b.md': '' });
  const again = await listSource(source(folder), { previous: state });
  expect(again.state).toEqual(state);
  expect(pathsOf(again)).toEqual(['a.md', 'b.md']);
});

test('C237 A manifest that is missing, too large or not a manifest is a failure with a next move', async () => {
  const folder = folderWith({ 'a.md': '' });
  await expect(listSource(source(folder))).rejects.toMatchObject({
    type: 'not_found',
    instruction: expect.stringContaining('collections manifest init'),
  });
  const large = packageWith({ sources: { glob: ['*'] } });
  const limits = { ...defaultLimits, maxManifestBytes: 10 };
  await expect(listSource(source(large, noFetch, limits))).rejects.toMatchObject({ type: 'invalid_argument' });
  addFiles(folder, { 'manifest.json': '[]' });
  await expect(listSource(source(folder))).rejects.toMatchObject({ type: 'invalid_argument' });
  expect(() => localManifestSource('file://host/manifest.json', defaultLimits, noFetch)).toThrow('local file');
});

test('C238 An entry with a file URL inside the folder is read, also where links lead to the folder', async () => {
  const folder = folderWith();
  const url = urlOf(folder, 'link/a.md');
  addFiles(folder, {
    'real/a.md': 'A',
    'real/manifest.json': JSON.stringify({ name: 'docs', version: '1', sources: { files: [{ url }] } }),
  });
  symlinkSync('real', path.join(folder, 'link'));
  const listing = await listSource(source(path.join(folder, 'link')));
  expect(await textAt(listing, url)).toBe('A');
});

test('C239 A manifest whose every glob is unsafe is a failure', async () => {
  const folder = packageWith({ sources: { glob: ['../**'] } });
  await expect(listSource(source(folder))).rejects.toMatchObject({ type: 'invalid_argument' });
});
