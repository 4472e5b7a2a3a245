/** Search over the documents of all collections, or of some: by words, by meaning, or by both. */
import type { Sql } from '../storage/sql.js';
import { type Candidate, keywordHits, type Mode, single, together, vectorHits, type Want } from './candidates.js';
import { parseKeywordQuery } from './keyword-query.js';
import { matcherFor } from './marks.js';
import { readResults, type SearchResult } from './results.js';
import type { VectorPort } from './vectors/port.js';

export type SearchRequest = {
  query: string;
  /** Only these. Default: all there are. */
  documents?: ReadonlySet<number> | undefined;
  mode: Mode;
  /** Of documents. */
  limit: number;
};

/** The documents that match, best first. No text of a query is an error. */
export async function search(sql: Sql, vectors: VectorPort, request: SearchRequest): Promise<SearchResult[]> {
  const candidates = await candidatesFor(sql, vectors, request);
  return readResults(sql, candidates, matchesOf([request.query]), request.limit);
}

/** Finds the words of several queries in a text. */
export function matchesOf(queries: readonly string[]) {
  const parsed = queries.map(parseKeywordQuery);
  return matcherFor(
    parsed.flatMap((query) => query?.terms ?? []),
    parsed.flatMap((query) => query?.words ?? []),
  );
}

/** All documents that match, not only as many as are asked for. */
export async function candidatesFor(
  sql: Sql,
  vectors: VectorPort,
  { query, documents, mode, limit }: SearchRequest,
): Promise<Candidate[]> {
  const words = parseKeywordQuery(query);
  if (!words || limit < 1 || documents?.size === 0) return [];
  const want: Want = { documents, documentsWanted: limit, mode };
  const nearest = (most: number) => vectors.nearest(sql, words.meant, { documents, limit: most });
  const byMeaning = () => vectorHits(sql, want, nearest, words.excluded);
  if (mode === 'keyword') return single(await keywordHits(sql, words, want), 'keyword');
  if (mode === 'vector') return single(await byMeaning(), 'vector');
  return together(sql, vectors, await keywordHits(sql, words, want), await byMeaning());
}
