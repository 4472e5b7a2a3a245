import { describe, expect, test } from 'vitest';
import { httpClient } from '../support/http-client.js';
import { held, httpServer, page, redirect, status } from '../support/http-server.js';

describe('time', () => {
  test('C327 a body that trickles on is given up when the time is over', async () => {
    const server = await httpServer({ '/a': held(Buffer.alloc(1_000_000)) });
    const failure = await httpClient({ timeoutMs: 100 }).failure(server.url('/a'));
    expect(failure.message).toBe(`No complete answer within 0.1 s: ${server.url('/a')}`);
    expect(failure.instruction).toContain('network.timeoutSeconds');
  });

  test('C327 a slow body that ends in time is whole', async () => {
    const slow = held('slow but whole');
    const server = await httpServer({ '/a': slow });
    const text = httpClient().text(server.url('/a'));
    await slow.waiting;
    slow.release();
    expect(await text).toBe('slow but whole');
  });

  test('C327 the caller stops it, with the reason that was given', async () => {
    const slow = held('never');
    const server = await httpServer({ '/a': slow });
    const stop = new AbortController();
    const failed = httpClient().failure(server.url('/a'), { signal: stop.signal });
    await slow.waiting;
    const reason = new Error('Stopped by the user');
    stop.abort(reason);
    expect(await failed).toBe(reason);
    expect(server.count('/a')).toBe(1);
  });

  test('C327 the caller stops it while it waits for the next try', async () => {
    const server = await httpServer({ '/a': status(503) });
    const stop = new AbortController();
    const reason = new Error('Stopped by the user');
    const sleep = (_ms: number, signal: AbortSignal) =>
      new Promise<void>((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason));
        stop.abort(reason);
      });
    expect(await httpClient({}, { sleep }).failure(server.url('/a'), { signal: stop.signal })).toBe(reason);
  });
});

describe('many at once', () => {
  test('C328 never more than the limit, and all of them in the end', async () => {
    const slow = held('slow');
    const server = await httpServer();
    const paths = Array.from({ length: 12 }, (_, index) => `/${index}`);
    let active = 0;
    let most = 0;
    for (const path of paths) {
      server.set(path, (request, response) => {
        most = Math.max(most, ++active);
        response.on('close', () => active--);
        slow(request, response);
      });
    }
    const { text } = httpClient({ concurrency: 3 });
    const all = Promise.all(paths.map((path) => text(server.url(path))));
    await expect.poll(() => active).toBe(3);
    slow.release();
    expect(await all).toEqual(paths.map(() => 'slow'));
    expect([most, server.count()]).toEqual([3, 12]);
  });

  test('C328 connections are used again', async () => {
    const server = await httpServer();
    const ports = new Set<number | undefined>();
    server.set('/a', (request, response) => {
      ports.add(request.socket.remotePort);
      page('x')(request, response);
    });
    const { text } = httpClient({ concurrency: 1 });
    for (let n = 0; n < 5; n++) await text(server.url('/a'));
    expect(ports.size).toBe(1);
  });
});

describe('closing', () => {
  test('C329 ends what is under way, and what comes later', async () => {
    const slow = held('never');
    const server = await httpServer({ '/a': slow });
    const { http, failure } = httpClient();
    const failed = failure(server.url('/a'));
    await slow.waiting;
    await http.close();
    expect((await failed).message).toBe('Fetch stopped: the client is closed');
    expect((await failure(server.url('/a'))).message).toBe('Fetch stopped: the client is closed');
    await http.close();
  });

  test('C329 a client that was never used closes too', async () => {
    await httpClient().http.close();
  });
});

describe('credentials in a URL', () => {
  const withUser = (url: string) => url.replace('http://', 'http://me:s%3Acret@');
  const basic = `Basic ${Buffer.from('me:s:cret').toString('base64')}`;

  test('C330 become basic auth, and stay with redirects on the same host', async () => {
    const server = await httpServer({ '/a': redirect('/b'), '/b': 'mine' });
    expect(await httpClient().text(withUser(server.url('/a')))).toBe('mine');
    expect(server.headers('/b')[0]?.authorization).toBe(basic);
  });

  test('C330 never go to another host, nor come from a redirect', async () => {
    const other = await httpServer({ '/b': 'theirs' });
    const server = await httpServer({ '/a': redirect(other.url('/b')), '/c': redirect('http://x:y@127.0.0.1:1/') });
    const allowed = httpClient({ allowHosts: ['127.0.0.1'] });
    expect(await allowed.text(withUser(server.url('/a')))).toBe('theirs');
    expect(server.headers('/a')[0]?.authorization).toBe(basic);
    expect(other.headers('/b')[0]?.authorization).toBeUndefined();
    server.set('/c', redirect(server.url('/d').replace('http://', 'http://x:y@')));
    server.set('/d', 'open');
    expect(await allowed.text(server.url('/c'))).toBe('open');
    expect(server.headers('/d')[0]?.authorization).toBeUndefined();
  });

  test('C330 are in no message, and neither is a query', async () => {
    const server = await httpServer({ '/a?token=hidden': status(403) });
    const failure = await httpClient().failure(withUser(server.url('/a?token=hidden')));
    expect(failure.message).toBe(`403 Forbidden: ${server.url('/a')}?…`);
    for (const text of [failure.message, failure.redacted, failure.instruction, JSON.stringify(failure.toEnvelope())]) {
      expect(text).not.toMatch(/cret|hidden/);
    }
    expect((await httpClient().failure('ftp://me:s%3Acret@host/x')).message).not.toContain('cret');
    expect((await httpClient().failure('http://me:s%3Acret@[bad/x')).message).not.toContain('cret');
  });

  test('C330 a long URL is cut, and odd characters are escaped', async () => {
    const server = await httpServer();
    const failure = await httpClient().failure(server.url(`/\u202e${'x'.repeat(5000)}`));
    expect(failure.message.length).toBeLessThan(200);
    expect(failure.message).toContain('%E2%80%AE');
  });
});
