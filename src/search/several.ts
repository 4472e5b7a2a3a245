/** Several queries, one answer: what more than one of them finds, and finds early, comes first. */
import type { Sql } from '../storage/sql.js';
import type { Candidate } from './candidates.js';
import { readResults, type SearchResult } from './results.js';
import { candidatesFor, matchesOf, type SearchRequest } from './search.js';
import type { VectorPort } from './vectors/port.js';

export type SeveralRequest = Omit<SearchRequest, 'query'> & { queries: readonly string[] };

/** `queries` has the places, counted from 0, of the queries that found a document. */
export type SeveralResult = SearchResult & { queries: number[] };
export type Several = { results: SeveralResult[]; found: number[] };

const K = 20;
/** What a query found this far down is not worth an answer among others. */
const DEEPEST = 100;

type Merged = Candidate & { readonly queries: number[]; readonly best: number };

export async function searchSeveral(
  sql: Sql,
  vectors: VectorPort,
  { queries, ...request }: SeveralRequest,
): Promise<Several> {
  const lists: Candidate[][] = [];
  for (const query of queries) lists.push(await candidatesFor(sql, vectors, { query, ...request }));
  const merged = mergeLists(lists);
  const results = await readResults(sql, merged, matchesOf(queries), request.limit);
  const foundBy = new Map(merged.map((candidate) => [candidate.reasons, candidate.queries]));
  return {
    results: results.map((result) => ({ ...result, queries: foundBy.get(result.reasons) ?? [] })),
    found: lists.map((list) => list.length),
  };
}

/** A document counts in every list that it stands in, and shows what it had in the list where it stands highest. */
function mergeLists(lists: readonly (readonly Candidate[])[]): Merged[] {
  const merged = new Map<number, Merged>();
  for (const [query, list] of lists.entries()) {
    for (const [at, candidate] of list.slice(0, DEEPEST).entries()) {
      const known = merged.get(candidate.document);
      const better = !known || at < known.best ? { ...candidate, best: at } : known;
      const score = (known?.score ?? 0) + 1 / (K + 1 + at);
      merged.set(candidate.document, { ...better, score, queries: [...(known?.queries ?? []), query] });
    }
  }
  return [...merged.values()].sort((one, other) => other.score - one.score);
}
