/** Whom a request comes from, and that nothing of one is another's. */
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { tools } from '../../../src/tools/index.js';
import { callOf, httpClient, initialize, messageOf, post, rpc, served, tokenFor } from '../../support/http-mcp.js';
import { callOver, type Era, toolNames } from '../../support/mcp.js';
import { scratchFolder, scratchWorkspace } from '../../support/scratch.js';

const eras: Era[] = ['legacy', 'modern'];
const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

test.each(eras)('M3 in the %s era a client without a token is the configured agent as an editor', async (era) => {
  const { url, workspace } = await served();
  const client = await httpClient(url, { era });
  await callOver(client, 'add_folder', { name: 'Work' });
  expect(await callOver(client, 'audit_list', {})).toMatchObject({ error_type: 'forbidden' });
  const log = await workspace.session().call('audit_list', { tool: 'add_folder' });
  expect(log).toMatchObject({ entries: [{ agent: 'local', role: 'editor', door: 'mcp' }] });
});

test('M3 no token is 401 where one is needed, and the answer says how to get one', async () => {
  const { url, tokenNeeded } = await served({ requireToken: true });
  const response = await post(url, rpc('tools/list'));
  expect([tokenNeeded, response.status, response.headers.get('www-authenticate')]).toEqual([
    true,
    401,
    expect.stringContaining('Bearer'),
  ]);
  expect(await response.json()).toMatchObject({
    error: { message: expect.stringContaining('ai-assist tokens create') },
  });
});

test('M3 on another address than loopback a token is needed, even from this machine', async () => {
  const server = await served({ host: '0.0.0.0' });
  expect(server.tokenNeeded).toBe(true);
  expect((await post(server.url, rpc('tools/list'))).status).toBe(401);
  const token = await tokenFor(server, { agent: 'ada' });
  expect((await post(server.url, rpc('tools/list'), bearer(token))).status).toBe(200);
});

test.each(eras)('M4 in the %s era a token gives agent, role, toolsets, project and read-only mode', async (era) => {
  const server = await served({ requireToken: true, selection: {} });
  const project = scratchFolder();
  mkdirSync(path.join(project, 'docs'));
  writeFileSync(path.join(project, 'context.json'), '{"collections":{"docs":{"type":"file","path":"docs"}}}');
  const owner = await httpClient(server.url, {
    era,
    token: await tokenFor(server, { agent: 'olga', role: 'owner', toolsets: ['audit'] }),
  });
  const reader = await httpClient(server.url, {
    era,
    token: await tokenFor(server, { agent: 'rita', readOnly: true, toolsets: ['catalog', 'folders'], project }),
  });
  expect(await toolNames(owner)).toEqual(tools.filter(({ toolset }) => toolset === 'audit').map(({ name }) => name));
  expect(await toolNames(reader)).toEqual(
    tools
      .filter((tool) => ['catalog', 'folders'].includes(tool.toolset) && tool.effect === 'read')
      .map((tool) => tool.name),
  );
  expect(await callOver(reader, 'collection_list', {})).toMatchObject({ collections: [{ name: 'docs' }] });
  expect(await callOver(reader, 'add_folder', { name: 'x' })).toMatchObject({ error_type: 'forbidden' });
  expect(await callOver(owner, 'audit_list', { agent: 'rita', tool: 'add_folder' })).toMatchObject({
    entries: [{ role: 'editor', outcome: 'failed', door: 'mcp' }],
  });
});

test('M4 what the server was started with limits every token', async () => {
  const server = await served({ selection: { toolsets: ['folders'] }, readOnly: true });
  const token = await tokenFor(server, { agent: 'ada', role: 'owner', toolsets: ['all'] });
  expect(await toolNames(await httpClient(server.url, { token }))).toEqual(['list_folders']);
});

