/** Keyword search over the documents of all collections, or of some. */
import type { Sql } from '../storage/sql.js';
import { matchingAmong, type RankedChunk, rankChunks } from './keyword-index.js';
import { type KeywordQuery, parseKeywordQuery } from './keyword-query.js';
import { snippetOf } from './snippet.js';

export type SearchHit = {
  collection: string;
  path: string;
  title: string;
  headings: string[];
  startLine: number;
  endLine: number;
  /** Higher is better. Scores of two searches do not compare. */
  score: number;
  /** At most 300 characters of the chunk, around the first match. */
  snippet: string;
  documentHash: string;
};

export type KeywordSearch = { query: string; collections?: readonly string[] | undefined; limit: number };

/** More chunks than were asked for are ranked by how many of the words they have. */
const POOL = 100;
/** In a longer query, whether a chunk has the words after these no longer counts. */
const MAX_COUNTED = 16;

/** The chunks that match, best first, one hit each. No text of a query is an error. */
export async function searchKeywords(sql: Sql, { query, collections, limit }: KeywordSearch): Promise<SearchHit[]> {
  const parsed = parseKeywordQuery(query);
  if (!parsed || limit < 1) return [];
  const pool = { collections, limit: Math.max(POOL, 2 * limit) };
  const found = await rankChunks(sql, parsed.whole, pool);
  // Parts are a last resort: for `ADR-008`, every other ADR would match.
  const ranked =
    found.length > 0 ? await byWordsMatched(sql, parsed, found) : await rankChunks(sql, parsed.parts, pool);
  return readHits(sql, ranked, parsed.terms, limit);
}

/** A chunk with half of the words gets half of its score. */
async function byWordsMatched(sql: Sql, { each }: KeywordQuery, found: RankedChunk[]): Promise<RankedChunk[]> {
  if (each.length === 1) return found;
  const ids = found.map(({ id }) => id);
  const counts = new Map<number, number>();
  const counted = each.slice(0, MAX_COUNTED);
  for (const expression of counted) {
    for (const id of await matchingAmong(sql, expression, ids)) counts.set(id, (counts.get(id) ?? 0) + 1);
  }
  const share = (id: number) => Math.max(1, counts.get(id) ?? 0) / counted.length;
  return found.map((chunk) => ({ ...chunk, rank: chunk.rank * share(chunk.id) })).sort(byRank);
}

/** Equal scores stand in the order of paths, as the index gives them. */
function byRank(one: RankedChunk, other: RankedChunk): number {
  if (one.rank !== other.rank) return other.rank - one.rank;
  if (one.path !== other.path) return one.path < other.path ? -1 : 1;
  return one.position - other.position;
}

type HitRow = Omit<SearchHit, 'headings' | 'score' | 'snippet'> & {
  headings: string;
  text: Uint8Array | null;
};

async function readHits(
  sql: Sql,
  ranked: readonly RankedChunk[],
  terms: readonly string[],
  limit: number,
): Promise<SearchHit[]> {
  const hits: SearchHit[] = [];
  for (const { id, rank } of ranked.slice(0, limit)) {
    const row = await sql.get<HitRow>(
      `SELECT d.collection, d.path, d.title, c.headings, c.start_line AS startLine, c.end_line AS endLine,
         d.hash AS documentHash, substr(CAST(d.content AS BLOB), c.start_byte + 1, c.end_byte - c.start_byte) AS text
       FROM reference_document_chunks c JOIN reference_documents d ON d.id = c.document_id WHERE c.id = ?`,
      [id],
    );
    if (row) hits.push(toHit(row, rank, terms));
  }
  return hits;
}

function toHit({ text, headings, ...row }: HitRow, score: number, terms: readonly string[]): SearchHit {
  const snippet = snippetOf(Buffer.from(text ?? []).toString('utf8'), terms);
  return { ...row, headings: JSON.parse(headings) as string[], score, snippet };
}
