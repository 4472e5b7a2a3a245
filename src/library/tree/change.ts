/**
 * One change of the tree: it has a revision of its own, and refuses to touch what has changed
 * after the version its caller had seen.
 */
import { conflict } from '../../errors.js';
import type { Sql } from '../../storage/sql.js';
import type { NewId } from './id.js';
import type { StoredNode } from './node.js';
import { currentRevision, formatVersion, parseVersion } from './version.js';

export type ChangeRequest = {
  sql: Sql;
  agent: string;
  tool: string;
  at: number;
  newId: NewId;
  /** The version token of the caller, where one was given. */
  version?: string | undefined;
  mayChangeProtected?: boolean;
};

export type Change = {
  readonly sql: Sql;
  readonly newId: NewId;
  /** Who makes it, and when. */
  readonly agent: string;
  readonly at: number;
  /** The revision that the caller had seen: undefined when it did not say. */
  readonly basis: number | undefined;
  /** Whether protected properties may be changed: an owner's right. */
  readonly mayChangeProtected: boolean;
  /** The revision of this change. It is taken at the first call, so a change of nothing leaves no trace. */
  revision(): Promise<number>;
  /** The revision of this change, if it made one. */
  made(): Promise<number | undefined>;
  /** The version after this change. */
  version(): Promise<string>;
};

export function openChange(request: ChangeRequest): Change {
  const { sql, agent, tool, at, newId, version, mayChangeProtected = false } = request;
  let taken: Promise<number> | undefined;
  const take = async () => {
    const row = await sql.get<{ revision: number }>(
      'INSERT INTO revisions (at, agent, tool) VALUES (?, ?, ?) RETURNING revision',
      [at, agent, tool],
    );
    return (row as { revision: number }).revision;
  };
  return {
    sql,
    newId,
    agent,
    at,
    mayChangeProtected,
    basis: version === undefined ? undefined : parseVersion(version),
    revision: () => {
      taken ??= take();
      return taken;
    },
    made: async () => taken,
    version: async () => formatVersion(await (taken ?? currentRevision(sql))),
  };
}

/** A version that this library never had says nothing about what its caller has seen. */
export async function checkBasis({ basis, sql }: Change): Promise<void> {
  if (basis === undefined) return;
  const latest = await currentRevision(sql);
  if (basis <= latest) return;
  throw conflict`Version '${formatVersion(basis)}' is not a version of this library`.with({
    currentVersion: formatVersion(latest),
  });
}

/** Refuses when the node itself has changed since the caller's version. */
export async function touchNode(change: Change, node: StoredNode): Promise<void> {
  if (change.basis !== undefined && node.changed > change.basis) await refuseStale(change, node.id);
}

/** Refuses when the node or the list of its children has changed since the caller's version. */
export async function touchChildren(change: Change, parent: StoredNode): Promise<void> {
  const latest = Math.max(parent.changed, parent.childrenChanged);
  if (change.basis !== undefined && latest > change.basis) await refuseStale(change, parent.id);
}

/**
 * Refuses when anything in the subtree has changed since the caller's version. It walks up from
 * what has changed, so that it costs what changed and not what the subtree holds.
 */
export async function touchSubtree(change: Change, root: StoredNode): Promise<void> {
  if (change.basis === undefined) return;
  const hit = await change.sql.get(
    `WITH RECURSIVE up (id) AS (
       SELECT id FROM nodes WHERE max(changed, children_changed) > ?
       UNION
       SELECT nodes.parent_id FROM up JOIN nodes ON nodes.id = up.id WHERE nodes.parent_id IS NOT NULL
     )
     SELECT 1 FROM up WHERE id = ? LIMIT 1`,
    [change.basis, root.id],
  );
  if (hit) await refuseStale(change, root.id);
}

export async function refuseStale(change: Change, id: string): Promise<never> {
  const seen = formatVersion(change.basis ?? 0);
  const latest = await currentRevision(change.sql);
  throw conflict`Version '${seen}' is out of date: '${id}' has changed since`.with({
    currentVersion: formatVersion(latest),
  });
}
