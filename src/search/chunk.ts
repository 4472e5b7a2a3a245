/**
 * Cuts a document into chunks: one for each section, more for a long one, fewer where sections are short. Chunks
 * follow each other without a gap, and the text of a chunk is exactly the range of the document that it names.
 * Who changes these rules adds a migration step that lists all documents as outdated.
 */
import { blocksOf, formatOf } from './format.js';
import { frontMatter } from './front-matter.js';
import type { Block } from './headings.js';
import { type Line, splitLines } from './lines.js';
import { defaultSizes, LEAD, measure, pack, type Sizes, type Span, shouldMerge } from './pack.js';

export type Chunk = {
  /** The headings above the text, outermost first. Where short sections were put together: those above all of them. */
  readonly headings: readonly string[];
  /** Counted from 1; both lines belong to the chunk. */
  readonly startLine: number;
  readonly endLine: number;
  /** In the UTF-8 form of the document. */
  readonly startByte: number;
  readonly endByte: number;
  readonly text: string;
};

export type ChunkedDocument = {
  readonly title: string;
  readonly description?: string | undefined;
  readonly tags?: readonly string[] | undefined;
  readonly chunks: readonly Chunk[];
};

type Section = { readonly headings: readonly string[]; readonly blocks: Block[] };
type Cut = Span & { readonly headings: readonly string[] };

/** An empty document has one empty chunk, so that every document has chunks. */
export function chunkDocument(path: string, content: string, sizes: Sizes = defaultSizes): ChunkedDocument {
  const lines = splitLines(content);
  const blocks = blocksOf(path, lines);
  const { title, description, tags } = formatOf(path) === 'markdown' ? frontMatter(lines) : {};
  const cuts = cutsOf(content, lines, blocks, sizes);
  return {
    title: title ?? firstTitle(blocks) ?? fileTitle(path),
    ...(description && { description }),
    ...(tags && { tags }),
    chunks: located(content, lines, cuts.length > 0 ? cuts : [{ headings: [], start: 0, end: 0, tokens: 0 }]),
  };
}

const firstTitle = (blocks: readonly Block[]): string | undefined =>
  blocks.find(({ heading }) => heading?.level === 1 && heading.text !== '')?.heading?.text;

const fileTitle = (path: string): string =>
  (path.split('/').at(-1) || path).replace(/(.)\.(md|mdx|markdown|rst|x?html?)$/i, '$1');

function cutsOf(content: string, lines: readonly Line[], blocks: readonly Block[], sizes: Sizes): Cut[] {
  const text = measure(content, lines);
  const merged: Cut[] = [];
  for (const { headings, blocks: inside } of sectionsOf(blocks)) {
    for (const span of pack(text, inside, sizes)) {
      const last = merged.at(-1);
      if (last && shouldMerge(last, span, sizes)) merged[merged.length - 1] = mergedCut(last, { ...span, headings });
      else merged.push({ ...span, headings });
    }
  }
  return merged;
}

function mergedCut(one: Cut, other: Cut): Cut {
  const headings = commonPath(one, other);
  return { start: one.start, end: other.end, tokens: one.tokens + other.tokens, headings };
}

/** What stands before a section and says little, such as a heading alone, does not hide the section's own path. */
function commonPath(one: Cut, other: Cut): readonly string[] {
  const differ = one.headings.findIndex((heading, at) => heading !== other.headings[at]);
  if (differ >= 0) return one.headings.slice(0, differ);
  return one.tokens <= LEAD ? other.headings : one.headings;
}

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
