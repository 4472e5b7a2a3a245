import { describe, expect, test } from 'vitest';
import { defaultLimits } from '../../src/context/source.js';
import { httpManifestSource } from '../../src/context/sources/http-manifest.js';
import { httpClient } from '../support/http-client.js';
import { held, httpServer, page, redirect, status } from '../support/http-server.js';
import { contents, manifestText, openChanged, openFailing, openSource, sha256 } from '../support/http-source.js';

function manifestAt(url: string, { allowHosts = [] as string[], limits = defaultLimits } = {}) {
  return httpManifestSource(url, httpClient({ allowHosts }).http, limits);
}

describe('a manifest over HTTP', () => {
  test('C350 lists its files with their hashes, and each is fetched when it is read', async () => {
    const server = await httpServer({
      '/v1/manifest.json': manifestText(['a.md', { path: 'sub/b c.md', hash: `sha256:${sha256('B')}` }], {
        description: 'Docs',
      }),
      '/v1/a.md': 'A',
      '/v1/sub/b%20c.md': 'B',
    });
    const listing = await openChanged(manifestAt(server.url('/v1/manifest.json')));
    expect(listing).toMatchObject({ name: 'docs', version: '1.2.0', description: 'Docs', warnings: [] });
    expect(listing.documents.map(({ declaredHash }) => declaredHash)).toEqual([undefined, sha256('B')]);
    expect(server.count()).toBe(1);
    expect(await contents(listing)).toEqual({ 'a.md': 'A', 'sub/b c.md': 'B' });
    expect(server.count()).toBe(3);
  });

  test('C350 takes paths from baseUrl, and a url as it is', async () => {
    const server = await httpServer({ '/base/a.md': 'A', '/elsewhere/b.md': 'B' });
    const files = ['a.md', { url: server.url('/elsewhere/b.md') }];
    server.set('/v1/manifest.json', manifestText(files, { baseUrl: server.url('/base/') }));
    const listing = await openChanged(manifestAt(server.url('/v1/manifest.json')));
    expect(await contents(listing)).toEqual({ 'a.md': 'A', [server.url('/elsewhere/b.md')]: 'B' });
  });

  test('C350 behind a redirect keeps its files beside the URL of the project file', async () => {
    const server = await httpServer({
      '/m.json': redirect('/moved/m.json'),
      '/moved/m.json': manifestText(['a.md']),
      '/a.md': 'A',
    });
    expect(await contents(await openChanged(manifestAt(server.url('/m.json'))))).toEqual({ 'a.md': 'A' });
  });

  test.each([
    ['an ETag', { etag: true as const }],
    ['Last-Modified', { lastModified: 'Wed, 14 Jan 2026 12:00:00 GMT' }],
  ])('C351 that is unchanged costs one conditional request, with %s', async (_what, options) => {
    const server = await httpServer({ '/m.json': page(manifestText(['a.md']), options), '/a.md': 'A' });
    const source = manifestAt(server.url('/m.json'));
    const { state } = await openChanged(source);
    expect(await openSource(source, state)).toEqual({ changed: false, state });
    expect([server.count('/m.json'), server.count()]).toEqual([2, 2]);
    expect(Object.keys(server.headers('/m.json')[1] ?? {})).toContain(
      'etag' in options ? 'if-none-match' : 'if-modified-since',
    );
  });

  test('C351 with the same content is unchanged, whatever its validators say', async () => {
    const server = await httpServer();
    const text = manifestText(['a.md']);
    server.set('/m.json', page(text, { etag: '"1"' }), page(text, { etag: '"2"' }));
    const source = manifestAt(server.url('/m.json'));
    const { state } = await openChanged(source);
    expect(state).toEqual({ manifestHash: sha256(text), bundleHash: null, etag: '"1"', lastModified: null });
    expect(await openSource(source, state)).toEqual({ changed: false, state: { ...state, etag: '"2"' } });
  });

  test('C351 that changes is listed again', async () => {
    const server = await httpServer();
    server.set('/m.json', page(manifestText(['a.md']), { etag: true }), page(manifestText(['b.md']), { etag: true }));
    const source = manifestAt(server.url('/m.json'));
    const { state } = await openChanged(source);
    const again = await openChanged(source, state);
    expect(again.documents.map(({ path }) => path)).toEqual(['b.md']);
  });

  test('C351 is asked for without conditions where nothing is known, so that force works', async () => {
    const server = await httpServer({ '/m.json': page(manifestText(['a.md']), { etag: true }) });
    const source = manifestAt(server.url('/m.json'));
    await openChanged(source);
    await openChanged(source);
    expect(server.headers('/m.json')[1]).not.toHaveProperty('if-none-match');
  });

  test.each([404, 410])('C352 that is gone (%i) names the URL and the next move', async (code) => {
    const server = await httpServer({ '/m.json': status(code) });
    const failure = await openFailing(manifestAt(server.url('/m.json').replace('//', '//me:secret@')));
    expect(failure).toMatchObject({ type: 'not_found', message: expect.stringContaining(server.url('/m.json')) });
    expect(failure.instruction).toContain('project file');
    expect(JSON.stringify(failure.toEnvelope())).not.toContain('secret');
  });

  test.each([
    ['another status', status(418), /^418 I'm a Teapot: http/, 'internal'],
    ['no JSON', '<html>', /m\.json/, 'invalid_argument'],
    ['no manifest', '{"name":1}', /m\.json/, 'invalid_argument'],
    ['globs', '{"name":"x","version":"1","sources":{"glob":["**/*.md"]}}', /glob/, 'invalid_argument'],
  ])('C352 that is %s is a failure', async (_what, content, message, type) => {
    const server = await httpServer({ '/m.json': content });
    const failure = await openFailing(manifestAt(server.url('/m.json')));
    expect(failure).toMatchObject({ type, message: expect.stringMatching(message) });
    expect(failure.instruction).not.toBe('');
  });

  test('C352 on a host that is not there is a failure that names it', async () => {
    const failure = await openFailing(manifestAt('http://127.0.0.1:1/m.json'));
    expect(failure).toMatchObject({ type: 'internal', message: 'Connection refused: http://127.0.0.1:1/m.json' });
  });

  test('C352 that is larger than the limit, or lists too many files, is a failure', async () => {
    const server = await httpServer({ '/m.json': manifestText(['a.md', 'b.md']) });
    const tooLarge = manifestAt(server.url('/m.json'), { limits: { ...defaultLimits, maxManifestBytes: 20 } });
    expect((await openFailing(tooLarge)).message).toContain('Larger than the limit of 20 bytes');
    const tooMany = manifestAt(server.url('/m.json'), { limits: { ...defaultLimits, maxDocuments: 1 } });
    expect(await openFailing(tooMany)).toMatchObject({ type: 'invalid_argument' });
  });

  test('C353 a file that cannot be had fails alone', async () => {
    const server = await httpServer({
      '/m.json': manifestText(['a.md', 'gone.md', 'broken.md', 'large.md']),
      '/a.md': 'A',
      '/broken.md': status(500),
      '/large.md': 'x'.repeat(101),
    });
    const source = manifestAt(server.url('/m.json'), { limits: { ...defaultLimits, maxFileBytes: 100 } });
    expect(await contents(await openChanged(source))).toEqual({
      'a.md': 'A',
      'gone.md': `not_found: 404 Not Found: ${server.url('/gone.md')}`,
      'broken.md': `internal: 500 Internal Server Error: ${server.url('/broken.md')}`,
      'large.md': `internal: Larger than the limit of 100 bytes: ${server.url('/large.md')}`,
    });
  });

  test('C353 a file that is read can be stopped', async () => {
    const slow = held('A');
    const server = await httpServer({ '/m.json': manifestText(['a.md']), '/a.md': slow });
    const { documents } = await openChanged(manifestAt(server.url('/m.json')));
    const stop = new AbortController();
    const read = documents[0]?.read(stop.signal);
    await slow.waiting;
    stop.abort(new Error('stopped'));
    await expect(read).rejects.toThrow('stopped');
  });

  test('C354 on this machine cannot lead to its other ports, unless that host is allowed', async () => {
    const other = await httpServer({ '/secret': 'S' });
    const server = await httpServer({ '/m.json': manifestText(['a.md', { url: other.url('/secret') }]), '/a.md': 'A' });
    const url = other.url('/secret');
    const listing = await openChanged(manifestAt(server.url('/m.json')));
    expect(await contents(listing)).toEqual({
      'a.md': 'A',
      [url]: `internal: Not fetched from '127.0.0.1', an address on a private network: ${url}`,
    });
    expect(other.count()).toBe(0);
    const allowed = manifestAt(server.url('/m.json'), { allowHosts: [`127.0.0.1:${other.port}`] });
    expect(await contents(await openChanged(allowed))).toEqual({ 'a.md': 'A', [url]: 'S' });
  });

  test('C355 its credentials go with every file of its own origin, and nowhere else', async () => {
    const other = await httpServer({ '/b.md': 'B' });
    const server = await httpServer({ '/a.md': 'A', '/c.md': 'C' });
    const files = ['a.md', { url: other.url('/b.md') }, { url: server.url('/c.md') }];
    server.set('/m.json', manifestText(files));
    const source = manifestAt(server.url('/m.json').replace('//', '//me:secret@'), { allowHosts: ['127.0.0.1'] });
    const listing = await openChanged(source);
    expect(Object.values(await contents(listing))).toEqual(['A', 'B', 'C']);
    expect(JSON.stringify(listing)).not.toContain('secret');
    const basic = `Basic ${Buffer.from('me:secret').toString('base64')}`;
    const sent = ['/m.json', '/a.md', '/c.md'].map((path) => server.headers(path)[0]?.authorization);
    expect(sent).toEqual([basic, basic, basic]);
    expect(other.headers('/b.md')[0]?.authorization).toBeUndefined();
  });
});
