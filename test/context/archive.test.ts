import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createGzip, gzipSync } from 'node:zlib';
import { expect, onTestFinished, test, vi } from 'vitest';
import { defaultLimits, type SourceLimits } from '../../src/context/source.js';
import type { ArchiveInput } from '../../src/context/sources/archive.js';
import { extractArchive } from '../../src/context/sources/extract.js';
import { folderWith, never } from '../support/files.js';
import { scratchFolder } from '../support/scratch.js';
import { paxName, type TarEntry, tarball, tarEnd, tarEntry } from '../support/tarball.js';

/** Unpacks below a temporary folder of the test's own, so that what is left there can be seen. */
function unpacker() {
  const temporary = scratchFolder();
  vi.stubEnv('TMPDIR', temporary);
  onTestFinished(() => void vi.unstubAllEnvs());
  const unpack = async (input: ArchiveInput, limits: Partial<SourceLimits> = {}, signal = never) => {
    const extracted = await extractArchive(input, { limits: { ...defaultLimits, ...limits }, where: 'x.tgz', signal });
    onTestFinished(() => extracted.remove());
    return extracted;
  };
  return { unpack, temporary };
}

async function expectRefused(input: ArchiveInput, message: string | RegExp, limits: Partial<SourceLimits> = {}) {
  const { unpack, temporary } = unpacker();
  await expect(unpack(input, limits)).rejects.toMatchObject({
    type: 'invalid_argument',
    message: expect.stringMatching(message),
    instruction: expect.stringMatching(/./),
  });
  expect(readdirSync(temporary)).toEqual([]);
}

test('C240 An archive is unpacked into a folder that only its user can enter, and that remove takes away', async () => {
  const { unpack, temporary } = unpacker();
  const bytes = tarball([
    { name: './', type: '5' },
    { name: './a/', type: '5' },
    { name: './a/b.md', body: 'B' },
    { name: 'deep/er/c.md', body: 'C'.repeat(2000) },
    paxName(`${'long/'.repeat(60)}d.md`),
    { name: 'short', body: 'D' },
  ]);
  const { folder, files, sha256, remove } = await unpack(bytes);
  expect(files).toEqual(['a/b.md', 'deep/er/c.md', `${'long/'.repeat(60)}d.md`]);
  expect(readFileSync(path.join(folder, 'deep/er/c.md'), 'utf8')).toBe('C'.repeat(2000));
  expect(path.dirname(folder)).toBe(temporary);
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  expect(statSync(path.join(folder, 'a')).mode & 0o777).toBe(0o700);
  expect(statSync(path.join(folder, 'a/b.md')).mode & 0o777).toBe(0o600);
  expect(sha256).toMatch(/^[0-9a-f]{64}$/);
  const file = path.join(folderWith({ 'x.tgz': bytes }), 'x.tgz');
  expect(await unpack({ file })).toMatchObject({ files, sha256 });
  await remove();
  expect(existsSync(folder)).toBe(false);
});

const good = { name: 'a.md', body: 'A' };
const hostile: [string, TarEntry[], RegExp][] = [
  ['a name that climbs out', [{ name: '../evil.md' }], /leads out of the bundle/],
  ['a name that climbs out later', [{ name: 'a/b/../../../evil.md' }], /leads out of the bundle/],
  ['a name that climbs out in a pax header', [paxName('x/../../evil.md'), good], /leads out of the bundle/],
  ['an absolute name', [{ name: '/tmp/evil.md' }], /leads out of the bundle/],
  ['an absolute name of Windows', [{ name: 'C:/evil.md' }], /leads out of the bundle/],
  ['a name that climbs with backslashes', [{ name: '..\\evil.md' }], /leads out of the bundle/],
  ['a symbolic link', [{ name: 'link', type: '2', link: '/etc' }], /symlink/],
  ['a symbolic link with a file behind it', [{ name: 'l', type: '2', link: '/tmp' }, { name: 'l/evil' }], /symlink/],
  ['a hard link', [{ name: 'link.md', type: '1', link: '/etc/passwd' }], /is a link/],
  ['a device', [{ name: 'disk', type: '3' }], /character-device/],
  ['a block device', [{ name: 'disk', type: '4' }], /block-device/],
  ['a pipe', [{ name: 'pipe', type: '6' }], /fifo/],
  ['a line break in a name', [{ name: 'a\nb.md' }], /control or text-direction/],
  ['a NUL in a name', [paxName('a\0b.md'), good], /control or text-direction/],
  ['a text-direction mark in a name', [{ name: 'a\u202Edm.md' }], /control or text-direction/],
  ['a name as long as a book', [paxName('x/'.repeat(3000)), good], /longer than 1024/],
  ['one name twice', [good, good], /another entry has the same name/],
  ['a file that is a folder too', [good, { name: 'a.md/b.md' }], /another entry has the same name/],
];

test.each(hostile)('C241 An archive with %s is refused, and leaves nothing behind', async (_, entries, message) => {
  await expectRefused(tarball([{ name: 'first.md' }, ...entries]), message);
});

test('C242 A message about a hostile name is short and has nothing of it that steers a terminal', async () => {
  const { unpack } = unpacker();
  const failure = await unpack(tarball([paxName(`\u001B[2J${'x'.repeat(5000)}`), good])).catch((error) => error);
  expect(failure.message).not.toContain('\u001B');
  expect(failure.message.length).toBeLessThan(400);
});

