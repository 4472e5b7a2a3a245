/** The piece of a chunk that shows why it was found, with the words that matched between marks. */
import type { Range } from './marks.js';

export const MARK = { open: '<mark>', close: '</mark>' } as const;

/** How much is shown before the first match. */
const LEAD = 60;
/** Of the text itself: marks come on top. */
const SNIPPET = 300;

/** The part of the text with the most of what was `found`, at most `max` characters without the marks. */
export function snippetOf(text: string, found: readonly Range[], max = SNIPPET): string {
  const { from, to } = text.length <= max ? { from: 0, to: text.length } : windowOf(text, found, max);
  const inside = found.filter((range) => range.from >= from && range.to <= to);
  const before = from > 0 ? '…' : '';
  const after = to < text.length ? '…' : '';
  return before + marked(text, { from, to }, inside).toWellFormed().trim() + after;
}

/** Two characters are kept free for the signs of a cut. */
function windowOf(text: string, found: readonly Range[], max: number): Range {
  const room = max - 2;
  const start = found.length === 0 ? 0 : startOfWord(text, densest(found, room - LEAD) - LEAD);
  const from = Math.max(0, Math.min(start, text.length - room));
  return { from, to: Math.min(text.length, from + room) };
}

/** Where a stretch begins that holds as many matches as any. */
function densest(found: readonly Range[], length: number): number {
  let best = { from: found[0]?.from ?? 0, count: 0 };
  let end = 0;
  for (const [at, { from }] of found.entries()) {
    end = Math.max(end, at);
    while (end < found.length && (found[end] as Range).to <= from + length) end++;
    if (end - at > best.count) best = { from, count: end - at };
  }
  return best.from;
}

function startOfWord(text: string, at: number): number {
  if (at <= 0) return 0;
  const space = text.slice(at, at + LEAD / 2).search(/\s/);
  return space < 0 ? at : at + space + 1;
}

function marked(text: string, { from, to }: Range, inside: readonly Range[]): string {
  let shown = '';
  let at = from;
  for (const range of inside) {
    shown += `${text.slice(at, range.from)}${MARK.open}${text.slice(range.from, range.to)}${MARK.close}`;
    at = range.to;
  }
  return shown + text.slice(at, to);
}
