/** Notices of changed resources: to those who subscribed in the older era, and to those who listen in the newer one. */
import type { Server, ServerEvent, ServerEventBus } from '@modelcontextprotocol/server';
import type { Watch, WorkspaceChange } from '../workspace.js';
import type { ResourceFamily } from './resource-family.js';

type Families = readonly ResourceFamily[];

/** What clients are told of a change. */
async function eventsOf(families: Families, change: WorkspaceChange): Promise<ServerEvent[]> {
  const affected = await Promise.all(families.map((family) => family.affected(change)));
  const uris = new Set(affected.flatMap((one) => one.uris));
  return [
    ...[...uris].map((uri): ServerEvent => ({ kind: 'resource_updated', uri })),
    ...(affected.some(({ listing }) => listing) ? [{ kind: 'resources_list_changed' } as const] : []),
  ];
}

/** The older era: a client names each resource that it wants to hear of, on a connection that lasts. */
export function offerSubscriptions(server: Server, families: Families, watch: Watch): void {
  const wanted = new Set<string>();
  const start = once(() => watch((change) => tell(server, families, change, (uri) => wanted.has(uri))), server);
  server.setRequestHandler('resources/subscribe', async ({ params: { uri } }) => {
    await start();
    wanted.add(uri);
    return {};
  });
  server.setRequestHandler('resources/unsubscribe', ({ params: { uri } }) => {
    wanted.delete(uri);
    return {};
  });
}

/** The newer era on standard input and output: the SDK keeps who listens to what, and drops the rest. */
export function announceChanges(server: Server, families: Families, watch: Watch): () => void {
  const start = once(() => watch((change) => tell(server, families, change, () => true)), server);
  return () => void start().catch(() => {});
}

/**
 * The newer era over HTTP: changes are looked for while at least one client listens. Names mean what they mean in
 * each client's project, so every family that has been served is asked.
 */
export function noticeBus(watch: Watch, families: () => Families): ServerEventBus {
  return {
    publish: () => {},
    subscribe(listener) {
      const pass = async (change: WorkspaceChange) => (await eventsOf(families(), change)).forEach(listener);
      const ending = watch((change) => void pass(change).catch(() => {})).catch(() => () => {});
      return () => void ending.then((end) => end());
    },
  };
}

async function send(
  server: Server,
  families: Families,
  change: WorkspaceChange,
  wants: (uri: string) => boolean,
): Promise<void> {
  for (const event of await eventsOf(families, change)) {
    if (event.kind === 'resources_list_changed') await server.sendResourceListChanged();
    if (event.kind === 'resource_updated' && wants(event.uri)) await server.sendResourceUpdated({ uri: event.uri });
  }
}

/** A client that is gone hears nothing, which is no failure. */
function tell(...args: Parameters<typeof send>): void {
  void send(...args).catch(() => {});
}

/** Starts once, tries again if that failed, and ends with the connection. */
function once(start: () => Promise<() => void>, server: Server): () => Promise<unknown> {
  let started: Promise<() => void> | undefined;
  const closed = server.onclose;
  server.onclose = () => {
    closed?.();
    void started?.then((end) => end()).catch(() => {});
  };
  return () => {
    started ??= start().catch((thrown: unknown) => {
      started = undefined;
      throw thrown;
    });
    return started;
  };
}
