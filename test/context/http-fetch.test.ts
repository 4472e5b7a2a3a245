import zlib from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { httpClient } from '../support/http-client.js';
import { cutChunked, cutShort, hangUp, httpServer, page, redirect, status } from '../support/http-server.js';

describe('a fetch', () => {
  test('C320 brings the bytes and the validators, and says who asks', async () => {
    const server = await httpServer({
      '/a.md': page('# A', { etag: '"one"', lastModified: 'Wed, 14 Jan 2026 12:00:00 GMT' }),
    });
    const got = await httpClient().get(server.url('/a.md'));
    expect(got).toMatchObject({ status: 200, etag: '"one"', lastModified: 'Wed, 14 Jan 2026 12:00:00 GMT' });
    expect('bytes' in got && Buffer.from(got.bytes).toString()).toBe('# A');
    expect(server.headers('/a.md')[0]).toMatchObject({ 'user-agent': 'test/1' });
  });

  test('C320 keeps the query and leaves out the fragment', async () => {
    const server = await httpServer({ '/a.md?v=1': 'one' });
    expect(await httpClient().text(`${server.url('/a.md?v=1')}#part`)).toBe('one');
  });

  test('C320 brings an empty body', async () => {
    const server = await httpServer({ '/a.md': '', '/b.md': page('', { headers: { 'content-encoding': 'gzip' } }) });
    const { text } = httpClient();
    expect([await text(server.url('/a.md')), await text(server.url('/b.md'))]).toEqual(['', '']);
  });

  test.each(['ftp://example.com/a', 'file:///etc/passwd', 'data:text/plain,x', 'not a url'])(
    'refuses %s',
    async (url) => {
      expect(await httpClient().failure(url)).toMatchObject({ type: 'invalid_argument' });
    },
  );
});

describe('a conditional request', () => {
  test('C321 by ETag or by Last-Modified gets not modified', async () => {
    const when = 'Wed, 14 Jan 2026 12:00:00 GMT';
    const server = await httpServer({ '/tag': page('x', { etag: '"t"' }), '/time': page('x', { lastModified: when }) });
    const { get } = httpClient();
    expect(await get(server.url('/tag'), { etag: '"t"' })).toEqual({ status: 304, notModified: true });
    expect(await get(server.url('/time'), { lastModified: when })).toEqual({ status: 304, notModified: true });
    expect(await get(server.url('/tag'), { etag: '"other"' })).toMatchObject({ status: 200 });
  });

  test('C321 a 304 that nobody asked for is a failure', async () => {
    const server = await httpServer({ '/a': status(304) });
    expect((await httpClient().failure(server.url('/a'))).message).toContain('304 Not Modified');
  });

  test('C321 a validator that cannot be sent back is not kept', async () => {
    const server = await httpServer({ '/a': page('x', { headers: { etag: '"caf\u00e9"' } }) });
    expect(await httpClient().get(server.url('/a'))).toMatchObject({ status: 200, etag: null });
  });
});

describe('statuses', () => {
  test.each([
    [404, 'not_found', '404 Not Found: '],
    [410, 'not_found', '410 Gone: '],
    [403, 'internal', '403 Forbidden: '],
    [204, 'internal', '204 No Content: '],
    [599, 'internal', '599 Unknown Status: '],
  ])('C322 %i is %s, once, with the URL', async (code, type, text) => {
    const server = await httpServer({ '/a.md': status(code) });
    const failure = await httpClient().failure(server.url('/a.md'));
    expect(failure).toMatchObject({ type, message: `${text}${server.url('/a.md')}` });
    expect(failure.instruction).not.toBe('');
    expect(server.count()).toBe(1);
  });

  test('C322 401 says where credentials go', async () => {
    const server = await httpServer({ '/a.md': status(401) });
    expect((await httpClient().failure(server.url('/a.md'))).instruction).toContain('user:password@');
  });
});

