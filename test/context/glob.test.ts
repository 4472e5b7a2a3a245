import { appendFileSync, mkdirSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { defaultLimits, noState } from '../../src/context/source.js';
import { globSource } from '../../src/context/sources/glob.js';
import { documentAt, folderWith, listSource, never, pathsOf, textAt } from '../support/files.js';

const source = (folder: string, glob = '**/*.md', limits = defaultLimits) => globSource({ path: folder, glob }, limits);

test('C220 A folder with a glob lists its files, with a stat, and reads them', async () => {
  const folder = folderWith({ 'a.md': '# A', 'sub/b.md': '# B', 'c.txt': '' });
  const steps: string[] = [];
  const listing = await listSource(source(folder), { onStep: (step) => steps.push(step) });
  expect(pathsOf(listing)).toEqual(['a.md', 'sub/b.md']);
  expect(documentAt(listing, 'a.md').stat).toMatchObject({ size: 3 });
  expect(await textAt(listing, 'sub/b.md')).toBe('# B');
  expect(listing).toMatchObject({ changed: true, state: noState, warnings: [] });
  expect(steps).toEqual(['Listing files']);
});

test('C221 A folder that is missing, or is a file, is not found, and the failure says what to do', async () => {
  const folder = folderWith({ 'a.md': '' });
  const advice = { type: 'not_found', instruction: expect.stringContaining('correct the path') };
  const missing = path.join(folder, 'gone');
  await expect(listSource(source(missing))).rejects.toMatchObject({
    ...advice,
    message: `The folder '${missing}' does not exist`,
  });
  await expect(listSource(source(path.join(folder, 'a.md')))).rejects.toMatchObject(advice);
});

test('C222 A file larger than allowed is listed, and refused when it is read', async () => {
  const folder = folderWith({ 'a.md': '12345', 'b.md': '1234' });
  const listing = await listSource(source(folder, '*', { ...defaultLimits, maxFileBytes: 4 }));
  await expect(documentAt(listing, 'a.md').read(never)).rejects.toMatchObject({
    type: 'invalid_argument',
    message: "'a.md' has 5 bytes, more than the 4 allowed",
  });
  expect(await textAt(listing, 'b.md')).toBe('1234');
  appendFileSync(path.join(folder, 'b.md'), 'grown');
  await expect(documentAt(listing, 'b.md').read(never)).rejects.toMatchObject({ type: 'invalid_argument' });
});

test('C223 A file or folder that becomes a link to the outside after the listing is not read', async () => {
  const outside = folderWith({ 'a.md': 'secret', 'b.md': 'secret' });
  const folder = folderWith({ 'a.md': 'mine', 'sub/b.md': 'mine', 'ok/c.md': 'mine' });
  const listing = await listSource(source(folder));
  rmSync(path.join(folder, 'a.md'));
  symlinkSync(path.join(outside, 'a.md'), path.join(folder, 'a.md'));
  renameSync(path.join(folder, 'sub'), path.join(folder, 'old'));
  symlinkSync(outside, path.join(folder, 'sub'));
  for (const name of ['a.md', 'sub/b.md']) {
    await expect(documentAt(listing, name).read(never)).rejects.toMatchObject({
      type: 'invalid_argument',
      message: `'${name}' is a link that leaves its folder`,
    });
  }
});

test('C224 A file that is gone or no file any more fails alone', async () => {
  const folder = folderWith({ 'a.md': '', 'b.md': '', 'c.md': 'still here' });
  const listing = await listSource(source(folder));
  for (const name of ['a.md', 'b.md']) rmSync(path.join(folder, name));
  mkdirSync(path.join(folder, 'b.md'));
  await expect(documentAt(listing, 'a.md').read(never)).rejects.toMatchObject({ type: 'not_found' });
  await expect(documentAt(listing, 'b.md').read(never)).rejects.toMatchObject({ type: 'invalid_argument' });
  expect(await textAt(listing, 'c.md')).toBe('still here');
});

test('C225 Bytes are delivered as they are, binary ones and none at all too', async () => {
  const bytes = Uint8Array.from({ length: 100_000 }, (_, index) => index % 256);
  const folder = folderWith({ 'binary.md': bytes, 'empty.md': '' });
  const listing = await listSource(source(folder));
  expect(Buffer.from(await documentAt(listing, 'binary.md').read(never)).equals(bytes)).toBe(true);
  expect(await textAt(listing, 'empty.md')).toBe('');
});

test('C226 A read that is called off does not happen', async () => {
  const listing = await listSource(source(folderWith({ 'a.md': '' })));
  const stopped = AbortSignal.abort(new Error('called off'));
  await expect(documentAt(listing, 'a.md').read(stopped)).rejects.toThrow('called off');
});

test('C227 A folder reached through a link is the folder that the link leads to', async () => {
  const folder = folderWith({ 'docs/a.md': 'content' });
  symlinkSync('docs', path.join(folder, 'link'));
  const listing = await listSource(source(path.join(folder, 'link')));
  expect(await textAt(listing, 'a.md')).toBe('content');
});
