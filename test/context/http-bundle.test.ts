import { readdir } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';
import { packTar } from 'modern-tar';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { defaultLimits } from '../../src/context/source.js';
import { httpBundleSource } from '../../src/context/sources/http-bundle.js';
import { httpClient } from '../support/http-client.js';
import { httpServer, page } from '../support/http-server.js';
import { contents, manifestText, openChanged, openFailing, openSource, sha256 } from '../support/http-source.js';
import { scratchFolder } from '../support/scratch.js';

function bundleAt(url: string, limits = defaultLimits) {
  const source = httpBundleSource(url, httpClient().http, limits);
  onTestFinished(() => source.close());
  return source;
}

async function bundle(files: Record<string, string>, level = 6): Promise<Uint8Array> {
  const entries = Object.entries(files).map(([name, body]) => ({
    header: { name, size: Buffer.byteLength(body) },
    body,
  }));
  return gzipSync(await packTar(entries), { level });
}

describe('a bundle over HTTP', () => {
  const packed = () => bundle({ 'manifest.json': manifestText(['a.md', 'sub/b.md']), 'a.md': 'A', 'sub/b.md': 'B' });

  test('C360 is downloaded once, and its files are read from it', async () => {
    const server = await httpServer({ '/docs.tgz': await packed() });
    const listing = await openChanged(bundleAt(server.url('/docs.tgz')));
    expect(listing).toMatchObject({ name: 'docs', version: '1.2.0' });
    expect(await contents(listing)).toEqual({ 'a.md': 'A', 'sub/b.md': 'B' });
    expect(server.count()).toBe(1);
  });

  test('C360 that the server calls a gzip-encoded tar is the same bundle', async () => {
    const server = await httpServer({ '/docs.tgz': page(await packed(), { headers: { 'content-encoding': 'gzip' } }) });
    expect(await contents(await openChanged(bundleAt(server.url('/docs.tgz'))))).toEqual({
      'a.md': 'A',
      'sub/b.md': 'B',
    });
  });

  test('C361 that is unchanged costs one conditional request', async () => {
    const server = await httpServer({ '/docs.tgz': page(await packed(), { etag: true }) });
    const source = bundleAt(server.url('/docs.tgz'));
    const { state } = await openChanged(source);
    expect(await openSource(source, state)).toEqual({ changed: false, state });
    expect(server.count()).toBe(2);
    expect(server.headers('/docs.tgz')[1]?.['if-none-match']).toBe(state.etag);
  });

  test('C361 with the same bytes is unchanged, also without validators', async () => {
    const bytes = await packed();
    const server = await httpServer({ '/docs.tgz': bytes });
    const source = bundleAt(server.url('/docs.tgz'));
    const { state } = await openChanged(source);
    expect(state.bundleHash).toBe(sha256(bytes));
    expect(await openSource(source, state)).toEqual({ changed: false, state });
  });

  test('C362 that is large waits in a temporary file, which is gone in the end', async () => {
    const folder = scratchFolder();
    vi.stubEnv('TMPDIR', folder);
    onTestFinished(() => void vi.unstubAllEnvs());
    const ballast = '\0'.repeat(9 * 1024 * 1024);
    const files = {
      'manifest.json': manifestText(['a.md']),
      'a.md': 'A',
      b: ballast,
      c: ballast,
      d: ballast,
      e: ballast,
    };
    const server = await httpServer({ '/docs.tgz': await bundle(files, 0) });
    const source = bundleAt(server.url('/docs.tgz'));
    const listing = await openChanged(source);
    expect(await readdir(folder, { recursive: true })).toContainEqual(expect.stringMatching(/\bbundle\.tar\.gz$/));
    expect(await contents(listing)).toEqual({ 'a.md': 'A' });
    await source.close();
    expect(await readdir(folder)).toEqual([]);
  });

  test('C363 that is gone, too large or no archive is a failure with the URL', async () => {
    const server = await httpServer({ '/large.tgz': await packed(), '/text.tgz': 'not an archive' });
    const gone = await openFailing(bundleAt(server.url('/gone.tgz')));
    expect(gone).toMatchObject({ type: 'not_found', message: `404 Not Found: ${server.url('/gone.tgz')}` });
    expect(gone.instruction).toContain('project file');
    const large = await openFailing(bundleAt(server.url('/large.tgz'), { ...defaultLimits, maxBundleBytes: 50 }));
    expect(large.message).toBe(`Larger than the limit of 50 bytes: ${server.url('/large.tgz')}`);
    expect((await openFailing(bundleAt(server.url('/text.tgz')))).message).toContain(server.url('/text.tgz'));
  });
});
