/** From vectors that are near to the chunks that have their texts, within a scope. All of it on one state of the index. */
import type { Sql } from '../../storage/sql.js';
import { bestOf } from './best.js';
import type { Matrix } from './matrix.js';
import type { Nearest, VectorHit } from './port.js';
import { dotKept, fromKept } from './quantise.js';
import { blockIds, type EmbedderRow, readBlocks } from './store.js';

/** Scores of 8-bit numbers are a little off: so many more are looked at, and scored again. */
const SPARE = 32;
/** A scope of so few documents is looked up; in a wider one, the best of all are tried until there are enough. */
const FEW_DOCUMENTS = 500;
/** Rounds of trying, each four times as wide, before a wide scope is looked up after all. */
const ROUNDS = 3;

export async function nearestChunks(
  sql: Sql,
  embedder: EmbedderRow,
  matrix: Matrix,
  query: Float32Array,
  { documents, limit }: Nearest,
): Promise<VectorHit[]> {
  if (limit < 1 || documents?.size === 0) return [];
  await refreshMatrix(sql, embedder.id, matrix);
  const { scores, ids } = matrix.scan(query);
  if (scores.length === 0) return [];
  const among = async (count: number, scope?: ReadonlySet<number>) => {
    const best = bestOf(scores, count, scope && ((place) => scope.has(ids[place] as number)));
    const hits = await chunksOf(
      sql,
      best.map((place) => ids[place] as number),
      query,
      documents,
    );
    return { hits, isAll: best.length < count };
  };
  if (!documents || documents.size > FEW_DOCUMENTS) {
    let count = limit + 2 * SPARE;
    for (let round = 0; round < ROUNDS; round++, count *= 4) {
      const { hits, isAll } = await among(count);
      if (isAll || hits.length >= limit + Math.min(limit, SPARE)) return hits.slice(0, limit);
    }
  }
  const scope = documents ? await vectorsOf(sql, embedder.id, documents) : undefined;
  const { hits } = await among(scope ? Math.min(scope.size, limit + 2 * SPARE) : ids.length, scope);
  return hits.slice(0, limit);
}

/** Brings the memory to the blocks that this state of the index has. The scan follows without a pause. */
async function refreshMatrix(sql: Sql, embedder: number, matrix: Matrix): Promise<void> {
  const current = await blockIds(sql, embedder);
  const missing = matrix.missing(current);
  matrix.refresh(missing.length > 0 ? await readBlocks(sql, missing) : [], current);
}

type Candidate = { id: number; vector: Uint8Array; chunk: number; document: number };

/** The chunks that have the texts of these vectors, scored with all the precision that is stored, best first. */
async function chunksOf(
  sql: Sql,
  vectors: readonly number[],
  query: Float32Array,
  documents: ReadonlySet<number> | undefined,
): Promise<VectorHit[]> {
  const rows = await sql.all<Candidate>(
    // Crossed, so that the few candidates are looked up and the many chunks are not gone through.
    `SELECT v.id, v.vector, c.id AS chunk, c.document_id AS document
     FROM json_each(?) wanted CROSS JOIN text_vectors v ON v.id = wanted.value
       CROSS JOIN reference_document_chunks c ON c.text_hash = v.text_hash
     -- A document without text has only its name, which is near to everything and nothing.
     WHERE c.end_byte > c.start_byte`,
    [JSON.stringify(vectors)],
  );
  const scores = new Map<number, number>();
  const scoreOf = ({ id, vector }: Candidate): number => {
    const score = scores.get(id) ?? Math.max(-1, Math.min(1, dotKept(vector, query)));
    scores.set(id, score);
    return score;
  };
  return rows
    .filter(({ document }) => !documents || documents.has(document))
    .map((row) => ({ chunk: row.chunk, score: scoreOf(row) }))
    .sort((one, other) => other.score - one.score || one.chunk - other.chunk);
}

async function vectorsOf(sql: Sql, embedder: number, documents: ReadonlySet<number>): Promise<Set<number>> {
  const rows = await sql.all<{ id: number }>(
    `SELECT DISTINCT v.id FROM json_each(?) wanted
       CROSS JOIN reference_document_chunks c ON c.document_id = wanted.value
       CROSS JOIN text_vectors v ON v.embedder = ? AND v.text_hash = c.text_hash`,
    [JSON.stringify([...documents]), embedder],
  );
  return new Set(rows.map(({ id }) => id));
}

/** The vectors of chunks, one for each that has one. */
export async function vectorsOfChunks(sql: Sql, embedder: number, chunks: readonly number[]): Promise<Float32Array[]> {
  const rows = await sql.all<{ vector: Uint8Array }>(
    `SELECT v.vector FROM json_each(?) wanted
       CROSS JOIN reference_document_chunks c ON c.id = wanted.value
       CROSS JOIN text_vectors v ON v.embedder = ? AND v.text_hash = c.text_hash`,
    [JSON.stringify(chunks), embedder],
  );
  return rows.map(({ vector }) => fromKept(vector));
}
