/** Requests of every kind, and those that no honest client would send. */
import { connect, type Socket } from 'node:net';
import { expect, test } from 'vitest';
import {
  type Answer,
  callOf,
  httpClient,
  initialize,
  messageOf,
  post,
  rpc,
  served,
  tokenFor,
} from '../../support/http-mcp.js';
import { callOver, type Era, modernVersion, toolNames } from '../../support/mcp.js';

const eras: Era[] = ['legacy', 'modern'];

test.each(eras)('M1 a client of the %s era lists and calls tools over HTTP', async (era) => {
  const { url } = await served();
  const client = await httpClient(url, { era });
  expect(client.getProtocolEra()).toBe(era);
  expect(await toolNames(client)).toContain('add_folder');
  expect(await callOver(client, 'add_folder', { name: 'Work' })).toMatchObject({ success: true, name: 'Work' });
  await expect(client.callTool({ name: 'nothing', arguments: {} })).rejects.toMatchObject({ code: -32602 });
});

const handshakes = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'];
test.each(handshakes)('M1 a handshake for %s gets that version and a session', async (protocolVersion) => {
  const { url } = await served();
  const begun = await post(url, { ...initialize, params: { ...initialize.params, protocolVersion } });
  expect(begun.headers.get('mcp-session-id')).toMatch(/^[0-9a-f-]{36}$/);
  expect((await messageOf(begun)).result).toMatchObject({ protocolVersion });
});

test('M9 a single request without a handshake is answered', async () => {
  const { url } = await served();
  expect((await messageOf(await post(url, callOf('list_folders')))).result).toMatchObject({ isError: false });
});

test.each([
  ['nothing', '', 400, -32700],
  ['half a message', '{"jsonrpc":"2.0",', 400, -32700],
  ['no JSON', 'hello', 400, -32700],
  ['a number', '7', 400, -32600],
  ['null', 'null', 400, -32600],
  ['an empty list', '[]', 400, -32600],
  ['an object that is no message', '{}', 400, -32600],
  ['bytes that are no text', '\u0000\u0001', 400, -32700],
])('M10 a body with %s is refused', async (_, body, status, code) => {
  const { url } = await served();
  const response = await post(url, body);
  const answer = (await response.json()) as Answer;
  expect([response.status, answer.error?.code]).toEqual([status, code]);
  expect((await post(url, callOf('list_folders'))).status).toBe(200);
});

test('M10 other paths, methods and content types get their own status', async () => {
  const { url, origin } = await served();
  expect((await fetch(`${origin}/`)).status).toBe(404);
  expect((await fetch(`${origin}/mcp/../etc/passwd`)).status).toBe(404);
  expect((await fetch(`${origin}/.well-known/oauth-protected-resource`)).status).toBe(404);
  expect((await fetch(url, { method: 'PUT', body: '{}' })).status).toBe(405);
  expect((await fetch(url)).status).toBe(400);
  expect((await post(url, '{}', { 'content-type': 'text/plain' })).status).toBe(415);
  expect((await post(url, rpc('tools/list'), { accept: 'text/html' })).status).toBe(406);
  expect((await post(url, rpc('tools/list'), { 'mcp-session-id': 'nobody' })).status).toBe(404);
});

test('M10 an unknown method is -32601 in both eras', async () => {
  const { url } = await served();
  expect((await messageOf(await post(url, rpc('tools/fly')))).error?.code).toBe(-32601);
  const modern = await post(
    url,
    rpc('tools/fly', {
      _meta: {
        'io.modelcontextprotocol/protocolVersion': modernVersion,
        'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
        'io.modelcontextprotocol/clientCapabilities': {},
      },
    }),
    { 'mcp-protocol-version': modernVersion, 'mcp-method': 'tools/fly' },
  );
  expect((await messageOf(modern)).error?.code).toBe(-32601);
});

test('M10 a body over the limit is 413, be its length declared or not', async () => {
  const { url } = await served({ maxBodyBytes: 10_000 });
  const large = JSON.stringify(callOf('add_folder', { name: 'x'.repeat(20_000) }));
  expect((await post(url, large)).status).toBe(413);
  const streamed = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    body: new Blob([large]).stream(),
    duplex: 'half',
  } as RequestInit);
  expect(streamed.status).toBe(413);
  expect((await post(url, callOf('list_folders'))).status).toBe(200);
});

test('M15 deep nesting, prototype keys and huge batches are refused, and the server goes on', async () => {
  const { url } = await served({ maxBodyBytes: 4_000_000 });
  const call = (input: string) =>
    `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"add_folder","arguments":${input}}}`;
  const deep = call(`{"name":${'['.repeat(500_000)}${']'.repeat(500_000)}}`);
  const proto = call('{"name":"x","__proto__":{"polluted":true}}');
  const answers = [await messageOf(await post(url, deep)), await messageOf(await post(url, proto))];
  for (const answer of answers) {
    const refused = answer.error !== undefined || answer.result?.isError === true;
    expect(refused, JSON.stringify(answer).slice(0, 200)).toBe(true);
  }
  expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  const batch = await post(
    url,
    JSON.stringify(Array.from({ length: 5000 }, (_, id) => callOf('list_folders', {}, id))),
  );
  expect(batch.status).toBe(400);
  expect((await post(url, callOf('list_folders'))).status).toBe(200);
});

