/** The documents of a scope as one Markdown text, within a budget of tokens. */
import { tokensIn } from '../context/read-document.js';
import { shownUrl } from '../context/url.js';
import { shown } from '../project/shown.js';
import { splitLines } from '../search/lines.js';
import { documentsIn } from '../search/scope.js';
import type { Sql } from '../storage/sql.js';
import type { NamedPart } from './scope.js';

export type ContentDocument = {
  /** The name of its collection in the project, or the id. */
  alias: string;
  collection: string;
  path: string;
  title: string;
  bytes: number;
  documentHash: string;
};

type Candidate = ContentDocument & { id: number };

/** The documents of a scope, each once: part by part, and in the order of paths. */
export async function documentsOf(sql: Sql, parts: readonly NamedPart[]): Promise<Candidate[]> {
  const found = new Map<number, Candidate>();
  for (const part of parts) {
    const ids = [...(await documentsIn(sql, [part]))].filter((id) => !found.has(id));
    const rows = await sql.all<Omit<Candidate, 'alias'>>(
      `SELECT id, collection, path, title, bytes, hash AS documentHash FROM reference_documents
       WHERE id IN (SELECT value FROM json_each(?)) ORDER BY path`,
      [JSON.stringify(ids)],
    );
    const alias = part.alias === part.collection ? shownId(part.alias) : part.alias;
    for (const row of rows) found.set(row.id, { alias, ...row });
  }
  return [...found.values()];
}

/** The id of a package is its URL, which may hold credentials. */
const shownId = (id: string) => (id.startsWith('pkg:') ? `pkg:${shownUrl(id.slice(4))}` : id);

export type TakenDocument = ContentDocument & {
  /** Where to read on with ref_read, if the budget did not last. */
  nextLine?: number;
};

export type Content = { text: string; taken: TakenDocument[]; left: ContentDocument[]; tokens: number };

/** Less of a document than this is not worth its heading. */
const LEAST_TOKENS = 50;
/** Room for the line that says what was left out. */
const NOTE_TOKENS = 60;

/** As many documents as the budget allows, in order. The first that does not fit is cut at a line, the rest is left out. */
export async function contentOf(sql: Sql, documents: readonly Candidate[], maxTokens: number): Promise<Content> {
  const texts: string[] = [];
  const taken: TakenDocument[] = [];
  // Tokens are counted in bytes of the whole: to round up for each document would waste the budget.
  let budget = maxTokens;
  for (const [index, { id, ...document }] of documents.entries()) {
    const room = index === documents.length - 1 ? budget : budget - NOTE_TOKENS;
    const heading = headingOf(document);
    const { content = '' } =
      (await sql.get<{ content: string }>('SELECT content FROM reference_documents WHERE id = ?', [id])) ?? {};
    const whole = `${heading}${content.trimEnd()}\n`;
    if (tokensIn(whole) + 1 <= room) {
      texts.push(whole);
      taken.push(document);
      budget -= tokensIn(whole) + 1;
      continue;
    }
    const part = beginning(content, budget - NOTE_TOKENS - tokensIn(heading) - 2);
    if (part) {
      texts.push(`${heading}${part.text.trimEnd()}\n`);
      taken.push({ ...document, nextLine: part.nextLine });
    }
    break;
  }
  const left = documents.slice(taken.length).map(({ id: _, ...document }) => document);
  const text = [...texts, ...noteOf(taken.at(-1), left)].join('\n');
  return { text, taken, left, tokens: tokensIn(text) };
}

const headingOf = ({ alias, path }: ContentDocument) => `# Source: ${shown(alias)}/${shown(path, 1024)}\n\n`;

/** Whole lines from the beginning, or nothing where too few fit. */
function beginning(content: string, maxTokens: number): { text: string; nextLine: number } | undefined {
  if (maxTokens < LEAST_TOKENS) return undefined;
  const maxBytes = maxTokens * BYTES_PER_TOKEN;
  let [bytes, end, line] = [0, 0, 0];
  for (const one of splitLines(content)) {
    bytes += Buffer.byteLength(content.slice(one.start, one.end));
    if (bytes > maxBytes) break;
    end = one.end;
    line++;
  }
  return line === 0 ? undefined : { text: content.slice(0, end), nextLine: line + 1 };
}

const BYTES_PER_TOKEN = 4;

/** What was left out and how to get it, for readers who see the text only. */
function noteOf(last: TakenDocument | undefined, left: readonly ContentDocument[]): string[] {
  const cut = last?.nextLine === undefined ? [] : [`the rest of the document above, from line ${last.nextLine}`];
  const more = left.length === 0 ? [] : [`${left.length} more ${left.length === 1 ? 'document' : 'documents'}`];
  const missing = [...cut, ...more];
  if (missing.length === 0) return [];
  return [
    `> Left out for the token budget: ${missing.join(', and ')}. Narrow by pattern, raise maxTokens, or use ref_read.\n`,
  ];
}