/** A valid archive whose one file is zeros without end, or nearly. */
async function gzipBomb(megabytes: number): Promise<Buffer> {
  const zip = createGzip({ level: 1 });
  const chunks: Buffer[] = [];
  zip.on('data', (chunk) => chunks.push(chunk));
  const header = tarEntry({ name: 'bomb.md' });
  header.write(`${(megabytes * 2 ** 20).toString(8).padStart(11, '0')}\0`, 124);
  header.fill(' ', 148, 156);
  header.write(
    `${header
      .reduce((sum, byte) => sum + byte, 0)
      .toString(8)
      .padStart(6, '0')}\0 `,
    148,
  );
  zip.write(header);
  const zeros = Buffer.alloc(2 ** 20);
  for (let index = 0; index < megabytes; index++) {
    if (!zip.write(zeros)) await new Promise((resolve) => zip.once('drain', resolve));
  }
  zip.end(tarEnd);
  await new Promise((resolve) => zip.once('end', resolve));
  return Buffer.concat(chunks);
}

test('C243 A gzip bomb stops at the cap, in fixed memory and with a clean disk', async () => {
  const bomb = await gzipBomb(300);
  expect(bomb.length).toBeLessThan(4 * 2 ** 20);
  const before = process.memoryUsage().rss;
  await expectRefused(bomb, /unpacks to more than the 20971520 bytes allowed/, { maxUnpackedBytes: 20 * 2 ** 20 });
  expect(process.memoryUsage().rss - before).toBeLessThan(100 * 2 ** 20);
});

test('C244 Zeros after the end of the archive count against the cap too', async () => {
  const padded = gzipSync(Buffer.concat([tarEntry(good), tarEnd, Buffer.alloc(2 ** 20)]));
  await expectRefused(padded, /unpacks to more than/, { maxUnpackedBytes: 2 ** 20 });
});

/** Quick: the headers differ in seven digits and their sum. */
function manyEntries(count: number): Buffer {
  const template = tarEntry({ name: 'd/0000000.md', body: 'x' });
  const blocks = Buffer.alloc(count * template.length);
  const sum = Number.parseInt(template.toString('latin1', 148, 154), 8);
  for (let index = 0; index < count; index++) {
    const digits = String(index).padStart(7, '0');
    const more = [...digits].reduce((total, digit) => total + Number(digit), 0);
    template.copy(blocks, index * template.length);
    blocks.write(digits, index * template.length + 2);
    blocks.write((sum + more).toString(8).padStart(6, '0'), index * template.length + 148);
  }
  return gzipSync(Buffer.concat([blocks, tarEnd]), { level: 1 });
}

test('C245 An archive of 100,000 tiny entries is unpacked, or refused where that is too many', async () => {
  const bytes = manyEntries(100_000);
  const { unpack } = unpacker();
  const { folder, files } = await unpack(bytes);
  expect(files).toHaveLength(100_000);
  expect(readdirSync(path.join(folder, 'd'))).toHaveLength(100_000);
  await expectRefused(bytes, /more than the 5000 entries allowed/, { maxDocuments: 5000 });
});

const whole = tarball([
  { name: 'a.md', body: 'A'.repeat(5000) },
  { name: 'b.md', body: Buffer.alloc(700, 7) },
]);
const tar = Buffer.concat([tarEntry({ name: 'a.md', body: 'A'.repeat(5000) }), tarEnd]);
const flipped = (bytes: Buffer, at: number) =>
  Buffer.from(bytes.map((byte, index) => (index === at ? byte ^ 255 : byte)));

const damaged: [string, Buffer, RegExp][] = [
  ['nothing in it', Buffer.alloc(0), /ends too early|not a valid tar/],
  ['text in place of gzip', Buffer.from('<!doctype html>'), /not gzip data/],
  ['a gzip stream cut short', whole.subarray(0, whole.length - 20), /ends too early/],
  ['a flipped byte in its compressed data', flipped(whole, 30), /damaged|not a valid tar|ends too early/],
  ['a wrong checksum of its gzip stream', flipped(whole, whole.length - 6), /damaged/],
  ['a tar cut short in a file', gzipSync(tar.subarray(0, 3000)), /ends too early/],
  ['a tar without its end', gzipSync(tar.subarray(0, -1024)), /ends too early/],
  ['a flipped byte in a header', gzipSync(flipped(tar, 3)), /not a valid tar archive/],
  ['something after its end', gzipSync(Buffer.concat([tar, Buffer.from('more')])), /not a valid tar archive/],
  ['gzip around something else', gzipSync('hello'.repeat(500)), /not a valid tar archive/],
];

test.each(damaged)(
  'C246 An archive with %s is a clear failure, and leaves nothing behind',
  async (_, bytes, message) => {
    await expectRefused(bytes, message);
  },
);

test('C247 Unpacking that is called off stops and cleans up', async () => {
  const { unpack, temporary } = unpacker();
  await expect(unpack(whole, {}, AbortSignal.abort(new Error('called off')))).rejects.toThrow('called off');
  expect(readdirSync(temporary)).toEqual([]);
});

test('C248 Whatever bytes it is given, unpacking ends with a failure or inside its folder', async () => {
  const { unpack, temporary } = unpacker();
  const outside = path.join(temporary, 'outside');
  writeFileSync(outside, 'untouched');
  for (let at = 0; at < 512; at += 7) {
    const result = await unpack(gzipSync(flipped(tar, at))).catch((error) => error.type);
    if (typeof result === 'string') expect(result).toBe('invalid_argument');
    else expect(path.dirname(result.folder)).toBe(temporary);
  }
  expect(readFileSync(outside, 'utf8')).toBe('untouched');
});
