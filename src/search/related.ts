/** Documents that are about the same as one document: by its vectors, and by the words that it is made of. */
import type { Sql } from '../storage/sql.js';
import { keywordHits, type Mode, single, together, vectorHits } from './candidates.js';
import { parseKeywordQuery } from './keyword-query.js';
import { matcherFor } from './marks.js';
import { readResults, type SearchResult } from './results.js';
import { isStopWord } from './stop-words.js';
import type { VectorPort } from './vectors/port.js';
import { wordsOf } from './words.js';

export type RelatedRequest = {
  /** Of the document that others are compared with. */
  document: number;
  documents?: ReadonlySet<number> | undefined;
  mode: Mode;
  limit: number;
};

/** How many of the words that a document uses most stand for it. */
const WORDS = 24;
/** The beginning of a document says what it is about. */
const LONGEST = 20_000;
/** A title says it best. */
const TITLE_COUNTS = 4;

type Row = { title: string; content: string };

export async function relatedTo(sql: Sql, vectors: VectorPort, request: RelatedRequest): Promise<SearchResult[]> {
  const { document, documents, mode, limit } = request;
  const row = await sql.get<Row>(
    `SELECT title, substr(content, 1, ${LONGEST}) AS content FROM reference_documents WHERE id = ?`,
    [document],
  );
  if (!row) return [];
  const query = parseKeywordQuery(tellingWords(row).join(' '));
  // The document itself is found too, and left out.
  const want = { documents, documentsWanted: limit + 1, mode };
  const byWords = mode === 'vector' || !query ? new Map() : await keywordHits(sql, query, want);
  const byMeaning = mode === 'keyword' ? new Map() : await nearest(sql, vectors, request);
  const found = mode === 'vector' ? single(byMeaning, 'vector') : await together(sql, vectors, byWords, byMeaning);
  const others = found.filter((candidate) => candidate.document !== document);
  return readResults(sql, others, matcherFor([], query?.words ?? []), limit);
}

async function nearest(sql: Sql, vectors: VectorPort, { document, documents, mode, limit }: RelatedRequest) {
  const rows = await sql.all<{ id: number }>('SELECT id FROM reference_document_chunks WHERE document_id = ?', [
    document,
  ]);
  const chunks = rows.map(({ id }) => id);
  const want = { documents, documentsWanted: limit + 1, mode };
  return vectorHits(sql, want, (most) => vectors.nearestTo(sql, chunks, { documents, limit: most }));
}

/** The words of the title, and those that the text uses most: long ones before short ones of the same count. */
function tellingWords({ title, content }: Row): string[] {
  const counts = new Map<string, number>();
  const count = (text: string, times: number) => {
    for (const word of wordsOf(text.toLowerCase())) {
      if (word.length < 3 || isStopWord(word) || /^\d+$/.test(word)) continue;
      counts.set(word, (counts.get(word) ?? 0) + times);
    }
  };
  count(title, TITLE_COUNTS);
  count(content, 1);
  return [...counts]
    .sort(([one, often], [other, seldom]) => seldom - often || other.length - one.length)
    .slice(0, WORDS)
    .map(([word]) => word);
}
