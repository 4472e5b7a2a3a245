/**
 * Cuts a document into chunks: one for each section, more for a long one. Chunks follow each other without
 * a gap, and the text of a chunk is exactly the range of the document that it names.
 */

import { frontMatter } from './front-matter.js';
import { type Block, markdownBlocks, plainBlocks } from './headings.js';
import { type Line, splitLines } from './lines.js';

export type Chunk = {
  /** The headings above the text and its own, outermost first. */
  readonly headings: readonly string[];
  /** Counted from 1; both lines belong to the chunk. */
  readonly startLine: number;
  readonly endLine: number;
  /** In the UTF-8 form of the document. */
  readonly startByte: number;
  readonly endByte: number;
  readonly text: string;
};

export type ChunkedDocument = { readonly title: string; readonly chunks: readonly Chunk[] };

/** A section longer than this is cut. */
const TARGET = 2000;
/** Code, or a paragraph, up to this length is not cut. */
const LIMIT = 2 * TARGET;

/** A stretch of the text, and how it can be cut when it is too long. */
type Span = { readonly start: number; readonly end: number; parts(): Span[] };
type Section = { readonly headings: readonly string[]; readonly blocks: Block[] };
type Cut = { readonly headings: readonly string[]; readonly start: number; readonly end: number };

/** Whether headings and code fences mean something in a file with this name. */
export const isMarkdown = (path: string): boolean => /\.(md|mdx|markdown|mdown|mkdn?)$/i.test(path);

/** An empty document has one empty chunk, so that every document has chunks. */
export function chunkDocument(path: string, content: string): ChunkedDocument {
  const lines = splitLines(content);
  const markdown = isMarkdown(path);
  const blocks = markdown ? markdownBlocks(lines) : plainBlocks(lines);
  const cuts = sectionsOf(blocks).flatMap(({ headings, blocks }) =>
    pack(groupsOf(content, lines, blocks)).map(({ start, end }) => ({ headings, start, end })),
  );
  const title = (markdown && (frontMatter(lines).title ?? firstTitle(blocks))) || fileTitle(path);
  return { title, chunks: located(content, lines, cuts.length > 0 ? cuts : [{ headings: [], start: 0, end: 0 }]) };
}

const firstTitle = (blocks: readonly Block[]): string | undefined =>
  blocks.find(({ heading }) => heading?.level === 1 && heading.text !== '')?.heading?.text;

const fileTitle = (path: string): string => (path.split('/').at(-1) || path).replace(/(.)\.(md|mdx|markdown)$/i, '$1');

function sectionsOf(blocks: readonly Block[]): Section[] {
  const sections: Section[] = [];
  const above: { level: number; text: string }[] = [];
  for (const block of blocks) {
    const { heading } = block;
    if (heading) {
      while ((above.at(-1)?.level ?? 0) >= heading.level) above.pop();
      above.push(heading);
    }
    if (heading || sections.length === 0) {
      sections.push({ headings: above.map(({ text }) => text).filter((text) => text !== ''), blocks: [] });
    }
    sections.at(-1)?.blocks.push(block);
  }
  return sections;
}

/** Blocks with an empty line after them: where a long section is cut first. */
function groupsOf(content: string, lines: readonly Line[], blocks: readonly Block[]): Span[] {
  const groups: Span[] = [];
  let group: Block[] = [];
  for (const block of blocks) {
    group.push(block);
    const last = lines[block.to - 1] as Line;
    if (last.text.trim() !== '' && block !== blocks.at(-1)) continue;
    const members = group;
    groups.push(spanOf(members.map((member) => blockSpan(content, lines, member))));
    group = [];
  }
  return groups;
}

const spanOf = (parts: Span[]): Span => ({
  start: (parts[0] as Span).start,
  end: (parts.at(-1) as Span).end,
  parts: () => parts,
});

function blockSpan(content: string, lines: readonly Line[], { from, to }: Block): Span {
  const [first, last] = [lines[from] as Line, lines[to - 1] as Line];
  const parts = () => lines.slice(from, to).map((line) => ({ ...line, parts: () => pieces(content, line) }));
  return { start: first.start, end: last.end, parts };
}

/** A line that is too long by itself is cut between words where it can be, and never inside a character. */
function pieces(content: string, { start, end }: Line): Span[] {
  const found: Span[] = [];
  const parts = () => [];
  let at = start;
  while (end - at > TARGET) {
    const space = content.lastIndexOf(' ', at + TARGET - 1) + 1;
    let cut = space > at + TARGET / 2 ? space : at + TARGET;
    if (/^(?:[\ud800-\udbff][\udc00-\udfff]|\r\n)/.test(content.slice(cut - 1, cut + 1))) cut--;
    found.push({ start: at, end: cut, parts });
    at = cut;
  }
  return [...found, { start: at, end, parts }];
}

/** Puts neighbours together up to the target. One that is over the limit is cut into its parts first. */
function pack(spans: readonly Span[]): { start: number; end: number }[] {
  const packed: { start: number; end: number }[] = [];
  let open: { start: number; end: number } | undefined;
  for (const span of spans) {
    if (span.end - span.start > LIMIT) {
      packed.push(...pack(span.parts()));
      open = undefined;
    } else if (open && span.end - open.start <= TARGET) {
      open.end = span.end;
    } else {
      open = { start: span.start, end: span.end };
      packed.push(open);
    }
  }
  return packed;
}

/** Adds the lines and bytes of each cut, in one walk. */
function located(content: string, lines: readonly Line[], cuts: readonly Cut[]): Chunk[] {
  let line = 0;
  let byte = 0;
  const lineAt = (position: number): number => {
    while (line + 1 < lines.length && (lines[line] as Line).end <= position) line++;
    return line + 1;
  };
  return cuts.map(({ headings, start, end }) => {
    const text = content.slice(start, end);
    const startByte = byte;
    byte += Buffer.byteLength(text);
    return {
      headings,
      startLine: lineAt(start),
      endLine: lineAt(Math.max(start, end - 1)),
      startByte,
      endByte: byte,
      text,
    };
  });
}
