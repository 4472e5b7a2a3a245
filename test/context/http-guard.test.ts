import type { LookupFunction } from 'node:net';
import { buildConnector } from 'undici';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type GetOptions, openHttp } from '../../src/context/http/fetch.js';
import { type BuildConnector, type Lookup, systemLookup } from '../../src/context/http/guarded-dispatcher.js';
import { redirectTarget } from '../../src/context/http/url.js';
import { type HttpServer, httpServer, page, redirect } from '../support/http-server.js';

const publicAddress = '93.184.216.34';
const refused = /^Not fetched from '.*', an address on a private network: /;

type Names = Record<string, string[] | (() => string[])>;

/** Names of a pretended network: each with the addresses that its DNS answers, and how often it was asked. */
function names(answers: Names) {
  const asked: string[] = [];
  const lookup: Lookup = async (hostname) => {
    asked.push(hostname);
    const answer = answers[hostname] ?? expect.fail(`Nobody should ask for ${hostname}`);
    const addresses = typeof answer === 'function' ? answer() : answer;
    return addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
  };
  return { lookup, asked };
}

/**
 * Stands in for the public network, which no test can reach: once the guard has judged the addresses, public ones
 * lead to loopback, and https is spoken without TLS.
 */
const pretendedInternet: BuildConnector = (options = {}) => {
  const judged = (options as { lookup: LookupFunction }).lookup;
  const connect = buildConnector({ ...options, lookup: wired(judged) });
  return (target, callback) => connect({ ...target, protocol: 'http:' }, callback);
};

function wired(judged: LookupFunction): LookupFunction {
  return (hostname, options, callback) =>
    judged(hostname, { ...options, all: true }, (error) => {
      if (error) callback(error, []);
      else if (options.all) callback(null, [{ address: '127.0.0.1', family: 4 }]);
      else callback(null, '127.0.0.1', 4);
    });
}

function client(lookup: Lookup = systemLookup, allowHosts: string[] = []) {
  const ports = {
    now: Date.now,
    random: () => 1,
    sleep: async () => {},
    lookup,
    buildConnector: pretendedInternet,
  };
  const http = openHttp({ timeoutMs: 60_000, allowHosts, concurrency: 4, userAgent: 'test/1' }, ports);
  onTestFinished(() => http.close());
  const signal = new AbortController().signal;
  return (url: string, options: Partial<GetOptions> = {}) =>
    http.get(url, { maxBytes: 1000, signal, trusted: false, ...options });
}

/** A server that closes each connection, so that every request looks its host up again. */
const closing = (body: string) => page(body, { headers: { connection: 'close' } });

const at = (host: string, server: HttpServer, path: string) => `http://${host}:${server.port}${path}`;

