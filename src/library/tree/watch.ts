/** Tells listeners which nodes have changed, whichever process changed them. It looks only while someone listens. */
import type { Database, Sql } from '../../storage/sql.js';
import { currentRevision } from './version.js';

/** What has changed in the tree since the last look. */
export type TreeChange = {
  /** Nodes that were made, changed, moved or removed, or whose list of children changed. */
  nodeIds: readonly string[];
  /** There was more than is listed. */
  more: boolean;
  bookmarks: boolean;
};

export type TreeListener = (change: TreeChange) => void;

/** Resolves when what changes from now on is noticed; the answer ends it. */
export type Watch = (listener: TreeListener) => Promise<() => void>;

const MOST_NODES = 1000;

export function treeWatch(database: Database, everyMs: number): Watch & { stop(): void } {
  const listeners = new Set<TreeListener>();
  let seen: Promise<number> | undefined;
  let timer: NodeJS.Timeout | undefined;

  const look = async () => {
    const before = await seen;
    if (before === undefined) return;
    const { revision, change } = await database.read((sql) => changedSince(sql, before));
    if (revision === before || listeners.size === 0) return;
    seen = Promise.resolve(revision);
    if (change) for (const listener of [...listeners]) listener(change);
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
      seen = database.read(currentRevision);
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

/** The current revision, and what has changed on the way to it. */
async function changedSince(sql: Sql, before: number): Promise<{ revision: number; change: TreeChange | undefined }> {
  const revision = await currentRevision(sql);
  if (revision === before) return { revision, change: undefined };
  const rows = await sql.all<{ id: string }>(
    `SELECT id FROM nodes WHERE max(changed, children_changed) > ?
     UNION
     SELECT id FROM node_history WHERE until > ? AND id NOT IN (SELECT id FROM nodes)
     LIMIT ${MOST_NODES + 1}`,
    [before, before],
  );
  const bookmarks = await sql.get(
    `SELECT 1 AS hit FROM bookmarks WHERE since > ? UNION ALL SELECT 1 FROM bookmark_history WHERE until > ? LIMIT 1`,
    [before, before],
  );
  const nodeIds = rows.slice(0, MOST_NODES).map(({ id }) => id);
  return { revision, change: { nodeIds, more: rows.length > MOST_NODES, bookmarks: bookmarks !== undefined } };
}