test('M4 an unknown, an expired and a revoked token are 401 at once', async () => {
  let now = Date.now();
  const workspace = await scratchWorkspace({ now: () => now });
  const { url } = await served({ workspace });
  const keeper = workspace.tokens();
  const short = await keeper.create({ agent: 'ada', expires: now + 1000 });
  const revoked = await keeper.create({ agent: 'ben' });
  const status = async (text: string) => (await post(url, callOf('list_folders'), bearer(text))).status;
  expect([await status(short.text), await status(revoked.text)]).toEqual([200, 200]);
  now += 1000;
  await keeper.revoke(revoked.token.id);
  expect([await status(short.text), await status(revoked.text)]).toEqual([401, 401]);
  for (const text of ['', 'aia_', `${short.text}x`, 'ÿ', short.token.id, 'x'.repeat(8000)]) {
    expect((await post(url, rpc('tools/list'), bearer(encodeURI(text)))).status, text.slice(0, 20)).toBe(401);
  }
  const basic = await post(url, rpc('tools/list'), { authorization: `Basic ${short.text}` });
  expect(basic.status).toBe(401);
});

test('M4 a session ends with its token', async () => {
  const server = await served({ requireToken: true });
  const { text, token } = await server.workspace.tokens().create({ agent: 'ada' });
  const client = await httpClient(server.url, { era: 'legacy', token: text });
  expect(await callOver(client, 'list_folders', {})).toMatchObject({ success: true });
  await server.workspace.tokens().revoke(token.id);
  await expect(callOver(client, 'list_folders', {})).rejects.toThrow();
});

test.each(eras)('M7 in the %s era keys, page tokens, filters and rates are each principal’s own', async (era) => {
  const workspace = await scratchWorkspace({ settings: { 'limits.callsPerMinute': 12 } });
  const server = await served({ workspace, requireToken: true });
  const as = async (agent: string) => httpClient(server.url, { era, token: await tokenFor(server, { agent }) });
  const [ada, ben] = [await as('ada'), await as('ben')];

  const add = (client: typeof ada) => callOver(client, 'add_folder', { name: 'Work', idempotencyKey: 'k' });
  const [first, again, other] = [await add(ada), await add(ada), await add(ben)];
  expect(again).toEqual(first);
  expect(other.id).not.toBe(first.id);

  const page = (client: typeof ada, pageToken?: string) =>
    callOver(client, 'list_children', { nodeId: 'library', limit: 1, ...(pageToken && { pageToken }) });
  const { nextPageToken } = (await page(ada)) as unknown as { nextPageToken: string };
  expect(await page(ben, nextPageToken)).toMatchObject({ error_type: 'invalid_argument' });
  expect(await page(ada, nextPageToken)).toMatchObject({ success: true });

  const version = String(other.version);
  await callOver(ada, 'collapse_node', { nodeId: 'library', version });
  const view = (client: typeof ada) => callOver(client, 'get_view', { rootNodeId: 'library' });
  expect(await view(ada)).toMatchObject({ view: { isExpanded: false } });
  expect(await view(ben)).toMatchObject({ view: { isExpanded: true } });

  const calls = await Promise.all(Array.from({ length: 12 }, () => callOver(ada, 'list_folders', {})));
  expect(calls.some((answer) => answer.error_type === 'rate_limited')).toBe(true);
  expect(await callOver(ben, 'list_folders', {})).toMatchObject({ success: true });
});

test.each(eras)('M7 in the %s era stored view filters are each principal’s own', async (era) => {
  const server = await served({ requireToken: true });
  const as = async (agent: string) => httpClient(server.url, { era, token: await tokenFor(server, { agent }) });
  const [ada, ben, adaToo] = [await as('ada'), await as('ben'), await as('ada')];
  const { id, version } = await callOver(ada, 'add_folder', { name: 'Work' });
  const seen = async (client: typeof ada) => {
    const { node } = await callOver(client, 'get_node', { nodeId: id });
    return Object.keys((node as { payload: object }).payload).sort();
  };
  const filter = (client: typeof ada, basis: unknown, included: string[], excluded: string[]) =>
    callOver(client, 'set_filters', { scope: 'all', included, excluded, version: basis });

  const first = await filter(ada, version, ['name'], []);
  expect([await seen(ada), await seen(ben)]).toEqual([['name'], ['name', 'status']]);
  await filter(ben, first.version, [], ['name']);
  expect([await seen(ada), await seen(ben)]).toEqual([['name'], ['status']]);
  // They belong to the agent, whatever token it shows.
  expect(await seen(adaToo)).toEqual(['name']);
});