test('M15 a tool hidden by role and forged page tokens get the right error', async () => {
  const server = await served();
  const reader = await httpClient(server.url, { token: await tokenFor(server, { agent: 'rita', role: 'reader' }) });
  expect(await toolNames(reader)).not.toContain('remove_node');
  expect(await callOver(reader, 'remove_node', { nodeId: 'library', version: 'r0' })).toMatchObject({
    error_type: 'forbidden',
  });
  const session = server.workspace.session({ agent: 'rita' });
  for (const name of ['a', 'b', 'c']) await session.call('add_folder', { name });
  const page = (input: object) => callOver(reader, 'list_children', { nodeId: 'library', limit: 1, ...input });
  const { nextPageToken } = (await page({})) as unknown as { nextPageToken: string };
  const [body = '', seal = ''] = nextPageToken.split('.');
  const other = Buffer.from(JSON.stringify({ revision: 1, position: null })).toString('base64url');
  for (const pageToken of [`${other}.${seal}`, `${body}.`, body, '', 'x'.repeat(10_000), `${body}.${seal}x`]) {
    expect(await page({ pageToken }), pageToken.slice(0, 40)).toMatchObject({ error_type: 'invalid_argument' });
  }
  // Replayed, it gives the same page again, to its own agent and query only.
  expect(await page({ pageToken: nextPageToken })).toEqual(await page({ pageToken: nextPageToken }));
  const elsewhere = await callOver(reader, 'get_view', { rootNodeId: 'library', pageToken: nextPageToken });
  expect(elsewhere).toMatchObject({ error_type: 'invalid_argument' });
});

test('M11 healthz says whether the server is well, to anyone', async () => {
  const server = await served({ requireToken: true });
  const health = await fetch(`${server.origin}/healthz`);
  expect([health.status, await health.json()]).toEqual([200, { status: 'ok' }]);
  await server.workspace.close();
  const unwell = await fetch(`${server.origin}/healthz`);
  expect([unwell.status, await unwell.json()]).toEqual([503, { status: 'unavailable' }]);
});

/** A connection that sends what it is given and answers what came back when the server closes it. */
function rawConnection(url: string, text: string): { socket: Socket; closed: Promise<string> } {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  let received = '';
  const closed = new Promise<string>((resolve) => {
    socket.setEncoding('utf8').on('data', (chunk) => (received += chunk));
    socket.on('error', () => {}).once('close', () => resolve(received));
  });
  if (text) socket.write(text);
  return { socket, closed };
}

const head = (url: string) =>
  `POST /mcp HTTP/1.1\r\nHost: ${new URL(url).host}\r\nContent-Type: application/json\r\nAccept: application/json, text/event-stream\r\n`;

test('M14 a body that never ends is cut off with 408, and others are served meanwhile', async () => {
  const { url } = await served({ headersTimeoutMs: 300, requestTimeoutMs: 600 });
  const slow = rawConnection(url, `${head(url)}Content-Length: 1000\r\n\r\n{"jsonrpc"`);
  const headless = rawConnection(url, 'POST /mcp HTTP/1.1\r\nHost: loc');
  expect((await post(url, callOf('list_folders'))).status).toBe(200);
  expect(await slow.closed).toMatch(/^HTTP\/1\.1 408|^$/);
  expect(await headless.closed).toMatch(/^HTTP\/1\.1 408|^$/);
  expect((await post(url, callOf('list_folders'))).status).toBe(200);
});

test('M14 a thousand connections that were opened and left are closed, and others are served', async () => {
  const { url } = await served({ headersTimeoutMs: 1000, requestTimeoutMs: 2000 });
  const half = (index: number) => (index % 2 === 0 ? '' : 'POST /mcp HTTP/1.1\r\nHost: localhost\r\nX-Slow: ');
  const left = Array.from({ length: 1000 }, (_, index) => rawConnection(url, half(index)));
  const client = await httpClient(url, { era: 'legacy' });
  expect(await callOver(client, 'add_folder', { name: 'Work' })).toMatchObject({ success: true });
  await Promise.all(left.map(({ closed }) => closed));
  expect(await callOver(client, 'list_folders', {})).toMatchObject({ folders: [{ name: 'Work' }] });
});

test('M14 garbage instead of HTTP is answered with 400 and closed', async () => {
  const { url } = await served();
  expect(await rawConnection(url, '\u0016\u0003\u0001 hello\r\n\r\n').closed).toContain('400');
  expect(await rawConnection(url, `GET /mcp HTTP/1.1\r\nHost: x\r\nA: ${'a'.repeat(20_000)}\r\n\r\n`).closed).toContain(
    '431',
  );
  expect((await post(url, callOf('list_folders'))).status).toBe(200);
});
