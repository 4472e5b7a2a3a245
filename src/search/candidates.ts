/** The chunks that match a query, by words and by meaning, brought together by document. */
import type { Sql } from '../storage/sql.js';
import { fuse } from './fusion.js';
import { matchingAmong, mostChunks, rankChunks } from './keyword-index.js';
import type { KeywordQuery } from './keyword-query.js';
import type { VectorPort } from './vectors/port.js';

export type Mode = 'hybrid' | 'keyword' | 'vector';

/** Why a document stands where it does. */
export type Reasons = {
  keyword?: { rank: number; score: number };
  vector?: { rank: number; score: number };
  /** Part of the score was estimated: not all of the document has vectors yet. */
  estimated?: true;
};

/** A document with its chunks that match, the best first. */
export type Candidate = {
  readonly document: number;
  readonly score: number;
  readonly chunks: () => readonly number[];
  readonly reasons: Reasons;
};

export type Hit = { readonly chunk: number; readonly score: number };
type Place = { readonly chunk: number; readonly document: number };

/** Documents in the order of one list, each with its hits. */
export type Ranked = ReadonlyMap<number, readonly Hit[]>;

export type Want = {
  readonly documents?: ReadonlySet<number> | undefined;
  readonly documentsWanted: number;
  readonly mode: Mode;
};

/** Chunks that each list gives at first: in two lists, one that is far down in both may still come to the front. */
const POOL: Record<Mode, number> = { keyword: 100, vector: 100, hybrid: 200 };
/** The most it may give where they are of too few documents. */
const LARGEST_POOL = 5000;

export const keywordHits = (sql: Sql, query: KeywordQuery, want: Want): Promise<Ranked> =>
  pooled(sql, want, async (limit) => {
    for (const expression of query.expressions) {
      const hits = await rankChunks(sql, expression, { documents: want.documents, limit });
      if (hits.length > 0) return byWordsMatched(sql, query, hits);
    }
    return [];
  });

/** In a larger index, how rare a word is tells what it is worth. */
const FEW_CHUNKS = 1000;
const MOST_COUNTED = 16;

/**
 * Where there are few texts, a word that stands in half of them counts for nothing, however much it was asked for.
 * There a chunk with half of the words gets half of its score. In larger indexes that does harm: docs/decisions/019.
 */
async function byWordsMatched(sql: Sql, { each }: KeywordQuery, hits: readonly Hit[]): Promise<readonly Hit[]> {
  if (each.length === 1 || (await mostChunks(sql)) > FEW_CHUNKS) return hits;
  const chunks = hits.map(({ chunk }) => chunk);
  const counts = new Map<number, number>();
  const counted = each.slice(0, MOST_COUNTED);
  for (const expression of counted) {
    for (const chunk of await matchingAmong(sql, expression, chunks)) counts.set(chunk, (counts.get(chunk) ?? 0) + 1);
  }
  return hits.map(({ chunk, score }) => ({
    chunk,
    score: (score * Math.max(1, counts.get(chunk) ?? 0)) / counted.length,
  }));
}

/** Chunks that are near in meaning are left out too, where words in them were excluded. */
export const vectorHits = (
  sql: Sql,
  want: Want,
  nearest: (limit: number) => Promise<readonly Hit[]>,
  excluded?: string,
): Promise<Ranked> => pooled(sql, want, nearest, excluded);

/** A long document can fill the pool with its chunks: then a larger one is tried. */
async function pooled(
  sql: Sql,
  want: Want,
  find: (limit: number) => Promise<readonly Hit[]>,
  excluded?: string,
): Promise<Ranked> {
  for (let limit = POOL[want.mode]; ; limit *= 5) {
    const hits = await find(limit);
    const ranked = await byDocument(sql, excluded === undefined ? hits : await withoutMatches(sql, hits, excluded));
    if (hits.length < limit || ranked.size >= want.documentsWanted || limit >= LARGEST_POOL) return ranked;
  }
}

