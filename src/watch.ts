/** Tells listeners what has changed, whichever process changed it. It looks only while someone listens. */
import { syncTimes } from './context/collection-store.js';
import { type ChangedNodes, changedNodes } from './library/tree/changed-nodes.js';
import { currentRevision } from './library/tree/version.js';
import type { Database, Sql } from './storage/sql.js';

/** What has changed since the last look. */
export type WorkspaceChange = ChangedNodes & {
  /** Ids of the collections that were synced or dropped. */
  collections: readonly string[];
};

export type WorkspaceListener = (change: WorkspaceChange) => void;

/** Resolves when what changes from now on is noticed; the answer ends it. */
export type Watch = (listener: WorkspaceListener) => Promise<() => void>;

type Seen = { revision: number; synced: ReadonlyMap<string, string> };

export function workspaceWatch(database: Database, everyMs: number): Watch & { stop(): void } {
  const listeners = new Set<WorkspaceListener>();
  let seen: Promise<Seen> | undefined;
  let timer: NodeJS.Timeout | undefined;

  const look = async () => {
    const before = await seen;
    if (before === undefined) return;
    const { now, change } = await database.read((sql) => changeSince(sql, before));
    if (change === undefined || listeners.size === 0) return;
    seen = Promise.resolve(now);
    for (const listener of [...listeners]) listener(change);
  };
  const plan = () => {
    timer = setTimeout(() => {
      // A look that failed is no news: the next one covers what it missed.
      void look()
        .catch(() => {})
        .finally(() => {
          if (listeners.size > 0) plan();
        });
    }, everyMs).unref();
  };
  const stop = () => {
    listeners.clear();
    clearTimeout(timer);
    seen = undefined;
  };

  const watch: Watch = async (listener) => {
    const isFirst = listeners.size === 0;
    listeners.add(listener);
    if (isFirst) {
      seen = database.read(lookNow);
      plan();
    }
    try {
      await seen;
    } catch (thrown) {
      stop();
      throw thrown;
    }
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0) stop();
    };
  };
  return Object.assign(watch, { stop });
}

const lookNow = async (sql: Sql): Promise<Seen> => ({
  revision: await currentRevision(sql),
  synced: await syncTimes(sql),
});

/** What there is now, and what has changed on the way to it. */
async function changeSince(sql: Sql, before: Seen): Promise<{ now: Seen; change: WorkspaceChange | undefined }> {
  const now = await lookNow(sql);
  const ids = new Set([...before.synced.keys(), ...now.synced.keys()]);
  const collections = [...ids].filter((id) => before.synced.get(id) !== now.synced.get(id));
  if (now.revision === before.revision && collections.length === 0) return { now, change: undefined };
  return { now, change: { ...(await changedNodes(sql, before.revision)), collections } };
}
