/** Reading a stored document: whole or one section, within a budget of tokens, and its outline. */
import { notFound } from '../errors.js';
import { splitLines } from '../search/lines.js';
import { type OutlineEntry, outlineOf } from '../search/outline.js';
import type { Sql } from '../storage/sql.js';
import { type DocumentRecord, findDocument } from './document-store.js';

export type DocumentOutline = DocumentRecord & { headings: OutlineEntry[] };

/** A document without its text, and its headings. */
export async function outlineDocument(sql: Sql, collection: string, path: string): Promise<DocumentOutline> {
  const { content, ...record } = await existing(sql, collection, path);
  return { ...record, headings: outlineOf(path, content) };
}

export type ReadRequest = {
  collection: string;
  path: string;
  /** A heading, or a path of headings such as `Usage > Options`. Case does not matter. */
  section?: string | undefined;
  /** Read on from this line, counted from 1. */
  startLine?: number | undefined;
  maxTokens: number;
};

export type DocumentText = DocumentRecord & {
  text: string;
  startLine: number;
  endLine: number;
  /** Of the document. */
  lines: number;
  /** Where to read on, if the budget did not last. */
  nextLine?: number;
  /** The text is the beginning of a single line that is longer than the budget. */
  cut?: true;
};

/** As many whole lines as the budget allows. A first line that is too long for it is cut. */
export async function readDocument(sql: Sql, request: ReadRequest): Promise<DocumentText> {
  const { collection, path, section, maxTokens } = request;
  const { content, ...record } = await existing(sql, collection, path);
  const lines = splitLines(content);
  const range = section === undefined ? undefined : sectionOf(outlineOf(path, content), section, path);
  const last = range?.endLine ?? lines.length;
  const first = Math.max(request.startLine ?? 1, range?.startLine ?? 1);
  if (first > Math.max(1, last)) {
    throw notFound`'${path}' has no line ${first} there: it ends at line ${last}.`.advise('Read from an earlier line.');
  }
  let tokens = 0;
  let next = first;
  while (next <= last) {
    tokens += tokensIn(lines[next - 1]?.text ?? '') + 1;
    if (tokens > maxTokens && next > first) break;
    next++;
  }
  const text = content.slice(lines[first - 1]?.start ?? 0, lines[next - 2]?.end ?? content.length);
  const fitting = next === first + 1 ? withinBudget(text, maxTokens) : text;
  const cut = fitting !== text && { cut: true as const };
  const rest = { lines: lines.length, ...(next <= last && { nextLine: next }), ...cut };
  return { ...record, text: fitting, startLine: first, endLine: Math.max(first, next - 1), ...rest };
}

async function existing(sql: Sql, collection: string, path: string): Promise<DocumentRecord & { content: string }> {
  const found = await findDocument(sql, collection, path);
  if (found) return found;
  throw noDocument(path);
}

/** The collection is not named: the caller knows it by a name, and here it is a long id. */
export const noDocument = (path: string) =>
  notFound`There is no document '${path}' in that collection`.advise(
    'List its documents with ref_list, and use one of their paths.',
  );

/** Four bytes a token is close for prose and code, and errs on the safe side for other scripts. */
const BYTES_PER_TOKEN = 4;
export const tokensIn = (text: string): number => Math.ceil(Buffer.byteLength(text) / BYTES_PER_TOKEN);

function withinBudget(text: string, maxTokens: number): string {
  return tokensIn(text) <= maxTokens ? text : text.slice(0, maxTokens * BYTES_PER_TOKEN).toWellFormed();
}

/** The first section whose headings end with those asked for. */
function sectionOf(headings: readonly OutlineEntry[], section: string, path: string): OutlineEntry {
  const wanted = section.split('>').map(folded);
  const above: OutlineEntry[] = [];
  for (const heading of headings) {
    while ((above.at(-1)?.level ?? 0) >= heading.level) above.pop();
    above.push(heading);
    const names = above.slice(-wanted.length).map(({ text }) => folded(text));
    if (names.length === wanted.length && names.every((name, at) => name === wanted[at])) return heading;
  }
  throw notFound`'${path}' has no section '${section}'.`.advise('Get its outline, and use one of the headings there.');
}

const folded = (text: string): string => text.replace(/^#+\s/, '').replace(/\s+/g, ' ').trim().toLowerCase();
