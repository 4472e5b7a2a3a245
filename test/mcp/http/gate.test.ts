/** Who is let in: names of the server, web pages, and requests that came by a proxy. */
import { request } from 'node:http';
import { expect, test } from 'vitest';
import { hostNames, isLoopback } from '../../../src/mcp/http/gate.js';
import { callOf, post, rpc, served } from '../../support/http-mcp.js';

/** The status of a request with headers that fetch would not send. */
function statusWith(url: string, headers: Record<string, string>, method = 'POST'): Promise<number> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, headers: { 'content-type': 'application/json', ...headers } }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    sent.on('error', reject);
    sent.end(method === 'POST' ? JSON.stringify(rpc('tools/list')) : undefined);
  });
}

const accept = { accept: 'application/json, text/event-stream' };

test.each([
  ['localhost', 200],
  ['LocalHost:80', 200],
  ['127.0.0.1:9', 200],
  ['[::1]', 200],
  ['evil.example', 403],
  ['localhost.evil.example', 403],
  ['localhost.', 403],
  ['169.254.169.254', 403],
  ['a b', 403],
])('M2 the host %s gets %i', async (host, status) => {
  const { url } = await served();
  expect(await statusWith(url, { ...accept, host })).toBe(status);
});

test.each([
  ['http://localhost:3000', 200],
  ['https://evil.example', 403],
  ['http://localhost.evil.example', 403],
  ['null', 403],
  ['', 200],
  ['nonsense', 403],
  ['file://', 403],
])("M2 the origin '%s' gets %i", async (origin, status) => {
  const { url } = await served();
  expect(await statusWith(url, { ...accept, origin })).toBe(status);
});

test('M2 the refusal says how to let a name in', async () => {
  const { url } = await served();
  const response = await post(url, rpc('tools/list'), { origin: 'https://app.example' });
  expect(await response.json()).toMatchObject({ error: { message: expect.stringContaining('--allow-origins') } });
});

test('M2 only a page of an allowed origin may read the answers', async () => {
  const { url } = await served({ allowOrigins: ['https://app.example/'] });
  const allowed = await post(url, rpc('tools/list'), { origin: 'https://app.example' });
  expect([allowed.status, allowed.headers.get('access-control-allow-origin')]).toEqual([200, 'https://app.example']);
  const local = await post(url, rpc('tools/list'), { origin: 'http://localhost:3000' });
  expect([local.status, local.headers.get('access-control-allow-origin')]).toEqual([200, null]);
  const other = await post(url, rpc('tools/list'), { origin: 'http://app.example' });
  expect(other.status).toBe(403);
});

test('M2 a browser that asks first is told what the page may do', async () => {
  const { url } = await served({ allowOrigins: ['https://app.example'] });
  const ask = (origin: string) => fetch(url, { method: 'OPTIONS', headers: { origin } });
  const allowed = await ask('https://app.example');
  expect([allowed.status, allowed.headers.get('access-control-allow-headers')]).toEqual([
    204,
    expect.stringContaining('authorization'),
  ]);
  expect((await ask('https://evil.example')).status).toBe(403);
});

test('M2 more names are let in where the server is told so', async () => {
  const { url } = await served({ allowHosts: ['Notes.Example'] });
  // By another name than one of this machine a token is needed.
  expect(await statusWith(url, { ...accept, host: 'notes.example' })).toBe(401);
});

test('M3 a request that a proxy passed on needs a token', async () => {
  const { url } = await served();
  const marks = { forwarded: 'for=10.0.0.1', via: '1.1 proxy', 'x-forwarded-for': '10.0.0.1', 'x-real-ip': '10.0.0.1' };
  for (const [name, value] of Object.entries(marks)) {
    expect((await post(url, callOf('list_folders'), { [name]: value })).status, name).toBe(401);
  }
});

test('M2 a server on every address has all names of its machine', () => {
  const machine = ['Desk', '10.0.0.5', 'fe80::1'];
  expect(hostNames('0.0.0.0', [], machine)).toEqual([
    'localhost',
    '127.0.0.1',
    '[::1]',
    'desk',
    '10.0.0.5',
    '[fe80::1]',
  ]);
  expect(hostNames('127.0.0.1', ['Notes.example'], machine)).toEqual([
    'localhost',
    '127.0.0.1',
    '[::1]',
    'notes.example',
  ]);
  expect(['127.0.0.1', '127.9.9.9', '::1', 'localhost', '::ffff:127.0.0.1'].every(isLoopback)).toBe(true);
  expect(['0.0.0.0', '::', '10.0.0.1', '128.0.0.1', 'example.com', '127.evil.example'].some(isLoopback)).toBe(false);
});