describe('retries', () => {
  test.each([429, 500, 502, 503, 504])('C323 status %i twice, then success', async (code) => {
    const server = await httpServer();
    server.set('/a', status(code), status(code), 'fine');
    const { text, slept } = httpClient();
    expect(await text(server.url('/a'))).toBe('fine');
    expect(slept).toEqual([250, 500]);
  });

  test('C323 Retry-After is kept, in seconds and as a date', async () => {
    const server = await httpServer();
    const date = 'Wed, 14 Jan 2026 12:00:05 GMT';
    server.set('/a', status(429, { 'retry-after': '7' }), status(503, { 'retry-after': date }), 'fine');
    const { text, slept } = httpClient();
    expect(await text(server.url('/a'))).toBe('fine');
    expect(slept).toEqual([7000, 5000]);
  });

  test('C323 three tries and no more', async () => {
    const server = await httpServer({ '/a': status(500) });
    expect((await httpClient().failure(server.url('/a'))).message).toBe(
      `500 Internal Server Error: ${server.url('/a')}`,
    );
    expect(server.count('/a')).toBe(3);
  });

  test('C323 no wait that outlasts the time for the fetch', async () => {
    const server = await httpServer({ '/a': status(429, { 'retry-after': '25' }) });
    const { failure, slept } = httpClient({ timeoutMs: 20_000 });
    expect((await failure(server.url('/a'))).message).toContain('429 Too Many Requests');
    expect([server.count('/a'), slept]).toEqual([1, []]);
  });

  test.each([
    ['a connection broken before the answer', hangUp],
    ['a body cut short', cutShort('half of it')],
    ['a chunked body cut short', cutChunked('half of it')],
    [
      'a compressed body cut short',
      page(zlib.gzipSync('whole').subarray(0, 12), { headers: { 'content-encoding': 'gzip' } }),
    ],
  ])('C323 %s is tried again', async (_what, broken) => {
    const server = await httpServer();
    server.set('/a', broken, broken, 'whole');
    expect(await httpClient().text(server.url('/a'))).toBe('whole');
    server.set('/b', broken);
    const failure = await httpClient().failure(server.url('/b'));
    expect(failure).toMatchObject({ type: 'internal' });
    expect(failure.message).toMatch(/^(Connection broken|Answer cut short): http/);
    expect(server.count('/b')).toBe(3);
  });

  test('C323 a refused connection names the host and keeps what is indexed', async () => {
    const failure = await httpClient().failure('http://127.0.0.1:1/m.json');
    expect(failure.message).toBe('Connection refused: http://127.0.0.1:1/m.json');
    expect(failure.instruction).toContain('What is indexed stays');
  });

  test('C323 a host that does not exist is asked for once', async () => {
    let asked = 0;
    const lookup = async () => {
      asked++;
      throw Object.assign(new Error('getaddrinfo'), { code: 'ENOTFOUND' });
    };
    const failure = await httpClient({}, { lookup }).failure('https://nowhere.test/m.json');
    expect([failure.message, asked]).toEqual(['Host not found: https://nowhere.test/m.json', 1]);
  });
});

describe('redirects', () => {
  test('C324 are followed, relative ones too', async () => {
    const server = await httpServer({ '/1': redirect('/2', 301), '/2': redirect('3', 308), '/3': 'here' });
    expect(await httpClient().text(server.url('/1'))).toBe('here');
  });

  test('C324 five and no more', async () => {
    const server = await httpServer({ '/end': 'here' });
    for (let n = 1; n < 6; n++) server.set(`/${n}`, redirect(`/${n + 1}`));
    server.set('/6', redirect('/end'));
    const { text, failure } = httpClient();
    expect(await text(server.url('/2'))).toBe('here');
    expect((await failure(server.url('/1'))).message).toBe(`More than 5 redirects: ${server.url('/1')}`);
  });

  test('C324 a loop ends', async () => {
    const server = await httpServer({ '/a': redirect('/a') });
    await httpClient().failure(server.url('/a'));
    expect(server.count('/a')).toBe(6);
  });

  test.each([
    ['ftp://example.com/x', 'Redirect away from http'],
    ['file:///etc/passwd', 'Redirect away from http'],
    ['http://[', 'Redirect without a target'],
  ])('C324 to %s: %s', async (location, message) => {
    const server = await httpServer({ '/a': redirect(location) });
    expect((await httpClient().failure(server.url('/a'))).message).toBe(`${message}: ${server.url('/a')}`);
  });

  test('C324 without a Location', async () => {
    const server = await httpServer({ '/a': status(302) });
    expect((await httpClient().failure(server.url('/a'))).message).toContain('Redirect without a target');
  });
});
