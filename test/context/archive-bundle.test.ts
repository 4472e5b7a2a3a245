import { createHash } from 'node:crypto';
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, onTestFinished, test, vi } from 'vitest';
import { defaultLimits, noState } from '../../src/context/source.js';
import { bundleSource } from '../../src/context/sources/bundle.js';
import { localBundleSource } from '../../src/context/sources/local-bundle.js';
import { documentAt, folderWith, listSource, never, openSource, pathsOf, textAt } from '../support/files.js';
import { scratchFolder } from '../support/scratch.js';
import { bundle, tarball } from '../support/tarball.js';

const about = { name: 'docs', version: '1.0.0' };
const hashOf = (bytes: string | Uint8Array) => createHash('sha256').update(bytes).digest('hex');

const sourceOf = (bytes: Uint8Array, limits = defaultLimits) =>
  bundleSource(async () => ({ changed: true, bytes, state: { ...noState, etag: '"1"' } }), limits, 'docs.tgz');

test('C250 A bundle lists the files of its manifest with their hashes, and reads them', async () => {
  const files = ['a.md', { path: 'x/b.md', hash: `sha256:${hashOf('B')}` }];
  const bytes = bundle({ ...about, description: 'Docs', sources: { files } }, { 'a.md': 'A', 'x/b.md': 'B' });
  const steps: string[] = [];
  const listing = await listSource(sourceOf(bytes), { onStep: (step) => steps.push(step) });
  expect(pathsOf(listing)).toEqual(['a.md', 'x/b.md']);
  expect(documentAt(listing, 'x/b.md').declaredHash).toBe(hashOf('B'));
  // A temporary file says nothing about the next sync.
  expect(documentAt(listing, 'a.md')).not.toHaveProperty('stat');
  expect(await textAt(listing, 'x/b.md')).toBe('B');
  expect(listing).toMatchObject({ ...about, description: 'Docs', warnings: [] });
  expect(listing.state).toMatchObject({ bundleHash: hashOf(bytes), etag: '"1"' });
  expect(steps).toEqual(['Unpacking bundle']);
});

test('C251 Globs apply to what the bundle holds, without its manifest', async () => {
  const bytes = bundle(
    { ...about, sources: { glob: ['**/*.md', '*.json'] } },
    { 'a.md': 'A', 'x/b.md': '', 'c.json': '' },
  );
  expect(pathsOf(await listSource(sourceOf(bytes)))).toEqual(['a.md', 'c.json', 'x/b.md']);
});

test('C252 baseUrl and entries with a url are ignored, with a warning each', async () => {
  const files = ['a.md', { url: 'https://example.com/b.md' }, { url: 'file:///etc/passwd' }];
  const bytes = bundle({ ...about, baseUrl: 'https://example.com/', sources: { files } }, { 'a.md': 'A' });
  const listing = await listSource(sourceOf(bytes));
  expect(pathsOf(listing)).toEqual(['a.md']);
  expect(await textAt(listing, 'a.md')).toBe('A');
  expect(listing.warnings.map((warning) => warning.path)).toEqual([
    'manifest.json',
    'https://example.com/b.md',
    'file:///etc/passwd',
  ]);
});

test('C253 A bundle with the same bytes as at the last sync is unchanged, and is not unpacked', async () => {
  const bytes = bundle({ ...about, sources: { files: [] } });
  const { state } = await openSource(sourceOf(bytes));
  const steps: string[] = [];
  const again = await openSource(sourceOf(bytes), { previous: state, onStep: (step) => steps.push(step) });
  expect(again).toEqual({ changed: false, state });
  expect(steps).toEqual([]);
  const changed = bundle({ ...about, version: '2', sources: { files: [] } });
  expect(await openSource(sourceOf(changed), { previous: state })).toMatchObject({ changed: true, version: '2' });
});

test('C254 What is known to be unchanged before any byte was read stays so', async () => {
  const state = { ...noState, etag: '"2"' };
  expect(await openSource(bundleSource(async () => ({ changed: false, state }), defaultLimits))).toEqual({
    changed: false,
    state,
  });
});

test('C255 A manifest in the only folder that has one at the top is the root', async () => {
  const manifest = { name: 'package/manifest.json', body: JSON.stringify({ ...about, sources: { glob: ['**'] } }) };
  const wrapped = tarball([manifest, { name: 'package/a.md', body: 'A' }, { name: 'other/b.md' }]);
  const listing = await listSource(sourceOf(wrapped));
  expect(pathsOf(listing)).toEqual(['a.md']);
  expect(await textAt(listing, 'a.md')).toBe('A');
  const both = tarball([manifest, { ...manifest, name: 'manifest.json' }]);
  expect(pathsOf(await listSource(sourceOf(both)))).toEqual(['package/manifest.json']);
});

