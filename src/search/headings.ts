/** The structure of a Markdown text: blocks that follow each other, some of which are headings. */
import { enclosedBlocks, type FindEnclosed } from './enclosed.js';
import { frontMatter } from './front-matter.js';
import type { Line } from './lines.js';
import { listAt, type Stretch } from './lists.js';

export type HeadingLevel = 1 | 2 | 3 | 4 | 5 | 6;

export type Heading = { readonly level: HeadingLevel; readonly text: string };

/** Lines that belong together, with the empty lines after them. */
export type Block = {
  readonly from: number;
  readonly to: number;
  readonly heading?: Heading;
  /** What it is made of, where that is more than lines. */
  readonly parts?: () => readonly Block[];
};

const MAX_HEADING = 200;

/** Blocks cover all lines, in order. */
export function markdownBlocks(lines: readonly Line[]): Block[] {
  const blocks: Block[] = [];
  const stretch = { lines, end: lines.length, enclosed: enclosedBlocks(lines) };
  const front = frontMatter(lines).lines;
  let at = front > 0 ? afterBlank(lines, front) : 0;
  if (at > 0) blocks.push({ from: 0, to: at });
  while (at < lines.length) {
    const block = blockAt(stretch, at);
    at = afterBlank(lines, block.to);
    blocks.push({ ...block, to: at });
  }
  return blocks;
}

/** Blocks of a text that is not Markdown: lines between empty lines. */
export function plainBlocks(lines: readonly Line[]): Block[] {
  const blocks: Block[] = [];
  for (let at = 0; at < lines.length; ) {
    const from = at;
    while (at < lines.length && !isBlank(lines[at])) at++;
    at = afterBlank(lines, at);
    blocks.push({ from, to: at });
  }
  return blocks;
}

function blockAt(stretch: Stretch, at: number): Block {
  const { lines, enclosed } = stretch;
  const heading = atxHeading(textOf(lines, at));
  if (heading) return { from: at, to: at + 1, heading };
  const end = enclosed(at);
  const list = isIndented(textOf(lines, at)) ? undefined : listAt(stretch, at);
  if (list) return list;
  if (end !== undefined) return { from: at, to: end };
  if (isBlank(lines[at]) || isBreak(textOf(lines, at))) return { from: at, to: at + 1 };
  return paragraph(lines, at, enclosed);
}

/** A paragraph with a line of = or - under it is a heading. One that begins with a list or a quote is not. */
function paragraph(lines: readonly Line[], from: number, enclosed: FindEnclosed): Block {
  let plain = !isContained(textOf(lines, from)) && !isIndented(textOf(lines, from));
  let to = from + 1;
  for (; to < lines.length && !isBlank(lines[to]); to++) {
    const text = textOf(lines, to);
    const level = plain ? underlineLevel(text) : undefined;
    if (level) return { from, to: to + 1, heading: { level, text: headingText(joined(lines, from, to)) } };
    if (atxHeading(text) || isBreak(text) || enclosed(to) !== undefined) break;
    if (isContained(text)) plain = false;
  }
  return { from, to };
}

function atxHeading(text: string): Heading | undefined {
  const marks = /^ {0,3}(#{1,6})(?=[ \t]|$)/.exec(text)?.[1];
  if (marks === undefined) return undefined;
  const rest = text.trim().slice(marks.length).trim();
  let end = rest.length;
  while (rest[end - 1] === '#') end--;
  const closed = end === 0 || rest[end - 1] === ' ' || rest[end - 1] === '\t';
  return { level: marks.length as HeadingLevel, text: headingText(closed ? rest.slice(0, end) : rest) };
}

function underlineLevel(text: string): 1 | 2 | undefined {
  const mark = /^ {0,3}(?:(=)=*|--*)[ \t]*$/.exec(text);
  return mark ? (mark[1] ? 1 : 2) : undefined;
}

/** What a reader sees of a heading: no marks for code and emphasis, the text of links, no anchor. */
function headingText(markdown: string): string {
  return markdown
    .slice(0, MAX_HEADING)
    .replace(/!?\[([^[\]]*)\]\([^()]*\)/g, '$1')
    .replace(/\{#[^{}]*\}\s*$/, '')
    .replace(/[`*]/g, '')
    .replace(/\s+/g, ' ')
    .toWellFormed()
    .trim();
}

const textOf = (lines: readonly Line[], at: number): string => lines[at]?.text ?? '';
const isBlank = (line: Line | undefined): boolean => line !== undefined && line.text.trim() === '';
const isIndented = (text: string): boolean => /^(?: {4}| {0,3}\t)/.test(text);
const isContained = (text: string): boolean => /^ {0,3}(?:>|[-*+](?:[ \t]|$)|\d{1,9}[.)](?:[ \t]|$))/.test(text);
const isBreak = (text: string): boolean => /^ {0,3}([-*_])[ \t]*(?:\1[ \t]*){2,}$/.test(text);

function joined(lines: readonly Line[], from: number, to: number): string {
  let text = '';
  for (let at = from; at < to && text.length < MAX_HEADING; at++) text += `${textOf(lines, at).trim()} `;
  return text;
}

function afterBlank(lines: readonly Line[], at: number): number {
  let next = at;
  while (next < lines.length && isBlank(lines[next])) next++;
  return next;
}
