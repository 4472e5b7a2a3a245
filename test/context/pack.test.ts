import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, utimesSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { pack } from '../../src/context/pack.js';
import { defaultLimits, type Source } from '../../src/context/source.js';
import { localBundleSource } from '../../src/context/sources/local-bundle.js';
import { localManifestSource } from '../../src/context/sources/local-manifest.js';
import { addFiles, folderWith, listSource, never } from '../support/files.js';
import { scratchFolder } from '../support/scratch.js';

const about = { name: 'docs', version: '1.0.0' };
const hashOf = (bytes: string | Uint8Array) => createHash('sha256').update(bytes).digest('hex');
const manifestOf = (fields: object) => JSON.stringify({ ...about, ...fields });

function packageWith(fields: object, files: Record<string, string | Uint8Array> = {}): string {
  return folderWith({ ...files, 'manifest.json': manifestOf(fields) });
}

const packIn = (folder: string, output?: string, limits = defaultLimits) =>
  pack('manifest.json', output, limits, folder);

/** Headers and bodies of a tar whose names are short. */
function entriesOf(file: string) {
  const tar = gunzipSync(readFileSync(file));
  const entries: { name: string; header: Buffer; body: string }[] = [];
  for (let at = 0; tar[at] !== 0; ) {
    const header = tar.subarray(at, at + 512);
    const size = Number.parseInt(header.toString('latin1', 124, 135), 8);
    const name = header.toString('utf8', 0, 100).replace(/\0.*/s, '');
    entries.push({ name, header, body: tar.toString('utf8', at + 512, at + 512 + size) });
    at += 512 + size + (-size & 511);
  }
  return entries;
}

async function contents(source: Source) {
  const { documents, name, version, warnings } = await listSource(source);
  const read = documents.map(async (document) => [document.path, hashOf(await document.read(never))] as const);
  return { name, version, warnings, documents: Object.fromEntries(await Promise.all(read)) };
}

test('C270 Packing resolves globs, computes hashes and says what went in', async () => {
  const folder = packageWith({ sources: { glob: ['**/*.md'] } }, { 'b.md': 'B', 'a/z.md': '', 'x.txt': '' });
  const packed = await packIn(folder);
  expect(packed.file).toBe(path.join(folder, 'docs-1.0.0.tar.gz'));
  expect(packed.documents).toEqual([
    { path: 'a/z.md', bytes: 0, hash: hashOf('') },
    { path: 'b.md', bytes: 1, hash: hashOf('B') },
  ]);
  const bytes = readFileSync(packed.file);
  expect(packed).toMatchObject({ bytes: bytes.length, sha256: hashOf(bytes) });
  expect(readdirSync(folder).sort()).toEqual(['a', 'b.md', 'docs-1.0.0.tar.gz', 'manifest.json', 'x.txt']);
});

test('C271 The bundled manifest lists every file with its hash, sorted, without baseUrl', async () => {
  const fields = {
    sources: { files: ['b.md', 'a.md'] },
    metadata: { z: 1, a: [2] },
    description: 'D',
    baseUrl: './in',
  };
  const packed = await packIn(packageWith(fields, { 'in/a.md': 'A', 'in/b.md': 'B' }));
  const [manifest, ...rest] = entriesOf(packed.file);
  expect(manifest?.name).toBe('manifest.json');
  expect(manifest?.body).toBe(
    `${JSON.stringify(
      {
        ...about,
        description: 'D',
        sources: {
          files: [
            { path: 'a.md', hash: `sha256:${hashOf('A')}` },
            { path: 'b.md', hash: `sha256:${hashOf('B')}` },
          ],
        },
        metadata: { z: 1, a: [2] },
      },
      null,
      2,
    )}\n`,
  );
  expect(rest.map(({ name, body }) => [name, body])).toEqual([
    ['a.md', 'A'],
    ['b.md', 'B'],
  ]);
});

