/** What a search answers: the best chunk of each document, with near-duplicates of one text folded into the first. */
import type { Sql } from '../storage/sql.js';
import { areAlike, type Shingles, shinglesOf } from './alike.js';
import type { Candidate, Reasons } from './candidates.js';
import type { FindMatches, Range } from './marks.js';
import { snippetOf } from './snippet.js';

/** Counted from 1; both lines belong to it. */
export type Lines = { start: number; end: number };
export type Passage = { headings: string[]; lines: Lines };
/** A document, by its path in its collection. */
export type DocumentName = { collection: string; document: string };

export type SearchResult = DocumentName &
  Passage & {
    title: string;
    snippet: string;
    /** Higher is better. Scores of two searches do not compare. */
    score: number;
    documentHash: string;
    /** Other places in the document that match. */
    more: Passage[];
    /** Documents with nearly the same text, left out of the results. */
    duplicates: DocumentName[];
    reasons: Reasons;
  };

type Row = {
  id: number;
  collection: string;
  document: string;
  title: string;
  documentHash: string;
  headings: string;
  startLine: number;
  endLine: number;
  textHash: string;
  /** Of the first chunk of each document only. */
  text: Uint8Array | null;
};

type Kept = { result: SearchResult; textHash: string; shingles: () => Shingles; matched: string };

const MORE = 3;
/** Where few results are wanting, so many documents are looked at all the same: some may be folded. */
const SMALLEST_PAGE = 8;
/** Where nearly all is the same text, so many documents are looked at for one result. */
const LOOKED_AT = 8;

export async function readResults(
  sql: Sql,
  candidates: readonly Candidate[],
  matches: FindMatches,
  limit: number,
): Promise<SearchResult[]> {
  const kept: Kept[] = [];
  const last = Math.min(candidates.length, limit * LOOKED_AT);
  for (let at = 0, next = 0; at < last && kept.length < limit; at = next) {
    next = Math.min(last, at + Math.max(SMALLEST_PAGE, limit - kept.length));
    const page = candidates.slice(at, next).map((candidate) => ({
      candidate,
      chunks: candidate.chunks().slice(0, 1 + MORE),
    }));
    const rows = await readChunks(
      sql,
      page.map(({ chunks }) => chunks),
    );
    for (const { candidate, chunks } of page) {
      const found = chunks.flatMap((chunk) => rows.get(chunk) ?? []);
      if (found[0] && kept.length < limit) keep(kept, candidate, found as [Row, ...Row[]], matches);
    }
  }
  return kept.map(({ result }) => result);
}

function keep(
  kept: Kept[],
  { score, reasons }: Candidate,
  [row, ...rest]: [Row, ...Row[]],
  matches: FindMatches,
): void {
  const text = Buffer.from(row.text ?? [])
    .toString('utf8')
    .trim();
  const shingles = once(() => shinglesOf(text));
  const found = matches(text);
  const matched = wordsAt(text, found);
  const twin = kept.find(
    (other) => other.textHash === row.textHash || (other.matched === matched && areAlike(other.shingles(), shingles())),
  );
  const { collection, document, title, documentHash } = row;
  if (twin) {
    twin.result.duplicates.push({ collection, document });
    return;
  }
  const snippet = snippetOf(text, found);
  const more = rest.map(passageOf);
  const result = { collection, document, title, ...passageOf(row), snippet, score, documentHash };
  kept.push({ result: { ...result, more, duplicates: [], reasons }, textHash: row.textHash, shingles, matched });
}

/** Most texts are never compared. */
function once<Value>(make: () => Value): () => Value {
  let made: { value: Value } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

/** What was looked for is what texts must not differ in. */
const wordsAt = (text: string, found: readonly Range[]): string =>
  [...new Set(found.map(({ from, to }) => text.slice(from, to).toLowerCase()))].sort().join(' ');

const passageOf = ({ headings, startLine, endLine }: Row): Passage => ({
  headings: JSON.parse(headings) as string[],
  lines: { start: startLine, end: endLine },
});

/** The text of each document's first chunk, and the places of all: a text is read from behind its whole document. */
async function readChunks(sql: Sql, documents: readonly (readonly number[])[]): Promise<Map<number, Row>> {
  const wanted = documents.flatMap((chunks) => chunks.map((chunk, at) => ({ chunk, shown: at === 0 })));
  const rows = await sql.all<Row>(
    `SELECT c.id, d.collection, d.path AS document, d.title, d.hash AS documentHash, c.headings,
       c.start_line AS startLine, c.end_line AS endLine, c.text_hash AS textHash,
       CASE WHEN wanted.value ->> 'shown'
         THEN substr(CAST(d.content AS BLOB), c.start_byte + 1, c.end_byte - c.start_byte) END AS text
     FROM json_each(?) wanted
     CROSS JOIN reference_document_chunks c ON c.id = wanted.value ->> 'chunk'
     CROSS JOIN reference_documents d ON d.id = c.document_id`,
    [JSON.stringify(wanted)],
  );
  return new Map(rows.map((row) => [row.id, row]));
}
