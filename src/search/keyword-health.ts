/** Whether the keyword index and the chunks it is about belong together. */
import type { Sql } from '../storage/sql.js';

export type KeywordHealth = { chunks: number; unindexed: number; strays: number };

export async function keywordHealth(sql: Sql): Promise<KeywordHealth> {
  const row = await sql.get<KeywordHealth>(
    `SELECT (SELECT count(*) FROM reference_document_chunks) AS chunks,
       (SELECT count(*) FROM reference_document_chunks WHERE id NOT IN (SELECT rowid FROM chunk_words)) AS unindexed,
       (SELECT count(*) FROM chunk_words WHERE rowid NOT IN (SELECT id FROM reference_document_chunks)) AS strays`,
  );
  return row as KeywordHealth;
}