test('C272 Packing the same files gives the same bytes, whatever their times and their order on the disk', async () => {
  const names = ['z.md', 'a.md', 'ü.md', 'B.md', 'deep/er/c.md', `${'long name '.repeat(20)}.md`];
  const files = names.map((name) => [name, name.repeat(1000)] as const);
  const first = packageWith({ sources: { glob: ['**/*.md'] } }, Object.fromEntries(files));
  const second = packageWith({ sources: { glob: ['**/*.md'] } }, Object.fromEntries([...files].reverse()));
  for (const name of names) utimesSync(path.join(second, name), 1e9, 1e9);
  const one = await packIn(first);
  const two = await packIn(second, 'other.tgz');
  expect(readFileSync(two.file).equals(readFileSync(one.file))).toBe(true);
  expect((await packIn(first)).sha256).toBe(one.sha256);
});

test('C273 Times, owners and modes are fixed, in the tar and in the gzip header', async () => {
  const { file } = await packIn(packageWith({ sources: { glob: ['*.md'] } }, { 'a.md': 'A', 'b.md': 'B' }));
  for (const { header } of entriesOf(file)) {
    expect(header.toString('latin1', 100, 124)).toBe('0000644\x000000000\x000000000\0');
    expect(header.toString('latin1', 136, 147)).toBe('00000000000');
    expect(header.subarray(265, 329).every((byte) => byte === 0)).toBe(true);
  }
  expect([...readFileSync(file).subarray(0, 10)]).toEqual([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 2, 255]);
});

test('C274 A bundle syncs to the same documents as the manifest it was packed from', async () => {
  const binary = Uint8Array.from({ length: 3000 }, (_, index) => index % 256);
  const files = { 'a.md': 'A', '.hidden/b.md': 'B', 'deep/ü & 50%.md': 'C', 'bin.md': binary, 'empty.md': '' };
  const longName = `${'folder name/'.repeat(30)}d.md`;
  const folder = packageWith({ sources: { glob: ['**/*.md', '.hidden/**'] } }, { ...files, [longName]: 'D' });
  symlinkSync('a.md', path.join(folder, 'link.md'));
  const { file, documents } = await packIn(folder);
  const url = (name: string) => pathToFileURL(name).href;
  const nothing = () => Promise.reject(new Error('Nothing to fetch'));
  const source = await contents(localManifestSource(url(path.join(folder, 'manifest.json')), defaultLimits, nothing));
  const bundle = await contents(localBundleSource(url(file), defaultLimits));
  expect(bundle).toEqual(source);
  expect(Object.keys(bundle.documents)).toHaveLength(7);
  expect(Object.fromEntries(documents.map(({ path: name, hash }) => [name, hash]))).toEqual(bundle.documents);
});

test('C275 The bundle being written is never packed', async () => {
  const folder = packageWith({ sources: { glob: ['**'] } }, { 'a.md': 'A' });
  const first = await packIn(folder, 'out/x.tgz').catch((error) => error);
  expect(first).toMatchObject({ type: 'not_found' });
  mkdirSync(path.join(folder, 'out'));
  const one = await packIn(folder, 'out/x.tgz');
  const two = await packIn(folder, 'out/x.tgz');
  expect(two.documents.map((document) => document.path)).toEqual(['a.md']);
  expect(two.sha256).toBe(one.sha256);
  const listed = packageWith({ sources: { files: ['x.tgz'] } }, { 'x.tgz': '' });
  await expect(packIn(listed, 'x.tgz')).rejects.toMatchObject({ type: 'invalid_argument' });
});