describe('a URL that a package names', () => {
  test.each([
    '127.0.0.1',
    '2130706433',
    '0x7f000001',
    '0177.0.0.1',
    '127.1',
    '127.0.0.1.',
    '0',
    '[::1]',
    '[::ffff:127.0.0.1]',
    '[::127.0.0.1]',
    'localhost',
  ])('C340 cannot lead to this machine as %s', async (host) => {
    const server = await httpServer({ '/a': 'secret' });
    await expect(client()(at(host, server, '/a'))).rejects.toThrow(refused);
    expect(server.count()).toBe(0);
  });

  test.each(['10.0.0.1', '169.254.169.254', '192.168.0.1', '100.64.0.1', '[fd00::1]', '[fe80::1]', '[64:ff9b::a00:1]'])(
    'C340 cannot lead to the private address %s',
    async (host) => {
      await expect(client()(`http://${host}/latest/meta-data`)).rejects.toThrow(refused);
    },
  );

  test.each([
    ['loopback', ['127.0.0.1']],
    ['a private address', ['10.1.2.3']],
    ['a public address and a private one', [publicAddress, '10.1.2.3']],
    ['mapped loopback', ['::ffff:127.0.0.1']],
  ])('C341 cannot lead to %s by a DNS answer', async (_what, addresses) => {
    const server = await httpServer({ '/a': 'secret' });
    const { lookup } = names({ 'evil.test': addresses });
    await expect(client(lookup)(at('evil.test', server, '/a'))).rejects.toThrow(refused);
    expect(server.count()).toBe(0);
  });

  test('C341 leads to a public address, which is looked up once', async () => {
    const server = await httpServer({ '/a': closing('fine') });
    const { lookup, asked } = names({ 'good.test': [publicAddress] });
    expect(await client(lookup)(at('good.test', server, '/a'))).toMatchObject({ status: 200, localHost: undefined });
    expect(asked).toEqual(['good.test']);
  });

  test('C342 cannot lead elsewhere when its name is answered anew', async () => {
    const server = await httpServer({ '/m': closing('manifest'), '/a': 'secret' });
    const answers = [[publicAddress], ['127.0.0.1']];
    const { lookup } = names({ 'rebind.test': () => answers.shift() ?? [] });
    const get = client(lookup);
    const manifest = await get(at('rebind.test', server, '/m'), { trusted: true });
    const localHost = 'localHost' in manifest ? manifest.localHost : 'not fetched';
    expect(localHost).toBeUndefined();
    await expect(get(at('rebind.test', server, '/a'), { localHost })).rejects.toThrow(refused);
    expect(server.count('/a')).toBe(0);
  });

  test('C342 a public host that shows a private address first is not taken for a private one', async () => {
    const server = await httpServer({ '/m': 'manifest' });
    const answers = [['127.0.0.1'], [publicAddress]];
    const { lookup } = names({ 'rebind.test': () => answers.shift() ?? [] });
    const got = client(lookup)(at('rebind.test', server, '/m'), { trusted: true });
    await expect(got).rejects.toThrow(`Host has moved to the public address '${publicAddress}'`);
    expect(server.count()).toBe(0);
  });
});

describe('a URL that the project file names', () => {
  test('C343 may be on this machine, and so may what is on the same host and port', async () => {
    const server = await httpServer({ '/m': 'manifest', '/a': 'file' });
    const get = client();
    const manifest = await get(server.url('/m'), { trusted: true });
    expect(manifest).toMatchObject({ localHost: `127.0.0.1:${server.port}` });
    const { localHost } = manifest as { localHost: string };
    expect(await get(server.url('/a'), { localHost })).toMatchObject({ status: 200 });
  });

  test('C343 does not open other ports, nor other names of its address', async () => {
    const server = await httpServer({ '/m': 'manifest', '/a': 'secret' });
    const other = await httpServer({ '/a': 'secret' });
    const get = client();
    const { localHost } = (await get(server.url('/m'), { trusted: true })) as { localHost: string };
    await expect(get(other.url('/a'), { localHost })).rejects.toThrow(refused);
    await expect(get(at('localhost', server, '/a'), { localHost })).rejects.toThrow(refused);
    expect([other.count(), server.count('/a')]).toEqual([0, 0]);
  });

  test('C343 may be a name with a private address', async () => {
    const server = await httpServer({ '/m': closing('manifest'), '/a': closing('file') });
    const { lookup } = names({ 'docs.internal': ['127.0.0.1'] });
    const get = client(lookup);
    const { localHost } = (await get(at('docs.internal', server, '/m'), { trusted: true })) as { localHost: string };
    expect(localHost).toBe(`docs.internal:${server.port}`);
    expect(await get(at('docs.internal', server, '/a'), { localHost })).toMatchObject({ status: 200 });
  });

  test('C343 one on the public network says that it is', async () => {
    const server = await httpServer({ '/m': 'manifest' });
    const { lookup } = names({ 'good.test': [publicAddress] });
    const got = await client(lookup)(at('good.test', server, '/m'), { trusted: true });
    expect(got).toMatchObject({ status: 200, localHost: undefined });
  });
});

