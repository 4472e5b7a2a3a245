/** Notices of changed resources: to those who subscribed in the older era, and to those who listen in the newer one. */
import type { Server, ServerEvent, ServerEventBus } from '@modelcontextprotocol/server';
import type { TreeChange, Watch } from '../workspace.js';
import { nodeUri } from './tree-resources.js';

/** What clients are told of a change. */
function eventsOf({ nodeIds, more, bookmarks }: TreeChange): ServerEvent[] {
  const listChanged = more || bookmarks || nodeIds.includes('library');
  return [
    ...nodeIds.map((id): ServerEvent => ({ kind: 'resource_updated', uri: nodeUri(id) })),
    ...(listChanged ? [{ kind: 'resources_list_changed' } as const] : []),
  ];
}

/** The older era: a client names each resource that it wants to hear of, on a connection that lasts. */
export function offerSubscriptions(server: Server, watch: Watch): void {
  const wanted = new Set<string>();
  const start = once(() => watch((change) => tell(server, change, (uri) => wanted.has(uri))), server);
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
export function announceChanges(server: Server, watch: Watch): () => void {
  const start = once(() => watch((change) => tell(server, change, () => true)), server);
  return () => void start().catch(() => {});
}

/** The newer era over HTTP: changes are looked for while at least one client listens. */
export function noticeBus(watch: Watch): ServerEventBus {
  return {
    publish: () => {},
    subscribe(listener) {
      const ending = watch((change) => eventsOf(change).forEach(listener)).catch(() => () => {});
      return () => void ending.then((end) => end());
    },
  };
}

function tell(server: Server, change: TreeChange, wants: (uri: string) => boolean): void {
  for (const event of eventsOf(change)) {
    if (event.kind === 'resources_list_changed') void server.sendResourceListChanged().catch(() => {});
    if (event.kind === 'resource_updated' && wants(event.uri)) {
      void server.sendResourceUpdated({ uri: event.uri }).catch(() => {});
    }
  }
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