const refusals: [string, object, RegExp][] = [
  ['a path that leaves the folder', { sources: { files: ['../secret.md'] } }, /'\.\.\/secret\.md' cannot be packed/],
  ['an absolute path', { sources: { files: ['/etc/passwd'] } }, /'\/etc\/passwd' cannot be packed/],
  ['a glob that leaves the folder', { sources: { glob: ['../*.md'] } }, /'\.\.\/\*\.md' cannot be packed/],
  ['an entry with a url', { sources: { files: [{ url: 'https://example.com/a.md' }] } }, /read from a URL/],
  ['a baseUrl on the network', { baseUrl: 'https://example.com/', sources: { files: ['a.md'] } }, /read from a URL/],
  ['a baseUrl elsewhere', { baseUrl: 'file:///', sources: { files: ['etc/passwd'] } }, /outside the manifest's folder/],
  ['a wrong hash', { sources: { files: [{ path: 'a.md', hash: `sha256:${'0'.repeat(64)}` }] } }, /does not match/],
  ['itself in its list', { sources: { files: ['manifest.json'] } }, /the manifest of the bundle has this name/],
  ['nothing to pack', { sources: { glob: ['*.nothing'] } }, /names no file/],
  ['a link to the outside', { sources: { glob: ['*.link'] } }, /leads out of the folder/],
  ['a listed link to the outside', { sources: { files: ['out.link'] } }, /leaves its folder/],
];

test.each(refusals)('C276 A manifest with %s is refused, and nothing is written', async (_, fields, message) => {
  const folder = packageWith(fields, { 'a.md': 'A' });
  symlinkSync('/etc/passwd', path.join(folder, 'out.link'));
  const before = readdirSync(folder);
  await expect(packIn(folder)).rejects.toMatchObject({
    type: 'invalid_argument',
    message: expect.stringMatching(message),
  });
  expect(readdirSync(folder)).toEqual(before);
});

test('C277 A listed file that is missing, and a missing manifest, are not found', async () => {
  const folder = packageWith({ sources: { files: ['gone.md'] } });
  await expect(packIn(folder)).rejects.toMatchObject({ type: 'not_found', message: "'gone.md' does not exist" });
  await expect(packIn(scratchFolder())).rejects.toMatchObject({ type: 'not_found' });
});

test.each([
  ['@org/Docs: all', 'v1/2', 'org-Docs-all-v1-2.tar.gz'],
  ['../../evil', '..', 'evil-package.tar.gz'],
  ['日本語', '1.0+b.2', '日本語-1.0+b.2.tar.gz'],
  ['a\u0000\nb', '1', 'a-b-1.tar.gz'],
])('C278 The bundle of %j %j is the file %s', async (name, version, file) => {
  const folder = packageWith({ name, version, sources: { glob: ['*.md'] } }, { 'a.md': 'A' });
  expect((await packIn(folder)).file).toBe(path.join(folder, file));
});

test('C279 An output that is no name of a bundle, or a folder, is refused and left alone', async () => {
  const folder = packageWith({ sources: { glob: ['*.md'] } }, { 'a.md': 'A', 'dir.tgz/b': '' });
  await expect(packIn(folder, 'manifest.json')).rejects.toMatchObject({ type: 'invalid_argument' });
  await expect(packIn(folder, 'dir.tgz')).rejects.toMatchObject({ type: 'invalid_argument' });
  expect(readFileSync(path.join(folder, 'manifest.json'), 'utf8')).toContain('docs');
  expect(readdirSync(folder).sort()).toEqual(['a.md', 'dir.tgz', 'manifest.json']);
});

test('C280 Packing keeps to the limits that a sync would apply, and an old bundle survives a failure', async () => {
  const folder = packageWith({ sources: { glob: ['*.md'] } }, { 'a.md': '12345', 'b.md': '1' });
  const old = await packIn(folder);
  addFiles(folder, { 'a.md': '123456' });
  for (const limit of [{ maxFileBytes: 5 }, { maxDocuments: 2 }, { maxBundleBytes: 50 }, { maxUnpackedBytes: 2048 }]) {
    const limits = { ...defaultLimits, ...limit };
    await expect(packIn(folder, undefined, limits)).rejects.toMatchObject({ type: 'invalid_argument' });
  }
  expect(hashOf(readFileSync(old.file))).toBe(old.sha256);
  expect(readdirSync(folder)).toHaveLength(4);
});

test('C281 A manifest under another name is packed as manifest.json, without a copy of itself', async () => {
  const folder = folderWith({ 'my.json': manifestOf({ sources: { glob: ['*.json', '*.md'] } }), 'a.md': 'A' });
  const { file, documents } = await pack('my.json', undefined, defaultLimits, folder);
  expect(documents.map((document) => document.path)).toEqual(['a.md']);
  expect(entriesOf(file).map((entry) => entry.name)).toEqual(['manifest.json', 'a.md']);
  addFiles(folder, { 'manifest.json': '{}' });
  await expect(pack('my.json', undefined, defaultLimits, folder)).rejects.toMatchObject({ type: 'invalid_argument' });
  expect(existsSync(file)).toBe(true);
});
