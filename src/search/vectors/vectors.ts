/** The port of search by meaning, over the vectors in the database. */
import type { Sql } from '../../storage/sql.js';
import type { Embedder } from '../embed/embedder.js';
import { coverageOf } from './coverage.js';
import { emptyMatrix, type Matrix } from './matrix.js';
import { nearestChunks, vectorsOfChunks } from './nearest.js';
import type { VectorPort } from './port.js';
import { unit } from './quantise.js';
import { type EmbedderRow, findEmbedder } from './store.js';

/** Questions whose vectors are remembered: one search may ask several times, and agents ask again. */
const REMEMBERED = 64;

export function vectorPort(embedder: Embedder | undefined, onFault: (fault: Error) => void = () => {}): VectorPort {
  const coverage = coverageOf(embedder?.name);
  if (!embedder) return { nearest: async () => [], nearestTo: async () => [], coverage };
  const matrixOf = keptMatrix();
  const vectorOf = rememberedQueries(embedder);

  return {
    coverage,
    nearest: async (sql, text, want) => {
      const row = await withVectors(sql, embedder.name);
      // Nothing is loaded, and no server asked, for an index that has no vectors.
      if (!row || text.trim() === '') return [];
      const query = await vectorOf(text).catch((fault: Error) => onFault(fault));
      return query?.length === row.dimensions ? nearestChunks(sql, row, matrixOf(row), query, want) : [];
    },
    nearestTo: async (sql, chunks, { documents, limit }) => {
      const row = await withVectors(sql, embedder.name);
      const middle = row && middleOf(await vectorsOfChunks(sql, row.id, chunks));
      if (!row || !middle) return [];
      const own = new Set(chunks);
      const hits = await nearestChunks(sql, row, matrixOf(row), middle, { documents, limit: limit + own.size });
      return hits.filter(({ chunk }) => !own.has(chunk)).slice(0, limit);
    },
  };
}

async function withVectors(sql: Sql, name: string): Promise<EmbedderRow | undefined> {
  const row = await findEmbedder(sql, name);
  return row && row.dimensions > 0 ? row : undefined;
}

/** One matrix a workspace. Another number of dimensions needs a new one. */
function keptMatrix(): (row: EmbedderRow) => Matrix {
  let matrix: Matrix | undefined;
  return ({ dimensions }) => {
    if (matrix?.dimensions !== dimensions) matrix = emptyMatrix(dimensions);
    return matrix;
  };
}

function rememberedQueries(embedder: Embedder): (text: string) => Promise<Float32Array> {
  const known = new Map<string, Float32Array>();
  return async (text) => {
    const vector = known.get(text) ?? (await embedder.embedQuery(text));
    known.delete(text);
    known.set(text, vector);
    if (known.size > REMEMBERED) known.delete(known.keys().next().value as string);
    return vector;
  };
}

/** The direction of the sum: near to what most of the vectors are near to. */
function middleOf(vectors: readonly Float32Array[]): Float32Array | undefined {
  const [first] = vectors;
  if (!first) return undefined;
  const sum = new Float32Array(first.length);
  for (const vector of vectors)
    for (let at = 0; at < sum.length; at++) sum[at] = (sum[at] as number) + (vector[at] as number);
  return unit(sum);
}
