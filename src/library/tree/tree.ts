/** The tree as of a revision: where its rows are read from. The current one is read from the tables themselves. */
import { invalidArgument } from '../../errors.js';
import { readSetting } from '../../storage/settings.js';
import type { Sql } from '../../storage/sql.js';
import { currentRevision, formatVersion, parseVersion } from './version.js';

export type Tree = {
  readonly sql: Sql;
  readonly revision: number;
  readonly isCurrent: boolean;
  /** What stands behind FROM to read these rows as of the revision. */
  readonly from: {
    readonly nodes: string;
    readonly payloads: string;
    readonly tags: string;
    readonly bookmarks: string;
  };
};

/** Name of the database's setting that holds the oldest revision whose history is still complete. */
export const HORIZON = 'history.horizon';

/** The oldest revision whose history is still complete. */
export const oldestRevision = async (sql: Sql): Promise<number> => Number((await readSetting(sql, HORIZON)) ?? 0);

const columns = {
  nodes: 'id, parent_id, rank, type, name, status, payload_id',
  payloads: 'id, data',
  tags: 'node_id, tag',
  bookmarks: 'label, node_id',
};

const now: Tree['from'] = { nodes: 'nodes', payloads: 'payloads', tags: 'tags', bookmarks: 'bookmarks' };

function then(revision: number): Tree['from'] {
  const rows = (table: string, history: string, names: string) =>
    `(SELECT ${names} FROM ${table} WHERE since <= ${revision}
      UNION ALL SELECT ${names} FROM ${history} WHERE +since <= ${revision} AND until > ${revision})`;
  return {
    nodes: rows('nodes', 'node_history', columns.nodes),
    payloads: rows('payloads', 'payload_history', columns.payloads),
    tags: rows('tags', 'tag_history', columns.tags),
    bookmarks: rows('bookmarks', 'bookmark_history', columns.bookmarks),
  };
}

export async function currentTree(sql: Sql): Promise<Tree> {
  return { sql, revision: await currentRevision(sql), isCurrent: true, from: now };
}

/** The tree as of a revision that is known to be there. */
export async function treeAtRevision(sql: Sql, revision: number): Promise<Tree> {
  const latest = await currentRevision(sql);
  const isCurrent = revision === latest;
  return { sql, revision, isCurrent, from: isCurrent ? now : then(revision) };
}

/** The tree as of a version token that was given as `atVersion`; without one, the current tree. */
export async function treeAt(sql: Sql, version: string | undefined): Promise<Tree> {
  if (version === undefined) return currentTree(sql);
  const revision = parseVersion(version, 'atVersion');
  const latest = await currentRevision(sql);
  const oldest = await oldestRevision(sql);
  if (revision > latest) {
    throw invalidArgument`Invalid atVersion '${version}': the latest is '${formatVersion(latest)}'`;
  }
  if (revision < oldest && !(await isPinned(sql, revision))) {
    throw invalidArgument`Invalid atVersion '${version}': history is kept from '${formatVersion(oldest)}' on`;
  }
  return treeAtRevision(sql, revision);
}

/** Whether a snapshot keeps this revision for ever. */
export async function isPinned(sql: Sql, revision: number): Promise<boolean> {
  return (await sql.get('SELECT 1 FROM snapshots WHERE revision = ? LIMIT 1', [revision])) !== undefined;
}

export const versionOf = (tree: Tree): string => formatVersion(tree.revision);
