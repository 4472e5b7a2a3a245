/** The keyword index: which words stand in which chunk. It keeps no text. */
import type { Sql } from '../storage/sql.js';
import { indexed } from './words.js';

export type IndexedChunk = {
  title: string;
  headings: readonly string[];
  text: string;
  /** What the front matter says of the document: found like a heading. */
  about?: readonly string[] | undefined;
};

export async function addWords(
  sql: Sql,
  chunkId: number,
  { title, headings, text, about = [] }: IndexedChunk,
): Promise<void> {
  await sql.run('INSERT INTO chunk_words (rowid, title, headings, body) VALUES (?, ?, ?, ?)', [
    chunkId,
    indexed(title),
    indexed([...headings.filter((heading) => heading !== title), ...about].join('\n')),
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

/** A chunk's id, and how well it matches: higher is better. */
export type KeywordHit = { readonly chunk: number; readonly score: number };

/** A word in a title counts 8, in a heading 4, in the text 1: measured, see docs/decisions/019. */
const SCORE = '-bm25(chunk_words, 8, 4, 1) AS score';

/** The chunks that match best, best first, of these documents. */
export async function rankChunks(
  sql: Sql,
  expression: string,
  { documents, limit }: { documents?: ReadonlySet<number> | undefined; limit: number },
): Promise<KeywordHit[]> {
  if (!documents) {
    return sql.all<KeywordHit>(
      `SELECT rowid AS chunk, ${SCORE} FROM chunk_words WHERE chunk_words MATCH ?
       ORDER BY score DESC, rowid LIMIT ?`,
      [expression, limit],
    );
  }
  // CROSS JOIN keeps the index first: the other way round, every chunk would be looked up in it.
  return sql.all<KeywordHit>(
    `SELECT chunk_words.rowid AS chunk, ${SCORE} FROM chunk_words
     CROSS JOIN reference_document_chunks c ON c.id = chunk_words.rowid
     WHERE chunk_words MATCH ? AND c.document_id IN (SELECT value FROM json_each(?))
     ORDER BY score DESC, chunk_words.rowid LIMIT ?`,
    [expression, JSON.stringify([...documents]), limit],
  );
}

/** Which of these chunks match an expression. */
export async function matchingAmong(sql: Sql, expression: string, chunks: readonly number[]): Promise<Set<number>> {
  const rows = await sql.all<{ chunk: number }>(
    // The plus keeps the index from being asked once for each chunk.
    `SELECT rowid AS chunk FROM chunk_words
     WHERE chunk_words MATCH ? AND +rowid IN (SELECT value FROM json_each(?))`,
    [expression, JSON.stringify(chunks)],
  );
  return new Set(rows.map(({ chunk }) => chunk));
}

/** No more chunks than this are in the index. */
export async function mostChunks(sql: Sql): Promise<number> {
  return (await sql.get<{ most: number | null }>('SELECT max(id) AS most FROM reference_document_chunks'))?.most ?? 0;
}