describe('a redirect', () => {
  const { lookup } = names({ 'public.test': [publicAddress], 'docs.internal': ['127.0.0.1'] });

  test.each(['127.0.0.1', '2130706433', '[::ffff:7f00:1]', 'docs.internal'])(
    'C344 from the public network cannot lead to %s, also not of a trusted URL',
    async (host) => {
      const victim = await httpServer({ '/a': 'secret' });
      const server = await httpServer({ '/r': redirect(at(host, victim, '/a')) });
      for (const trusted of [true, false]) {
        await expect(client(lookup)(at('public.test', server, '/r'), { trusted })).rejects.toThrow(refused);
      }
      expect(victim.count()).toBe(0);
    },
  );

  test('C344 of a URL on this machine leads back to its own host and port only', async () => {
    const other = await httpServer({ '/a': 'secret' });
    const server = await httpServer({ '/r': redirect('/a'), '/s': redirect(other.url('/a')), '/a': 'mine' });
    const get = client();
    const localHost = `127.0.0.1:${server.port}`;
    expect(await get(server.url('/r'), { trusted: true })).toMatchObject({ status: 200, localHost });
    await expect(get(server.url('/s'), { trusted: true })).rejects.toThrow(refused);
    expect(other.count()).toBe(0);
  });

  test('C344 out to the public network closes the way back', async () => {
    const server = await httpServer({ '/b': 'public content', '/a': 'secret' });
    server.set('/out', redirect(at('public.test', server, '/b')));
    server.set('/there', redirect(at('public.test', server, '/back')));
    server.set('/back', redirect(server.url('/a')));
    const get = client(lookup);
    expect(await get(server.url('/out'), { trusted: true })).toMatchObject({ status: 200, localHost: undefined });
    await expect(get(server.url('/there'), { trusted: true })).rejects.toThrow(refused);
    expect(server.count('/a')).toBe(0);
  });

  test('C345 from https to http is refused', async () => {
    const server = await httpServer({ '/a': 'plain' });
    server.set('/r', redirect(at('public.test', server, '/a')));
    server.set('/s', redirect(`https://public.test:${server.port}/a`));
    const get = client(lookup);
    const https = (path: string) => `https://public.test:${server.port}${path}`;
    await expect(get(https('/r'))).rejects.toThrow(`Redirect from https to http: ${https('/r')}`);
    expect(server.count('/a')).toBe(0);
    expect(await get(https('/s'))).toMatchObject({ status: 200 });
  });

  test('C345 from http to https is followed', () => {
    expect(redirectTarget(new URL('http://a.test/x'), 'https://a.test/x')).toEqual({ to: new URL('https://a.test/x') });
  });
});

describe('hosts that the user allows', () => {
  test('C346 without any pretence: the name is reached where it is allowed, and only there', async () => {
    const server = await httpServer({ '/a': 'allowed' });
    const { lookup } = names({ 'docs.internal': ['127.0.0.1'] });
    const ports = { now: Date.now, random: () => 1, sleep: async () => {}, lookup };
    const ask = async (allowHosts: string[]) => {
      const http = openHttp({ timeoutMs: 60_000, allowHosts, concurrency: 4, userAgent: 'test/1' }, ports);
      onTestFinished(() => http.close());
      const { signal } = new AbortController();
      return http.get(at('docs.internal', server, '/a'), { maxBytes: 1000, signal, trusted: false });
    };
    await expect(ask([])).rejects.toThrow(refused);
    expect(server.count()).toBe(0);
    expect(await ask([`docs.internal:${server.port}`])).toMatchObject({ status: 200 });
  });

  test('C346 are reached by what others name, and by redirects', async () => {
    const server = await httpServer({ '/a': 'allowed', '/r': redirect('/a') });
    const { lookup } = names({ 'docs.internal': ['127.0.0.1'] });
    const get = client(lookup, ['docs.internal']);
    expect(await get(at('docs.internal', server, '/r'))).toMatchObject({ status: 200 });
    await expect(get(server.url('/a'))).rejects.toThrow(refused);
  });

  test('C346 the failure says how to allow one', async () => {
    const failure = await client()('http://10.0.0.1/a').catch((thrown) => thrown);
    expect(failure).toMatchObject({ type: 'internal' });
    expect(failure.instruction).toContain('network.allowHosts');
  });
});
