/** The keyword index: which words stand in which chunk. It keeps no text. */
import type { Sql, SqlValue } from '../storage/sql.js';
import { indexed } from './words.js';

export type IndexedChunk = { title: string; headings: readonly string[]; text: string };

export async function addWords(sql: Sql, chunkId: number, { title, headings, text }: IndexedChunk): Promise<void> {
  await sql.run('INSERT INTO chunk_words (rowid, title, headings, body) VALUES (?, ?, ?, ?)', [
    chunkId,
    indexed(title),
    indexed(headings.join('\n')),
    indexed(text),
  ]);
}

/** Takes a document's chunks out of the index. Its chunks must still be there. */
export async function removeWords(sql: Sql, documentId: number): Promise<void> {
  await sql.run(
    'DELETE FROM chunk_words WHERE rowid IN (SELECT id FROM reference_document_chunks WHERE document_id = ?)',
    [documentId],
  );
}

/** Takes all chunks of a collection out of the index. */
export async function removeCollectionWords(sql: Sql, collection: string): Promise<void> {
  await sql.run(
    `DELETE FROM chunk_words WHERE rowid IN (
       SELECT c.id FROM reference_document_chunks c JOIN reference_documents d ON d.id = c.document_id
       WHERE d.collection = ?)`,
    [collection],
  );
}

export type RankedChunk = { id: number; rank: number; collection: string; path: string; position: number };

/** The chunks that match best, best first. A word in a title counts 8, in a heading 4, in the text 1. */
export async function rankChunks(
  sql: Sql,
  expression: string,
  { collections, limit }: { collections?: readonly string[] | undefined; limit: number },
): Promise<RankedChunk[]> {
  const params: SqlValue[] = [expression, ...(collections ? [JSON.stringify(collections)] : []), limit];
  // CROSS JOIN keeps the index first: the other way round, every chunk would be looked up in it.
  return sql.all<RankedChunk>(
    `SELECT c.id, -bm25(chunk_words, 8, 4, 1) AS rank, d.collection, d.path, c.position
     FROM chunk_words
     CROSS JOIN reference_document_chunks c ON c.id = chunk_words.rowid
     CROSS JOIN reference_documents d ON d.id = c.document_id
     WHERE chunk_words MATCH ? ${collections ? 'AND d.collection IN (SELECT value FROM json_each(?))' : ''}
     ORDER BY rank DESC, d.path, c.position, d.collection LIMIT ?`,
    params,
  );
}

/** Which of these chunks match an expression. */
export async function matchingAmong(sql: Sql, expression: string, chunkIds: readonly number[]): Promise<Set<number>> {
  const rows = await sql.all<{ id: number }>(
    `SELECT rowid AS id FROM chunk_words
     WHERE chunk_words MATCH ? AND rowid IN (SELECT value FROM json_each(?))`,
    [expression, JSON.stringify(chunkIds)],
  );
  return new Set(rows.map(({ id }) => id));
}
