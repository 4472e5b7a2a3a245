/** The Foundry provider through the tools, against a fake relay on a real HTTP server. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, test } from 'vitest';
import type { Envelope } from '../../src/workspace.js';
import { fakeWorld } from '../support/fake-foundry.js';
import { type FakeRelay, fakeRelay, type Override, relayClient, relayKey } from '../support/fake-foundry-relay.js';
import { mcpClient } from '../support/mcp.js';
import { scratchEnv, scratchFolder, scratchWorkspace } from '../support/scratch.js';

type Data = Record<string, unknown>;

const hero = () => ({
  name: 'Ada',
  system: { hp: 7, bonds: ['sea', 'home', 'debt'], list: [{ tags: ['a'] }, { tags: [] }] },
  items: [
    { _id: 'sword00000000000', name: 'Sword', system: { worn: true } },
    { _id: 'shield0000000000', name: 'Shield' },
  ],
});

type World = {
  relay: FakeRelay;
  id: string;
  workspace: Awaited<ReturnType<typeof scratchWorkspace>>;
  call: (tool: string, input?: object, agent?: string) => Promise<Envelope>;
  source: () => Data;
};

async function world(
  more: { key?: string; clientId?: string; url?: string; timeoutSeconds?: number } = {},
): Promise<World> {
  const relay = await fakeRelay();
  const actor = await relay.world.game.collections.get('Actor')?.documentClass.create(hero());
  const id = actor?.id as string;
  const workspace = await scratchWorkspace({
    env: { ...scratchEnv(scratchFolder()), AI_ASSIST_FOUNDRY_API_KEY: more.key ?? relayKey },
    settings: {
      database: ':memory:',
      'providers.documents': 'foundry',
      'providers.foundry.url': more.url ?? relay.url,
      'providers.foundry.clientId': more.clientId ?? relayClient,
      'providers.foundry.timeoutSeconds': more.timeoutSeconds ?? 20,
    },
  });
  const call = (tool: string, input: object = {}, agent = 'ada') =>
    workspace
      .session({ agent, role: 'owner' })
      .callUntyped(tool, tool === 'update_document' ? { documentType: 'Actor', documentId: id, ...input } : input);
  return { relay, id, call, workspace, source: () => actor?.toObject() as Data };
}

/** An address where nothing listens any more. */
async function closedAddress(): Promise<string> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return `http://127.0.0.1:${port}`;
}

const remove = (index: number) => ({ operations: [{ path: 'system.bonds', action: 'delete', index }] });

