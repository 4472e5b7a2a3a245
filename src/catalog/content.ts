/** The documents of a scope as one Markdown text, within a budget of tokens. */
import { tokensIn } from '../context/read-document.js';
import { shownUrl } from '../context/url.js';
import { shown } from '../project/shown.js';
import { splitLines } from '../search/lines.js';
import { documentsOfPart } from '../search/scope.js';
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

/** A document that may go into the text. */
export type Candidate = { id: number; alias: string; path: string };

/** The documents of a scope, each once: part by part, and in the order of paths. */
export async function candidatesIn(sql: Sql, parts: readonly NamedPart[]): Promise<Candidate[]> {
  const found = new Map<number, Candidate>();
  for (const part of parts) {
    const alias = part.alias === part.collection ? shownId(part.alias) : part.alias;
    for (const { id, path } of await documentsOfPart(sql, part)) if (!found.has(id)) found.set(id, { id, alias, path });
  }
  return [...found.values()];
}

/** The id of a package is its URL, which may hold credentials. */
const shownId = (id: string) => (id.startsWith('pkg:') ? `pkg:${shownUrl(id.slice(4))}` : id);

export type TakenDocument = ContentDocument & {
  /** Where to read on with ref_read, if the budget did not last. */
  nextLine?: number;
};

export type Content = { text: string; taken: TakenDocument[]; left: Candidate[]; tokens: number };

/** Less of a document than this is not worth its heading. */
const LEAST_TOKENS = 50;
/** Room for the line that says what was left out. */
const NOTE_TOKENS = 60;

/** As many documents as the budget allows, in order. The first that does not fit is cut at a line, the rest is left out. */
export async function contentOf(sql: Sql, candidates: readonly Candidate[], maxTokens: number): Promise<Content> {
  const texts: string[] = [];
  const taken: TakenDocument[] = [];
  let budget = maxTokens;
  for (const [index, candidate] of candidates.entries()) {
    const content = await textOf(sql, candidate);
    const isLast = index === candidates.length - 1;
    const heading = headingOf(candidate);
    const whole = `${heading}${content.trimEnd()}\n`;
    const cost = tokensIn(whole) + 1;
    if (cost <= budget - (isLast ? 0 : NOTE_TOKENS)) {
      texts.push(whole);
      taken.push(await detailsOf(sql, candidate));
      budget -= cost;
      continue;
    }
    const part = beginning(content, budget - NOTE_TOKENS - tokensIn(heading) - 2);
    if (part) {
      texts.push(`${heading}${part.text.trimEnd()}\n`);
      taken.push({ ...(await detailsOf(sql, candidate)), nextLine: part.nextLine });
    }
    break;
  }
  const left = candidates.slice(taken.length);
  const text = [...texts, ...noteOf(taken.at(-1), left.length)].join('\n');
  return { text, taken, left, tokens: tokensIn(text) };
}

/** What is told of a document. */
export async function detailsOf(sql: Sql, { id, alias }: Candidate): Promise<ContentDocument> {
  const [row] = await sql.all<Omit<ContentDocument, 'alias'>>(
    'SELECT collection, path, title, bytes, hash AS documentHash FROM reference_documents WHERE id = ?',
    [id],
  );
  return { alias, ...(row as Omit<ContentDocument, 'alias'>) };
}

async function textOf(sql: Sql, { id }: Candidate): Promise<string> {
  const row = await sql.get<{ content: string }>('SELECT content FROM reference_documents WHERE id = ?', [id]);
  return row?.content ?? '';
}

const headingOf = ({ alias, path }: Candidate) => `# Source: ${shown(alias)}/${shown(path, 1024)}\n\n`;

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
function noteOf(last: TakenDocument | undefined, left: number): string[] {
  const cut = last?.nextLine === undefined ? [] : [`the rest of the document above, from line ${last.nextLine}`];
  const more = left === 0 ? [] : [`${left} more ${left === 1 ? 'document' : 'documents'}`];
  const missing = [...cut, ...more];
  if (missing.length === 0) return [];
  return [
    `> Left out for the token budget: ${missing.join(', and ')}. Narrow by pattern, raise maxTokens, or use ref_read.\n`,
  ];
}
