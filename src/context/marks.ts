/** What tells whether a document is as it was: the hash of its content, and what the file system said of its file. */
import type { Sql } from '../storage/sql.js';
import { type Stored, statText } from './plan.js';
import type { FileStat } from './source.js';

/** Without a stat, the next sync reads the file again. */
type Mark = { hash: string; stat: FileStat | undefined };

export async function saveMark(sql: Sql, collection: string, path: string, { hash, stat }: Mark): Promise<void> {
  await sql.run('INSERT OR REPLACE INTO document_marks (collection, path, hash, stat) VALUES (?, ?, ?, ?)', [
    collection,
    path,
    hash,
    stat ? statText(stat) : null,
  ]);
}

export async function forgetMark(sql: Sql, collection: string, path: string): Promise<void> {
  await sql.run('DELETE FROM document_marks WHERE collection = ? AND path = ?', [collection, path]);
}

type MarkRow = Stored & { path: string };

const PAGE = 5000;

/** What is stored of a collection, by path. */
export async function listStored(sql: Sql, collection: string): Promise<Map<string, Stored>> {
  const stored = new Map<string, Stored>();
  for (let after = ''; ; ) {
    const rows = await sql.all<MarkRow>(
      `SELECT path, hash, stat FROM document_marks WHERE collection = ? AND path > ? ORDER BY path LIMIT ${PAGE}`,
      [collection, after],
    );
    for (const row of rows) stored.set(row.path, row);
    const last = rows.at(-1);
    if (!last || rows.length < PAGE) return stored;
    after = last.path;
  }
}
