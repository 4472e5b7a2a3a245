/** How far the vectors are, counted: of all texts, and of each collection. */
import type { Sql } from '../../storage/sql.js';
import { findEmbedder } from './store.js';

export type CollectionCoverage = {
  readonly collection: string;
  readonly documents: number;
  readonly chunks: number;
  readonly embedded: number;
};

const idOf = async (sql: Sql, name: string | undefined): Promise<number> =>
  (name === undefined ? undefined : await findEmbedder(sql, name))?.id ?? -1;

/** Different texts: those that there are, and those without a vector. */
export async function countTexts(sql: Sql, name: string): Promise<{ texts: number; pending: number }> {
  const row = await sql.get<{ texts: number; embedded: number }>(
    `SELECT count(*) AS texts, coalesce(sum(EXISTS (
       SELECT 1 FROM text_vectors v WHERE v.embedder = ? AND v.text_hash = c.text_hash)), 0) AS embedded
     FROM (SELECT DISTINCT text_hash FROM reference_document_chunks) c`,
    [await idOf(sql, name)],
  );
  const { texts, embedded } = row ?? { texts: 0, embedded: 0 };
  return { texts, pending: texts - embedded };
}

/** What the vectors of an embedder take in the database, without its own overhead. */
export async function vectorBytes(sql: Sql, name: string): Promise<number> {
  const row = await sql.get<{ bytes: number }>(
    `SELECT (SELECT coalesce(sum(length(vector)), 0) FROM text_vectors WHERE embedder = e.id)
       + (SELECT coalesce(sum(length(vectors) + length(ids) + length(scales)), 0) FROM vector_blocks
          WHERE embedder = e.id) AS bytes
     FROM embedders e WHERE e.name = ?`,
    [name],
  );
  return row?.bytes ?? 0;
}

export async function collectionCoverage(sql: Sql, name: string | undefined): Promise<CollectionCoverage[]> {
  return sql.all<CollectionCoverage>(
    `SELECT s.id AS collection,
       (SELECT count(*) FROM reference_documents d WHERE d.collection = s.id) AS documents,
       count(c.id) AS chunks,
       coalesce(sum(EXISTS (
         SELECT 1 FROM text_vectors v WHERE v.embedder = ? AND v.text_hash = c.text_hash)), 0) AS embedded
     FROM collections s LEFT JOIN reference_documents d ON d.collection = s.id
       LEFT JOIN reference_document_chunks c ON c.document_id = d.id
     GROUP BY s.id ORDER BY s.id`,
    [await idOf(sql, name)],
  );
}
