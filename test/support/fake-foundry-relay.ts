/**
 * A FAKE of the REST relay with its module, on a real HTTP server, in front of a fake world. It
 * reports success for a document that is not there, and for changes that were cancelled, as the
 * real one does.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';
import { type FakeDocument, type FakeFolder, type FakeWorld, fakeWorld } from './fake-foundry.js';

type Data = Record<string, unknown>;
export type Seen = {
  method: string;
  path: string;
  query: Record<string, string>;
  headers: IncomingMessage['headers'];
  body: Data;
};
export type Override = (seen: Seen, response: ServerResponse) => boolean;

export type FakeRelay = {
  url: string;
  world: FakeWorld;
  requests: Seen[];
  count(method: string): number;
  /** Answers a request in place of the relay, where it returns true. */
  override: Override;
};

export const relayKey = 'fake-key-1234';
export const relayClient = 'fake-world';

export async function fakeRelay(): Promise<FakeRelay> {
  const world = fakeWorld();
  const requests: Seen[] = [];
  const relay: FakeRelay = {
    url: '',
    world,
    requests,
    count: (method) => requests.filter((seen) => seen.method === method).length,
    override: () => false,
  };
  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? '/', 'http://fake');
    const body = request.method === 'GET' ? {} : ((await json(request).catch(() => ({}))) as Data);
    const query = Object.fromEntries(url.searchParams);
    const seen = { method: request.method ?? '', path: url.pathname, query, headers: request.headers, body };
    requests.push(seen);
    if (relay.override(seen, response)) return;
    const [status, answer] = await answerTo(world, seen);
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    const closed = new Promise((resolve) => server.close(resolve));
    server.closeAllConnections();
    await closed;
  });
  relay.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return relay;
}

async function answerTo(world: FakeWorld, { method, path, query, headers, body }: Seen): Promise<[number, Data]> {
  if (headers['x-api-key'] !== relayKey) return [401, { error: 'Invalid API key' }];
  if (path === '/clients') return [200, { total: 1, clients: [{ id: relayClient }] }];
  if (query.clientId !== relayClient) return [404, { error: 'Invalid client ID' }];
  const route = routes[`${method} ${path}`];
  return route ? [200, await route(world, query, body)] : [404, { error: 'Not found' }];
}

type Route = (world: FakeWorld, query: Record<string, string>, body: Data) => Promise<Data>;

const routes: Record<string, Route> = {
  'GET /get': async (world, { uuid = '' }) => {
    const document = await world.fromUuid(uuid);
    return document ? { uuid, data: document.toObject() } : { uuid, error: 'Entity not found', data: null };
  },
  'PUT /update': async (world, { uuid = '' }, body) => {
    const document = await world.fromUuid(uuid);
    try {
      await document?.update(body.data as Data);
    } catch (thrown) {
      return { uuid, error: (thrown as Error).message, message: 'Failed to update entity' };
    }
    return { uuid, entity: [document?.toObject() ?? null] };
  },
  'POST /create': async (world, _query, { entityType, data, folder }) => {
    const collection = world.game.collections.get(String(entityType));
    try {
      const document = await collection?.documentClass.create({ ...(data as Data), folder: folder ?? null });
      if (!document) return { error: 'Failed to create entity' };
      return { uuid: `${entityType}.${document.id}`, entity: document.toObject() };
    } catch (thrown) {
      return { error: (thrown as Error).message };
    }
  },
  'DELETE /delete': async (world, { uuid = '' }) => {
    await (await world.fromUuid(uuid))?.delete();
    return { uuid, success: true };
  },
  'GET /structure': async (world, { types = '', path, includeEntityData }) => {
    const all = [...(world.game.collections.get(types)?.contents ?? [])] as FakeDocument[];
    const shown = (folder: FakeFolder | null) =>
      all
        .filter((document) => (document.folder?.id ?? null) === (folder?.id ?? null))
        .map((one) =>
          includeEntityData === 'true'
            ? one.toObject()
            : { uuid: one.uuid, name: one.source.name, id: one.id, type: one.type },
        );
    const folders = [...world.game.folders.values()].filter(({ type }) => type === types);
    const below = (parent: FakeFolder | null): Data =>
      Object.fromEntries(
        folders
          .filter(({ folder }) => folder === parent)
          .map((one) => [
            one.name,
            { id: one.id, uuid: `Folder.${one.id}`, type: one.type, ...below(one), entities: shown(one) },
          ]),
      );
    if (path === undefined)
      return { data: { folders: below(null), entities: { [`${types.toLowerCase()}s`]: shown(null) } } };
    const start = folders.find(({ id }) => path === `Folder.${id}`);
    if (!start) return { error: `Folder not found: ${path}`, data: {} };
    return { data: { folders: below(start), entities: shown(start) } };
  },
};
