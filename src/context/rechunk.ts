/** Cuts the documents of a collection anew that were cut by older rules, from what is stored: nothing is fetched. */
import { chunkDocument } from '../search/chunk.js';
import { storedText } from '../search/stored-text.js';
import type { Sql } from '../storage/sql.js';
import { writeDocument } from './document-store.js';
import type { SyncRun } from './sync-run.js';

/** Few enough that others can write in between. */
const AT_ONCE = 32;

type Row = { path: string; hash: string; bytes: number; content: string };

/** `before` runs first in every transaction. */
export async function rechunk(
  { database, id, now, signal, onProgress }: SyncRun,
  before: (sql: Sql) => Promise<void>,
): Promise<void> {
  const total = await database.read((sql) => countOutdated(sql, id));
  for (let done = 0; done < total; ) {
    signal.throwIfAborted();
    const cut = await database.write(async (sql) => {
      await before(sql);
      const rows = await outdated(sql, id);
      for (const row of rows) await cutAnew(sql, id, row, now());
      return rows.length;
    });
    if (cut === 0) return;
    done += cut;
    onProgress({ step: 'Indexing anew', done, total });
  }
}

const from = `FROM outdated_documents o CROSS JOIN reference_documents d ON d.id = o.document_id WHERE d.collection = ?`;

async function countOutdated(sql: Sql, collection: string): Promise<number> {
  return (await sql.get<{ count: number }>(`SELECT count(*) AS count ${from}`, [collection]))?.count ?? 0;
}

const outdated = (sql: Sql, collection: string): Promise<Row[]> =>
  sql.all<Row>(`SELECT d.path, d.hash, d.bytes, d.content ${from} LIMIT ${AT_ONCE}`, [collection]);

/** HTML of the time before it was turned into Markdown still stands as it was. */
async function cutAnew(sql: Sql, collection: string, { path, hash, bytes, content }: Row, now: number): Promise<void> {
  const text = /^\s*</.test(content) ? await storedText(path, content) : content;
  const { chunks, ...about } = chunkDocument(path, text);
  await writeDocument(sql, collection, { path, hash, bytes, content: text, ...about }, chunks, now);
}
