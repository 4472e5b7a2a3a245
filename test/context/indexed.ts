/** What a database holds of its collections, in a form that two databases can be compared by. */
import { expect } from 'vitest';
import { search } from '../../src/search/search.js';
import type { Database, Sql } from '../../src/storage/sql.js';
import { noVectors } from '../search/no-vectors.js';

const documents = 'SELECT collection, path, hash, title, bytes, content FROM reference_documents ORDER BY 1, 2';

const chunks = `SELECT d.collection, d.path, c.position, c.headings, c.start_line, c.end_line, c.start_byte, c.end_byte,
  c.text_hash FROM reference_document_chunks c JOIN reference_documents d ON d.id = c.document_id ORDER BY 1, 2, 3`;

/** Documents, chunks, and what searches for some words find. */
export async function contentOf(database: Database, queries: readonly string[] = []) {
  return database.read(async (sql) => ({
    documents: await sql.all(documents),
    chunks: await sql.all(chunks),
    hits: await hitsOf(sql, queries),
  }));
}

async function hitsOf(sql: Sql, queries: readonly string[]) {
  const hits = [];
  for (const query of queries) hits.push(await search(sql, noVectors, { query, mode: 'keyword', limit: 1000 }));
  // Scores depend on the numbers of the rows that the index once had; which documents are found does not.
  return hits.map((found) => found.flatMap((hit) => [hit, ...hit.duplicates].map(({ document }) => document)).sort());
}

/** No document without chunks or mark, no chunk or index entry without its document, and a file that is sound. */
export async function expectWhole(database: Database): Promise<void> {
  const faults = await database.read(async (sql) => ({
    bare: await sql.all(
      'SELECT path FROM reference_documents d WHERE NOT EXISTS (SELECT 1 FROM reference_document_chunks c WHERE c.document_id = d.id)',
    ),
    gaps: await sql.all(
      `SELECT d.path FROM reference_documents d JOIN reference_document_chunks c ON c.document_id = d.id
       GROUP BY d.id HAVING max(c.end_byte) <> length(CAST(d.content AS BLOB)) OR max(c.position) <> count(*) - 1`,
    ),
    marks: await sql.all(
      `SELECT path FROM (SELECT collection, path, hash FROM reference_documents EXCEPT SELECT collection, path, hash FROM document_marks)
       UNION ALL SELECT path FROM (SELECT collection, path FROM document_marks EXCEPT SELECT collection, path FROM reference_documents)`,
    ),
    orphans: await sql.all('PRAGMA foreign_key_check'),
    unindexed: await sql.all(
      'SELECT id FROM reference_document_chunks WHERE id NOT IN (SELECT id FROM chunk_words_docsize)',
    ),
    dangling: await sql.all(
      'SELECT id FROM chunk_words_docsize WHERE id NOT IN (SELECT id FROM reference_document_chunks)',
    ),
  }));
  expect(faults).toEqual({ bare: [], gaps: [], marks: [], orphans: [], unindexed: [], dangling: [] });
}