test('C256 A bundle without a manifest, or with several and none at its root, is a failure', async () => {
  const body = JSON.stringify({ ...about, sources: { files: [] } });
  const failure = { type: 'invalid_argument', instruction: expect.stringContaining('manifest.json') };
  for (const names of [['a.md'], ['x/manifest.json', 'y/manifest.json'], ['x/y/manifest.json']]) {
    const bytes = tarball(names.map((name) => ({ name, body })));
    await expect(openSource(sourceOf(bytes))).rejects.toMatchObject(failure);
  }
});

test('C257 The unpacked files are gone after close, and after a failure', async () => {
  const temporary = scratchFolder();
  vi.stubEnv('TMPDIR', temporary);
  onTestFinished(() => void vi.unstubAllEnvs());
  const source = sourceOf(bundle({ ...about, sources: { files: ['a.md'] } }, { 'a.md': 'A' }));
  const listing = await listSource(source);
  expect(readdirSync(temporary)).toHaveLength(1);
  await source.close();
  expect(readdirSync(temporary)).toEqual([]);
  await expect(documentAt(listing, 'a.md').read(never)).rejects.toMatchObject({ type: 'not_found' });
  await source.close();
  const bad = sourceOf(tarball([{ name: 'manifest.json', body: '{' }]));
  await expect(bad.open({ previous: undefined, signal: never, onStep: () => {} })).rejects.toThrow();
  expect(readdirSync(temporary)).toEqual([]);
});

test('C258 Paths of a bundled manifest stay in the bundle', async () => {
  const secret = folderWith({ 'secret.md': 'secret' });
  const files = ['../secret.md', path.join(secret, 'secret.md'), 'gone.md'];
  const listing = await listSource(sourceOf(bundle({ ...about, sources: { files } })));
  expect(pathsOf(listing)).toEqual(['gone.md']);
  expect(listing.warnings).toHaveLength(2);
  await expect(documentAt(listing, 'gone.md').read(never)).rejects.toMatchObject({ type: 'not_found' });
});

test('C259 A document or manifest in a bundle that is larger than allowed is refused', async () => {
  const bytes = bundle({ ...about, sources: { files: ['a.md'] } }, { 'a.md': '12345' });
  const listing = await listSource(sourceOf(bytes, { ...defaultLimits, maxFileBytes: 4 }));
  await expect(documentAt(listing, 'a.md').read(never)).rejects.toMatchObject({ type: 'invalid_argument' });
  const small = { ...defaultLimits, maxManifestBytes: 5 };
  await expect(openSource(sourceOf(bytes, small))).rejects.toMatchObject({ type: 'invalid_argument' });
});

test('C260 A bundle on the disk is read by its file URL, within its cap', async () => {
  const bytes = bundle({ ...about, sources: { glob: ['*.md'] } }, { 'a.md': 'A' });
  const folder = folderWith({ 'my docs.tar.gz': bytes });
  const url = pathToFileURL(path.join(folder, 'my docs.tar.gz')).href;
  const listing = await listSource(localBundleSource(url, defaultLimits));
  expect(await textAt(listing, 'a.md')).toBe('A');
  expect(listing.state.bundleHash).toBe(hashOf(bytes));
  expect(await openSource(localBundleSource(url, defaultLimits), { previous: listing.state })).toMatchObject({
    changed: false,
  });
  const small = { ...defaultLimits, maxBundleBytes: 10 };
  await expect(openSource(localBundleSource(url, small))).rejects.toMatchObject({ type: 'invalid_argument' });
  const missing = pathToFileURL(path.join(folder, 'gone.tgz')).href;
  await expect(openSource(localBundleSource(missing, defaultLimits))).rejects.toMatchObject({ type: 'not_found' });
  expect(existsSync(path.join(folder, 'my docs.tar.gz'))).toBe(true);
});

test('C261 A bundle that changes between its hash and its unpacking is a conflict', async () => {
  const folder = folderWith({ 'x.tgz': bundle({ ...about, sources: { files: [] } }) });
  const file = path.join(folder, 'x.tgz');
  const source = bundleSource(async () => ({ changed: true, bytes: { file }, state: noState }), defaultLimits);
  const swap = (step: string) => {
    if (step === 'Unpacking bundle') writeFileSync(file, bundle({ ...about, version: '9', sources: { files: [] } }));
  };
  await expect(openSource(source, { onStep: swap })).rejects.toMatchObject({ type: 'conflict' });
});
