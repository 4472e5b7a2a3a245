/** Puts the parts of a section together into chunks of a good size. What fits is never cut. */
import type { Block } from './headings.js';
import type { Line } from './lines.js';
import { reachOf, tokensIn } from './tokens.js';

/** In tokens. Chosen by measurement: docs/decisions/018. */
export type Sizes = {
  /** Neighbours are put together up to this. */
  readonly target: number;
  /** What is no longer than this stays whole. */
  readonly limit: number;
  /** What is shorter than this joins a neighbour. */
  readonly small: number;
};

export const defaultSizes: Sizes = { target: 150, limit: 180, small: 60 };

/** A heading, or a sentence that introduces what follows, stays with it. */
export const LEAD = 32;

/** A stretch of the text. */
export type Span = { readonly start: number; readonly end: number; readonly tokens: number };
/** A stretch, and how it can be cut when it is too long. */
type Cuttable = Span & { parts(): Cuttable[] };

/** What is cut: the text, its lines, and how many tokens stand before each line. */
export type Measured = { readonly content: string; readonly lines: readonly Line[]; readonly before: Float64Array };

export function measure(content: string, lines: readonly Line[]): Measured {
  const before = new Float64Array(lines.length + 1);
  let sum = 0;
  for (let at = 0; at < lines.length; at++) {
    const { start, end } = lines[at] as Line;
    sum += tokensIn(content, start, end);
    before[at + 1] = sum;
  }
  return { content, lines, before };
}

/** The chunks of one section, in order, without a gap. */
export function pack(text: Measured, blocks: readonly Block[], sizes: Sizes): Span[] {
  const packed: Span[] = [];
  for (const piece of blocks.flatMap((block) => fitting(blockSpan(text, block, sizes), sizes))) {
    const open = packed.at(-1);
    if (open && belongs(open, piece, sizes)) packed[packed.length - 1] = joined(open, piece);
    else packed.push(piece);
  }
  return packed;
}

const joined = (one: Span, other: Span): Span => ({
  start: one.start,
  end: other.end,
  tokens: one.tokens + other.tokens,
});

function belongs(open: Span, next: Span, { target, limit }: Sizes): boolean {
  const together = open.tokens + next.tokens;
  return together <= target || (open.tokens <= LEAD && together <= limit + LEAD);
}

/** Whether two neighbours are better one. */
export const shouldMerge = (one: Span, other: Span, { limit, small }: Sizes): boolean =>
  Math.min(one.tokens, other.tokens) < small && one.tokens + other.tokens <= limit;

function fitting(span: Cuttable, sizes: Sizes): Span[] {
  if (span.tokens <= sizes.limit) return [{ start: span.start, end: span.end, tokens: span.tokens }];
  const parts = span.parts();
  return parts.length === 0 ? [span] : parts.flatMap((part) => fitting(part, sizes));
}

function lineSpan({ lines, before }: Measured, from: number, to: number): Span {
  const [first, last] = [lines[from] as Line, lines[to - 1] as Line];
  return { start: first.start, end: last.end, tokens: (before[to] as number) - (before[from] as number) };
}

/** A block is cut into its own parts, else at empty lines, else at lines, else inside a line. */
function blockSpan(text: Measured, block: Block, sizes: Sizes): Cuttable {
  const { from, to, parts } = block;
  const cut = () => (parts ? parts() : paragraphs(text, from, to)).map((part) => blockSpan(text, part, sizes));
  const lines = () => Array.from({ length: to - from }, (_, at) => oneLine(text, from + at, sizes));
  return { ...lineSpan(text, from, to), parts: () => (parts || hasGap(text, from, to) ? cut() : lines()) };
}

const isBlank = ({ lines }: Measured, at: number): boolean => (lines[at] as Line).text.trim() === '';

/** Whether something stands after an empty line. */
function hasGap(text: Measured, from: number, to: number): boolean {
  for (let at = from + 1; at < to; at++) if (!isBlank(text, at) && isBlank(text, at - 1)) return true;
  return false;
}

function paragraphs(text: Measured, from: number, to: number): Block[] {
  const found: Block[] = [];
  let start = from;
  for (let at = from + 1; at <= to; at++) {
    if (at < to && (isBlank(text, at) || !isBlank(text, at - 1))) continue;
    found.push({ from: start, to: at });
    start = at;
  }
  return found;
}

function oneLine(text: Measured, at: number, { target }: Sizes): Cuttable {
  const span = lineSpan(text, at, at + 1);
  return { ...span, parts: () => pieces(text.content, span, target) };
}

/** A line that is too long by itself is cut after a sentence, else between words, and never inside a character. */
function pieces(content: string, { start, end }: Span, target: number): Cuttable[] {
  const found: Cuttable[] = [];
  for (let at = start; at < end; ) {
    const reach = reachOf(content, at, end, target);
    const cut = reach >= end ? end : cutBefore(content, at, reach);
    found.push({ start: at, end: cut, tokens: tokensIn(content, at, cut), parts: () => [] });
    at = cut;
  }
  return found;
}

function cutBefore(content: string, at: number, reach: number): number {
  // Only what can be cut is looked at: in a line without end, a look back to its beginning would cost too much.
  const half = Math.ceil((at + reach) / 2);
  const later = content.slice(half, reach);
  for (const end of ['. ', '。', '; ', ' ']) {
    const found = later.lastIndexOf(end);
    if (found >= 0) return half + found + end.length;
  }
  return /^(?:[\ud800-\udbff][\udc00-\udfff]|\r\n)/.test(content.slice(reach - 1, reach + 1)) ? reach - 1 : reach;
}