describe('Foundry by its relay', () => {
  test('D61 D62 the same tools work on the world, without versions', async () => {
    const { call, id, relay } = await world();
    expect(await call('update_document', remove(2))).toEqual({
      success: true,
      content: `Updated Actor ${id}: system.bonds`,
      display: 'Updated "Ada" (Actor): system.bonds',
      changed: ['system.bonds'],
      documentType: 'Actor',
      documentId: id,
      name: 'Ada',
    });
    const read = await call('get_document', { documentType: 'Actor', documentId: id, paths: ['system.bonds'] });
    expect(read).toEqual({
      success: true,
      document: { documentType: 'Actor', documentId: id, folderId: null, data: { 'system.bonds': ['sea', 'home'] } },
      missing: [],
    });
    expect(await call('list_documents', { documentType: 'Actor' })).toMatchObject({
      documents: [{ documentId: id, name: 'Ada' }],
    });
    const made = await call('create_document', { documentType: 'Item', data: { name: 'Rope' } });
    expect(made).toMatchObject({ success: true, documentType: 'Item', name: 'Rope' });
    expect(await call('delete_document', { documentType: 'Item', documentId: made.documentId })).toMatchObject({
      success: true,
    });
    expect(await call('list_documents', { documentType: 'Item' })).toMatchObject({ documents: [] });
    const { types } = (await call('list_document_types')) as unknown as { types: { documentType: string }[] };
    expect(types.map(({ documentType }) => documentType)).toContain('JournalEntry');
    const versioned = await call('update_document', { ...remove(0), version: 'r1' });
    expect(versioned).toMatchObject({
      error: "Invalid version 'r1': foundry keeps no versions",
      error_type: 'invalid_argument',
    });
    expect(relay.count('PUT')).toBe(1);
  });

  test('D61 the provider is chosen by the environment too, through MCP', async () => {
    const relay = await fakeRelay();
    await relay.world.game.collections.get('Actor')?.documentClass.create(hero());
    const env = scratchEnv(scratchFolder(), {
      AI_ASSIST_DATABASE: ':memory:',
      AI_ASSIST_DOCUMENTS_PROVIDER: 'foundry',
      AI_ASSIST_FOUNDRY_URL: relay.url,
      AI_ASSIST_FOUNDRY_CLIENT_ID: relayClient,
      AI_ASSIST_FOUNDRY_API_KEY: relayKey,
    });
    const client = await mcpClient({ env, args: ['--toolsets', 'documents'] });
    const { structuredContent } = await client.callTool({
      name: 'list_documents',
      arguments: { documentType: 'Actor' },
    });
    expect(structuredContent).toMatchObject({ success: true, documents: [{ name: 'Ada' }] });
  });

  test('D53 page tokens are signed, and bound to the query and the agent', async () => {
    const { call, relay, id } = await world();
    const { collections } = relay.world.game;
    for (const name of ['Eve', 'Ann']) await collections.get('Actor')?.documentClass.create({ name });
    // Foundry's ids are unique within a type only.
    const twin = await collections.get('Item')?.documentClass.create({ name: 'Twin' });
    Object.assign(twin as object, { source: { ...twin?.toObject(), _id: id } });
    const names: unknown[] = [];
    let page = await call('list_documents', { limit: 1 });
    const token = String(page.nextPageToken);
    for (;;) {
      names.push(...(page.documents as Data[]).map(({ name }) => name));
      if (page.nextPageToken === undefined) break;
      page = await call('list_documents', { limit: 1, pageToken: page.nextPageToken });
    }
    expect(names.toSorted()).toEqual(['Ada', 'Ann', 'Eve', 'Twin']);
    const before = relay.requests.length;
    const refused = { error: 'pageToken: not a token of this query and this agent', error_type: 'invalid_argument' };
    const [body, seal] = token.split('.');
    const forged = `${Buffer.from('"zzz"').toString('base64url')}.${seal}`;
    for (const pageToken of ['', 'x', forged, `${body}.`, `${token}.x.y`.slice(2), '9.!'])
      expect(await call('list_documents', { limit: 1, pageToken }), pageToken).toMatchObject(refused);
    expect(await call('list_documents', { limit: 1, pageToken: token }, 'eve')).toMatchObject(refused);
    expect(await call('list_documents', { documentType: 'Actor', pageToken: token })).toMatchObject(refused);
    expect(relay.requests).toHaveLength(before);
  });

  test('D2 D70 it reads once before it writes, and not at all when the request alone is wrong', async () => {
    const { call, relay } = await world();
    await call('update_document', { operations: [{ path: 'system.bonds', action: 'delete' }] });
    await call('update_document', { documentType: 'Ghost', updates: { name: 'x' } });
    expect(relay.requests).toEqual([]);
    await call('update_document', { updates: { name: 'Eve' }, ...remove(0) });
    expect(relay.requests.map(({ method, path }) => `${method} ${path}`)).toEqual(['GET /get', 'PUT /update']);
  });

  test('D70 a document that is not there is not found, though the relay reports success', async () => {
    const { call, relay } = await world();
    const nobody = { documentType: 'Actor', documentId: 'nobody0000000000' };
    const missing = { error: "Invalid documentId 'nobody0000000000': document not found", error_type: 'not_found' };
    expect(await call('update_document', { ...nobody, updates: { name: 'x' } })).toMatchObject(missing);
    expect(await call('delete_document', nobody)).toMatchObject(missing);
    expect(relay.count('PUT') + relay.count('DELETE')).toBe(0);
  });

  test('D71 it sends only what differs, nested, with whole arrays and no commands', async () => {
    const { call, relay, source } = await world();
    const answer = await call('update_document', {
      updates: { name: 'Ada', 'system.hp': 9 },
      operations: [{ path: 'system.list.1.tags', action: 'insert', value: 'b' }],
    });
    expect(answer).toMatchObject({ changed: ['system.hp', 'system.list'] });
    expect(relay.world.updates).toEqual([{ system: { hp: 9, list: [{ tags: ['a'] }, { tags: ['b'] }] } }]);
    expect(source()).toMatchObject({
      system: { bonds: ['sea', 'home', 'debt'], list: [{ tags: ['a'] }, { tags: ['b'] }] },
    });
    for (const updates of [
      { 'system.-=hp': null },
      { system: { '==bonds': [] } },
      { 'system.list': [{ '-=tags': null }] },
    ]) {
      expect(await call('update_document', { updates })).toMatchObject({
        error: expect.stringContaining('Foundry would take it as a command'),
        error_type: 'invalid_argument',
      });
    }
    expect(await call('update_document', { updates: { name: 'Ada' } })).toMatchObject({ success: true, changed: [] });
    expect(relay.count('PUT')).toBe(1);
  });

  test('D71 the fake takes numbers in paths as keys, as Foundry does: whole arrays avoid it', async () => {
    const fake = fakeWorld();
    const actor = await fake.game.collections.get('Actor')?.documentClass.create(hero());
    await actor?.update({ 'system.bonds.0': 'sky' });
    expect(actor?.toObject()).toMatchObject({ system: { bonds: { 0: 'sky' } } });
    const { call, source } = await world();
    await call('update_document', { updates: { 'system.bonds.0': 'sky' } });
    expect(source()).toMatchObject({ system: { bonds: ['sky', 'home', 'debt'] } });
  });

  test('D72 an update that a hook cancelled, or that returned nothing, is a conflict', async () => {
    const { call, relay, source } = await world();
    const before = source();
    relay.world.hook = (event) => (event === 'preUpdate' ? false : undefined);
    const conflict = { error: 'Foundry cancelled the update', error_type: 'conflict' };
    expect(await call('update_document', remove(0))).toMatchObject(conflict);
    expect(source()).toEqual(before);
    for (const entity of [[], [null], null, undefined]) {
      relay.override = ({ method }, response) => {
        if (method === 'PUT') response.end(JSON.stringify({ entity }));
        return method === 'PUT';
      };
      expect(await call('update_document', remove(0))).toMatchObject(conflict);
    }
  });

  test('D72 values that the world did not take are named', async () => {
    const { call, relay } = await world();
    relay.world.frozen = ['img'];
    expect(await call('update_document', { updates: { name: 'Eve', img: 'x.png' } })).toMatchObject({
      error: 'Foundry did not take 1 of the values that were set',
      error_type: 'conflict',
      notTaken: ['img'],
    });
  });

  test('D72 cancelled creations and deletions', async () => {
    const { call, relay, id } = await world();
    relay.world.hook = () => false;
    expect(await call('create_document', { documentType: 'Item', data: { name: 'x' } })).toMatchObject({
      error: 'Foundry cancelled the creation',
      error_type: 'conflict',
    });
    expect(await call('delete_document', { documentType: 'Actor', documentId: id })).toMatchObject({
      error: 'Foundry cancelled the deletion',
      error_type: 'conflict',
    });
  });

  test('D73 embedded documents are changed and added, and never left out', async () => {
    const { call, relay, source, id } = await world();
    const change = (operation: object) => call('update_document', { operations: [{ path: 'items', ...operation }] });
    expect(await change({ action: 'delete', index: 0 })).toMatchObject({
      error:
        "Cannot remove 'sword00000000000' from 'items': Foundry keeps embedded documents that an update leaves out",
      error_type: 'invalid_argument',
    });
    const sword = { _id: 'sword00000000000', name: 'Blade' };
    expect(await change({ action: 'replace', index: 0, value: sword })).toMatchObject({
      error: "Cannot remove 'items.0.system': an update of Foundry sets properties, and removes none",
    });
    const other = { _id: 'axe0000000000000', name: 'Axe' };
    expect(await change({ action: 'replace', index: 0, value: other })).toMatchObject({
      error_type: 'invalid_argument',
    });
    expect(relay.count('PUT')).toBe(0);
    expect(await change({ action: 'insert', value: { name: 'Rope' } })).toMatchObject({ success: true });
    const worn = [{ path: 'items', action: 'replace', index: 1, value: { _id: 'shield0000000000', name: 'Buckler' } }];
    expect(await call('update_document', { operations: worn })).toMatchObject({ success: true });
    expect((source().items as Data[]).map(({ name }) => name)).toEqual(['Sword', 'Buckler', 'Rope']);
    const inActor = { documentType: 'Item', documentId: `Actor.${id}.Item.sword00000000000` };
    expect(await call('delete_document', inActor)).toMatchObject({ success: true, name: 'Sword' });
    expect((source().items as Data[]).map(({ name }) => name)).toEqual(['Buckler', 'Rope']);
  });

  const answering =
    (status: number, headers: Record<string, string> = {}, body = '{}'): Override =>
    (_, response) => {
      response.writeHead(status, headers).end(body);
      return true;
    };

  test.each<[number, object]>([
    [401, { error_type: 'forbidden', error: 'The relay does not know the key' }],
    [403, { error_type: 'forbidden' }],
    [404, { error_type: 'not_found' }],
    [408, { error_type: 'internal', error: 'Foundry did not answer the relay in time' }],
    [429, { error_type: 'rate_limited', retryAfter: 7 }],
    [500, { error_type: 'internal', error: 'The relay failed with status 500' }],
    [418, { error_type: 'internal', error: 'The relay answered with status 418' }],
  ])('D74 status %i of a read', async (status, expected) => {
    const { call, relay, id } = await world();
    relay.override = answering(status, { 'retry-after': '7' });
    const answer = await call('get_document', { documentType: 'Actor', documentId: id });
    expect(answer).toMatchObject({ success: false, ...expected });
    expect(answer).not.toHaveProperty('mayHaveHappened');
    expect(relay.requests).toHaveLength(1);
  });

  test('D74 a wait that the relay gives as a date, or not at all', async () => {
    const { call, relay } = await world();
    const list = async () => (await call('list_documents', { documentType: 'Actor' })).retryAfter;
    relay.override = answering(429, { 'retry-after': new Date(Date.now() + 90_000).toUTCString() });
    expect(await list()).toBeGreaterThan(60);
    relay.override = answering(429);
    expect(await list()).toBe(60);
  });

  test('D74 D75 a write whose outcome is not known says so, is sent once, and keeps its key', async () => {
    const broken: Record<string, Override> = {
      'status 408': answering(408),
      'status 502': answering(502),
      'no JSON': answering(200, {}, '<html>'),
      'a cut connection': (_, response) => {
        response.destroy();
        return true;
      },
      silence: () => true,
    };
    for (const [name, override] of Object.entries(broken)) {
      const { call, relay } = await world({ timeoutSeconds: 1 });
      relay.override = (seen, response) => seen.method === 'PUT' && override(seen, response);
      const request = { ...remove(0), idempotencyKey: 'once' };
      expect(await call('update_document', request), name).toMatchObject({
        error_type: 'internal',
        mayHaveHappened: true,
        instruction: expect.stringContaining('Read the document before you call again'),
      });
      expect(relay.count('PUT'), name).toBe(1);
      relay.override = () => false;
      expect(await call('update_document', request), name).toMatchObject({ error_type: 'conflict' });
      expect(relay.count('PUT'), name).toBe(1);
    }
  });

  test('D75 a write that is cancelled while it is under way keeps its key; a read does not say so', async () => {
    const { workspace, relay, id } = await world();
    const session = workspace.session({ agent: 'ada', role: 'owner' });
    const cancelled = (tool: string, input: object, method: string) => {
      const gone = new AbortController();
      relay.override = (seen) => {
        if (seen.method === method) gone.abort();
        return seen.method === method;
      };
      const which = { documentType: 'Actor', documentId: id };
      return session.callUntyped(tool, { ...which, ...input }, { signal: gone.signal });
    };
    const request = { ...remove(0), idempotencyKey: 'once' };
    expect(await cancelled('update_document', request, 'PUT')).toMatchObject({ mayHaveHappened: true });
    relay.override = () => false;
    const again = { documentType: 'Actor', documentId: id, ...request };
    expect(await session.callUntyped('update_document', again)).toMatchObject({ error_type: 'conflict' });
    expect(relay.count('PUT')).toBe(1);
    const read = await cancelled('get_document', {}, 'GET');
    expect(read).toMatchObject({ success: false });
    expect(read).not.toHaveProperty('mayHaveHappened');
  });

  test('D41 a folder that is not there is refused before anything is sent', async () => {
    const { call, relay } = await world();
    const create = (folderId: string) =>
      call('create_document', { documentType: 'Actor', data: { name: 'x' }, folderId });
    expect(await create('nowhere')).toMatchObject({
      error: "Invalid folderId 'nowhere': folder not found",
      error_type: 'not_found',
    });
    expect(relay.count('POST')).toBe(0);
    relay.world.addFolder('heroes', 'Actor');
    expect(await create('Folder.heroes')).toMatchObject({ success: true });
  });

  test('D72 a world that closes behind a deletion leaves it open whether it happened', async () => {
    const { call, relay, id } = await world();
    let deleted = false;
    relay.override = ({ method }, response) => {
      if (deleted) response.writeHead(404).end('{"error":"Invalid client ID"}');
      const now = deleted;
      deleted ||= method === 'DELETE';
      return now;
    };
    expect(await call('delete_document', { documentType: 'Actor', documentId: id })).toMatchObject({
      error: 'The relay knows no such world',
      mayHaveHappened: true,
    });
  });

  test('D74 a relay that is not there was sent nothing, and its key is free again', async () => {
    const { call } = await world({ url: await closedAddress() });
    const request = { ...remove(0), idempotencyKey: 'once' };
    for (let time = 0; time < 2; time++) {
      const answer = await call('update_document', request);
      expect(answer).toMatchObject({ error_type: 'internal', error: 'The relay cannot be reached (ECONNREFUSED)' });
      expect(answer).not.toHaveProperty('mayHaveHappened');
    }
  });

  test('D74 what the module in Foundry refuses is said in its words', async () => {
    const { call } = await world();
    expect(await call('update_document', { updates: { name: '' } })).toMatchObject({
      error: 'Foundry: name: may not be a blank string',
      error_type: 'invalid_argument',
    });
    expect(await call('create_document', { documentType: 'Item', data: {} })).toMatchObject({
      error_type: 'invalid_argument',
    });
  });

  test('D75 a key makes a change once, and replays its answer', async () => {
    const { call, relay, source } = await world();
    const request = { ...remove(0), idempotencyKey: 'once' };
    const first = await call('update_document', request);
    expect(await call('update_document', request)).toEqual(first);
    expect(relay.count('PUT')).toBe(1);
    expect(source()).toMatchObject({ system: { bonds: ['home', 'debt'] } });
  });

  test('D76 the key is sent, and shown nowhere', async () => {
    const { call, relay, id } = await world({ key: 'wrong-secret' });
    const refused = await call('get_document', { documentType: 'Actor', documentId: id });
    expect(refused).toMatchObject({ error_type: 'forbidden', instruction: 'Check AI_ASSIST_FOUNDRY_API_KEY.' });
    expect(relay.requests[0]?.headers['x-api-key']).toBe('wrong-secret');
    expect(JSON.stringify([refused, await call('audit_list')])).not.toContain('wrong-secret');
    for (const status of [200, 400]) {
      const echoing = await world();
      echoing.relay.override = answering(status, {}, JSON.stringify({ error: `bad x-api-key ${relayKey} for /get` }));
      const echoed = await echoing.call('get_document', { documentType: 'Actor', documentId: id });
      expect(echoed).toMatchObject({ success: false, error: 'Foundry: bad x-api-key … for /get' });
      expect(JSON.stringify([echoed, await echoing.call('audit_list')])).not.toContain(relayKey);
    }
    const without = await world({ key: '' });
    expect(await without.call('list_documents')).toMatchObject({ error: 'The key of the Foundry relay is not set' });
    const moved = await world();
    moved.relay.override = answering(302, { location: relay.url });
    expect(await moved.call('list_documents')).toMatchObject({ error_type: 'internal' });
    expect(relay.requests).toHaveLength(1);
  });

  test('D77 what cannot be told to Foundry is refused before anything is sent', async () => {
    const { call, relay } = await world();
    expect(await call('update_document', { patch: [{ op: 'remove', path: '/system/hp' }] })).toMatchObject({
      error: "Cannot remove 'system.hp': an update of Foundry sets properties, and removes none",
    });
    expect(await call('update_document', { updates: { 'system.a\\.b': 1 } })).toMatchObject({
      error: "Invalid key 'a.b': Foundry would split it at the dot",
    });
    expect(await call('create_document', { documentType: 'Item', data: { name: 'x', 'a.b': 1 } })).toMatchObject({
      error_type: 'invalid_argument',
    });
    expect(relay.count('PUT') + relay.count('POST')).toBe(0);
  });

  test('D78 a dry run reads and checks, and sends no write', async () => {
    const { call, relay, id } = await world();
    expect(await call('update_document', { ...remove(2), dryRun: true })).toMatchObject({
      dryRun: true,
      changed: ['system.bonds'],
    });
    expect(await call('update_document', { ...remove(9), dryRun: true })).toMatchObject({ success: false });
    expect(await call('delete_document', { documentType: 'Actor', documentId: id, dryRun: true })).toMatchObject({
      dryRun: true,
    });
    expect(await call('create_document', { documentType: 'Item', data: { name: 'x' }, dryRun: true })).toMatchObject({
      dryRun: true,
    });
    expect(relay.requests.every(({ method }) => method === 'GET')).toBe(true);
  });

  test('D79 ids may be uuids', async () => {
    const { call, id } = await world();
    expect(await call('get_document', { documentId: `Actor.${id}` })).toMatchObject({
      document: { documentType: 'Actor' },
    });
    const sword = `Actor.${id}.Item.sword00000000000`;
    const worn = { documentType: 'Item', documentId: sword, updates: { 'system.worn': false } };
    expect(await call('update_document', worn)).toMatchObject({ success: true, changed: ['system.worn'] });
    expect(await call('get_document', { documentId: sword, documentType: 'Actor' })).toMatchObject({
      error_type: 'not_found',
    });
    expect(await call('get_document', { documentId: id })).toMatchObject({
      error: `Invalid documentId '${id}': the type of the document is not known`,
    });
    expect(await call('get_document', { documentId: 'Actor.' })).toMatchObject({ error_type: 'invalid_argument' });
  });

  test('D61 a bad address, a world that is not there, and a type that is not listed', async () => {
    for (const url of ['ftp://x', 'nonsense', 'http://user:pass@x/']) {
      const { call } = await world({ url });
      expect(await call('list_documents')).toMatchObject({
        error: expect.stringContaining('Invalid setting providers.foundry.url'),
      });
    }
    const lost = await world({ clientId: 'nowhere' });
    expect(await lost.call('get_document', { documentType: 'Actor', documentId: 'x' })).toMatchObject({
      error: 'The relay knows no such world',
      error_type: 'not_found',
    });
    expect(await lost.call('list_documents', { documentType: 'User' })).toMatchObject({
      error: "Invalid documentType 'User': the relay does not list documents of this type",
    });
  });

  test('D61 doctor asks the relay', async () => {
    const { call, relay } = await world();
    expect(JSON.stringify(await call('doctor'))).toContain('Foundry');
    expect(relay.requests.map(({ path }) => path)).toContain('/clients');
    const lost = await world({ clientId: 'nowhere' });
    expect(JSON.stringify(await lost.call('doctor'))).toContain('the relay knows no such world');
  });
});