test('M7 M8 the session of another credential does not exist', async () => {
  const server = await served();
  const [ada, ben] = [await tokenFor(server, { agent: 'ada' }), await tokenFor(server, { agent: 'ben' })];
  const begun = await post(server.url, initialize, bearer(ada));
  const session = { 'mcp-session-id': begun.headers.get('mcp-session-id') as string };
  await begun.text();
  expect((await post(server.url, callOf('list_folders'), { ...session, ...bearer(ada) })).status).toBe(200);
  expect((await post(server.url, callOf('list_folders'), { ...session, ...bearer(ben) })).status).toBe(404);
  expect((await post(server.url, callOf('list_folders'), session)).status).toBe(404);
  const end = (headers: Record<string, string>) => fetch(server.url, { method: 'DELETE', headers });
  expect((await end({ ...session, ...bearer(ben) })).status).toBe(404);
  expect((await end({ ...session, ...bearer(ada) })).status).toBe(200);
  expect((await post(server.url, callOf('list_folders'), { ...session, ...bearer(ada) })).status).toBe(404);
});

test('M7 many principals at once each get their own answers', async () => {
  const server = await served({ requireToken: true });
  const names = Array.from({ length: 8 }, (_, index) => `agent${index}`);
  const clients = await Promise.all(
    names.map(async (agent, index) =>
      httpClient(server.url, { era: eras[index % 2] as Era, token: await tokenFor(server, { agent }) }),
    ),
  );
  await Promise.all(
    clients.flatMap((client, index) =>
      Array.from({ length: 5 }, (_, time) => callOver(client, 'add_folder', { name: `${names[index]} ${time}` })),
    ),
  );
  const owner = server.workspace.session();
  for (const agent of names) {
    const log = await owner.call('audit_list', { agent, tool: 'add_folder' });
    expect(log).toMatchObject({ entries: Array.from({ length: 5 }, () => ({ agent, outcome: 'succeeded' })) });
  }
  expect(await owner.call('audit_verify', {})).toMatchObject({ intact: true });
});

test('M22 headers narrow what a client has, and never widen it', async () => {
  const { url } = await served({ selection: { toolsets: ['folders', 'audit'] } });
  const names = async (headers: Record<string, string>) => toolNames(await httpClient(url, { headers }));
  const folders = tools.filter(({ toolset }) => toolset === 'folders').map(({ name }) => name);
  expect(await names({})).toEqual(folders);
  expect(await names({ 'x-mcp-toolsets': 'all' })).toEqual(folders);
  expect(await names({ 'x-mcp-toolsets': 'tree,audit' })).toEqual([]);
  expect(await names({ 'x-mcp-tools': 'list_folders, get_node' })).toEqual(['list_folders']);
  expect(await names({ 'x-mcp-exclude-tools': folders.slice(1).join(',') })).toEqual(folders.slice(0, 1));
  expect(await names({ 'x-mcp-readonly': 'true' })).toEqual(['list_folders']);
  expect(await names({ 'x-mcp-readonly': 'false' })).toEqual(folders);
});

test('M22 a header cannot take read-only mode back, and a name that is none is refused', async () => {
  const { url } = await served({ readOnly: true });
  const client = await httpClient(url, { headers: { 'x-mcp-readonly': 'false', 'x-mcp-tools': 'add_folder' } });
  expect(await toolNames(client)).toEqual([]);
  expect(await callOver(client, 'add_folder', { name: 'x' })).toMatchObject({ error_type: 'forbidden' });
  const response = await post(url, rpc('tools/list'), { 'x-mcp-toolsets': 'fodlers' });
  expect([response.status, (await messageOf(response)).error?.message]).toEqual([
    400,
    expect.stringContaining("'fodlers' is not a toolset"),
  ]);
});

test('M22 a session keeps the headers of its handshake', async () => {
  const { url } = await served();
  const begun = await post(url, initialize, { 'x-mcp-readonly': 'true' });
  const session = { 'mcp-session-id': begun.headers.get('mcp-session-id') as string };
  await begun.text();
  const add = callOf('add_folder', { name: 'x' });
  expect((await messageOf(await post(url, add, session))).result).toMatchObject({ isError: true });
  expect((await post(url, add, { ...session, 'x-mcp-readonly': 'no' })).status).toBe(400);
});