async function withoutMatches(sql: Sql, hits: readonly Hit[], expression: string): Promise<readonly Hit[]> {
  const chunks = hits.map(({ chunk }) => chunk);
  const matching = await matchingAmong(sql, expression, chunks);
  return hits.filter(({ chunk }) => !matching.has(chunk));
}

/** Hits of equal score stand in the order of their paths. */
async function byDocument(sql: Sql, hits: readonly Hit[]): Promise<Ranked> {
  const scores = new Map(hits.map(({ chunk, score }) => [chunk, score]));
  const known = (await placesOf(sql, hits)).map(({ chunk, document }) => ({
    document,
    hit: { chunk, score: scores.get(chunk) ?? 0 },
  }));
  known.sort((one, other) => other.hit.score - one.hit.score);
  const ranked = new Map<number, Hit[]>();
  for (const { hit, document } of known) {
    const list = ranked.get(document);
    if (list) list.push(hit);
    else ranked.set(document, [hit]);
  }
  return ranked;
}

/** In the order of their paths. Sorted where the paths are, so that none of them has to be handed over. */
const placesOf = (sql: Sql, hits: readonly Hit[]): Promise<Place[]> =>
  sql.all<Place>(
    `SELECT c.id AS chunk, c.document_id AS document
     FROM json_each(?) wanted
     CROSS JOIN reference_document_chunks c ON c.id = wanted.value
     CROSS JOIN reference_documents d ON d.id = c.document_id
     ORDER BY d.path, d.collection, c.id`,
    [JSON.stringify(hits.map(({ chunk }) => chunk))],
  );

/** One list alone keeps its own scores. */
export function single(ranked: Ranked, kind: 'keyword' | 'vector'): Candidate[] {
  return [...ranked].map(([document, hits], at) => {
    const score = hits[0]?.score ?? 0;
    return {
      document,
      score,
      chunks: () => hits.map(({ chunk }) => chunk),
      reasons: { [kind]: { rank: at + 1, score } },
    };
  });
}

/** Both lists in one order. */
export async function together(sql: Sql, vectors: VectorPort, keyword: Ranked, vector: Ranked): Promise<Candidate[]> {
  if (vector.size === 0) return single(keyword, 'keyword');
  const unembedded = await withoutVectors(sql, vectors, [...keyword.keys()]);
  return fuse([...keyword.keys()], [...vector.keys()], unembedded).map((fused) => {
    const { document, score, keywordRank, vectorRank, estimated } = fused;
    const [byWords, byMeaning] = [keyword.get(document) ?? [], vector.get(document) ?? []];
    const reasons: Reasons = {
      ...(keywordRank !== undefined && { keyword: { rank: keywordRank, score: byWords[0]?.score ?? 0 } }),
      ...(vectorRank !== undefined && { vector: { rank: vectorRank, score: byMeaning[0]?.score ?? 0 } }),
      ...(estimated && { estimated }),
    };
    return { document, score, chunks: () => bestChunks(byWords, byMeaning), reasons };
  });
}

const bestChunks = (byWords: readonly Hit[], byMeaning: readonly Hit[]): number[] =>
  fuse(
    byWords.map(({ chunk }) => chunk),
    byMeaning.map(({ chunk }) => chunk),
  ).map(({ document: chunk }) => chunk);

/** The share of each document that has no vectors, for those where that is not nothing. */
async function withoutVectors(sql: Sql, vectors: VectorPort, documents: number[]): Promise<Map<number, number>> {
  const missing = new Map<number, number>();
  const all = await vectors.coverage(sql, new Set(documents));
  if (all.embedded >= all.chunks) return missing;
  for (const document of documents) {
    const { chunks, embedded } = await vectors.coverage(sql, new Set([document]));
    if (embedded < chunks) missing.set(document, 1 - embedded / chunks);
  }
  return missing;
}
