/** Tags of nodes, and bookmarks: labels that stand for a node. Both have a history like the nodes themselves. */
import { type Change, refuseStale } from './change.js';
import type { Tree } from './tree.js';
import { markChanged } from './write.js';

export async function tagsOf({ sql, from }: Tree, nodeId: string): Promise<string[]> {
  const rows = await sql.all<{ tag: string }>(`SELECT tag FROM ${from.tags} WHERE node_id = ? ORDER BY tag`, [nodeId]);
  return rows.map((row) => row.tag);
}

/** Adds the tags that the node does not have yet. */
export async function addTags(change: Change, nodeId: string, tags: readonly string[]): Promise<void> {
  const { sql } = change;
  for (const tag of new Set(tags)) {
    const known = await sql.get('SELECT 1 FROM tags WHERE node_id = ? AND tag = ?', [nodeId, tag]);
    if (known) continue;
    await sql.run('INSERT INTO tags (node_id, tag, since) VALUES (?, ?, ?)', [nodeId, tag, await change.revision()]);
    await markChanged(change, nodeId);
  }
}

export async function removeTags(change: Change, nodeId: string, tags: readonly string[]): Promise<void> {
  const { sql } = change;
  for (const tag of new Set(tags)) {
    const known = await sql.get('SELECT 1 FROM tags WHERE node_id = ? AND tag = ?', [nodeId, tag]);
    if (!known) continue;
    const now = await change.revision();
    await sql.run(
      `INSERT INTO tag_history (node_id, tag, since, until)
       SELECT node_id, tag, since, ? FROM tags WHERE node_id = ? AND tag = ? AND since < ?`,
      [now, nodeId, tag, now],
    );
    await sql.run('DELETE FROM tags WHERE node_id = ? AND tag = ?', [nodeId, tag]);
    await markChanged(change, nodeId);
  }
}

export type Bookmark = { label: string; nodeId: string };

export async function bookmarksOf({ sql, from }: Tree): Promise<Bookmark[]> {
  return sql.all<Bookmark>(`SELECT label, node_id AS nodeId FROM ${from.bookmarks} ORDER BY label`);
}

export async function findBookmark({ sql, from }: Tree, label: string): Promise<Bookmark | undefined> {
  return sql.get<Bookmark>(`SELECT label, node_id AS nodeId FROM ${from.bookmarks} WHERE label = ?`, [label]);
}

/** Sets a bookmark. One with the same label now points here; one that does already stays as it is. */
export async function setBookmark(change: Change, { label, nodeId }: Bookmark): Promise<void> {
  const known = await change.sql.get('SELECT 1 FROM bookmarks WHERE label = ? AND node_id = ?', [label, nodeId]);
  if (known) return;
  await dropBookmark(change, label);
  await change.sql.run('INSERT INTO bookmarks (label, node_id, since) VALUES (?, ?, ?)', [
    label,
    nodeId,
    await change.revision(),
  ]);
}

export async function dropBookmark(change: Change, label: string): Promise<void> {
  const now = await change.revision();
  await change.sql.run(
    `INSERT INTO bookmark_history (label, node_id, since, until)
     SELECT label, node_id, since, ? FROM bookmarks WHERE label = ? AND since < ?`,
    [now, label, now],
  );
  await change.sql.run('DELETE FROM bookmarks WHERE label = ?', [label]);
}

/** Refuses when the bookmark has been set anew, or removed, since the caller's version. */
export async function touchBookmark(change: Change, label: string): Promise<void> {
  if (change.basis === undefined) return;
  const row = await change.sql.get<{ latest: number | null }>(
    `SELECT max((SELECT coalesce(max(since), 0) FROM bookmarks WHERE label = ?),
                (SELECT coalesce(max(until), 0) FROM bookmark_history WHERE label = ?)) AS latest`,
    [label, label],
  );
  if ((row?.latest ?? 0) > change.basis) await refuseStale(change, label);
}
