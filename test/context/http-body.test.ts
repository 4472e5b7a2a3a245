import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import zlib from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { httpClient } from '../support/http-client.js';
import { cutShort, httpServer, lying, page, unmeasured } from '../support/http-server.js';
import { scratchFolder } from '../support/scratch.js';

describe('size caps', () => {
  const large = Buffer.alloc(5000, 'x');

  test.each([
    ['declared', page(large)],
    ['undeclared', unmeasured(large)],
    ['compressed', page(large, { encoding: 'gzip' })],
    ['compressed with br', page(large, { encoding: 'br' })],
    ['compressed with deflate', page(large, { encoding: 'deflate' })],
  ])('C325 a body that is too large, %s, is refused without another try', async (_how, reply) => {
    const server = await httpServer({ '/a': reply });
    const failure = await httpClient().failure(server.url('/a'), { maxBytes: 4999 });
    expect(failure.message).toBe(`Larger than the limit of 4999 bytes: ${server.url('/a')}`);
    expect(server.count('/a')).toBe(1);
    expect(await httpClient().text(server.url('/a'), { maxBytes: 5000 })).toHaveLength(5000);
  });

  test('C325 a body that is not read does not keep its connection', async () => {
    const coded = page(Buffer.alloc(5_000_000), { headers: { 'content-encoding': 'odd' } });
    const server = await httpServer({ '/large': Buffer.alloc(5_000_000), '/odd': coded, '/b': 'next' });
    const { failure, text } = httpClient({ concurrency: 1 });
    await failure(server.url('/large'), { maxBytes: 10 });
    await failure(server.url('/odd'), { maxBytes: 5_000_000 });
    expect(await text(server.url('/b'))).toBe('next');
  });

  test('C325 a small bomb of two layers is refused', async () => {
    const bomb = zlib.gzipSync(zlib.gzipSync(Buffer.alloc(50_000_000)));
    const server = await httpServer({ '/a': page(bomb, { headers: { 'content-encoding': 'gzip, gzip' } }) });
    expect((await httpClient().failure(server.url('/a'))).message).toContain('Larger than the limit');
  });

  test('C325 a Content-Length that is too small cannot hide the rest behind it', async () => {
    const server = await httpServer({ '/a': lying('0123456789', 4) });
    const outcome = await httpClient()
      .text(server.url('/a'), { maxBytes: 5 })
      .catch(() => 'failed');
    expect(['0123', 'failed']).toContain(outcome);
  });

  test('C325 a Content-Length that is too large is a broken body', async () => {
    const server = await httpServer({ '/a': lying('0123', 10) });
    expect((await httpClient().failure(server.url('/a'))).message).toBe(`Answer cut short: ${server.url('/a')}`);
    expect(server.count('/a')).toBe(3);
  });
});

describe('content encodings', () => {
  test.each(['gzip', 'br', 'deflate', 'raw deflate'] as const)('C326 %s is decoded', async (encoding) => {
    const server = await httpServer({ '/a': page('# Über', { encoding }) });
    expect(await httpClient().text(server.url('/a'))).toBe('# Über');
  });

  test('C326 two layers are decoded from the outside in', async () => {
    const bytes = zlib.brotliCompressSync(zlib.gzipSync('inside'));
    const server = await httpServer({ '/a': page(bytes, { headers: { 'content-encoding': 'gzip, br' } }) });
    expect(await httpClient().text(server.url('/a'))).toBe('inside');
  });

  test.each(['compress', 'gzip, gzip, gzip', 'constructor'])("C326 '%s' is refused", async (encoding) => {
    const server = await httpServer({ '/a': page('x', { headers: { 'content-encoding': encoding } }) });
    expect((await httpClient().failure(server.url('/a'))).message).toContain('Unknown Content-Encoding');
  });

  test('C326 a damaged one is a failure', async () => {
    const server = await httpServer({ '/a': page('not compressed', { headers: { 'content-encoding': 'gzip' } }) });
    expect((await httpClient().failure(server.url('/a'))).message).toContain('Compressed answer is damaged');
  });
});

describe('downloads', () => {
  const download = async (body: Uint8Array, options: { memoryBytes: number; maxBytes?: number }, headers = {}) => {
    const server = await httpServer({ '/b.tgz': page(body, { headers, etag: '"b"' }) });
    const { http, signal } = httpClient();
    const file = path.join(scratchFolder(), 'bundle');
    const newFile = async () => file;
    const got = http.download(server.url('/b.tgz'), { maxBytes: 1e7, signal, trusted: true, newFile, ...options });
    return { got, file, server };
  };
  const bytes = randomBytes(300_000);

  test('C331 up to a size in memory, above it in a file, whole', async () => {
    const small = await (await download(bytes, { memoryBytes: 300_000 })).got;
    const { got, file } = await download(bytes, { memoryBytes: 299_999 });
    const large = await got;
    expect(small).toMatchObject({ status: 200, etag: '"b"' });
    expect('content' in small && small.content instanceof Uint8Array && bytes.equals(small.content)).toBe(true);
    expect(large).toMatchObject({ content: { file } });
    expect(bytes.equals(await readFile(file))).toBe(true);
  });

  test('C331 a download that fails leaves no file', async () => {
    const server = await httpServer({ '/b.tgz': unmeasured(bytes) });
    const { http, signal } = httpClient();
    const file = path.join(scratchFolder(), 'bundle');
    const options = { maxBytes: 299_999, memoryBytes: 10, signal, trusted: true, newFile: async () => file };
    await expect(http.download(server.url('/b.tgz'), options)).rejects.toThrow('Larger than the limit');
    expect(existsSync(file)).toBe(false);
  });

  test('C331 a file of a broken try is written anew', async () => {
    const server = await httpServer();
    server.set('/b.tgz', cutShort(bytes, 200_000), page(bytes));
    const { http, signal } = httpClient();
    const file = path.join(scratchFolder(), 'bundle');
    const options = { maxBytes: 1e7, memoryBytes: 10, signal, trusted: true, newFile: async () => file };
    expect(await http.download(server.url('/b.tgz'), options)).toMatchObject({ content: { file } });
    expect(bytes.equals(await readFile(file))).toBe(true);
  });

  test('C331 are asked for as they are, and kept as they came', async () => {
    const packed = zlib.gzipSync('a tar');
    const { got, server } = await download(packed, { memoryBytes: 1000 }, { 'content-encoding': 'gzip' });
    expect(await got).toMatchObject({ content: packed });
    expect(server.headers('/b.tgz')[0]?.['accept-encoding']).toBe('identity');
    const { got: refused } = await download(packed, { memoryBytes: 1000 }, { 'content-encoding': 'br' });
    await expect(refused).rejects.toThrow('Unknown Content-Encoding');
  });
});
