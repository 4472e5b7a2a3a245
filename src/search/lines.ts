/** A text as lines. Every character belongs to exactly one line, line ends included. */

export type Line = {
  /** Where the line begins, in characters. */
  readonly start: number;
  /** Where the next line begins. */
  readonly end: number;
  /** Without its line end. */
  readonly text: string;
};

/** Lines end with a line feed, a carriage return, or both. A text that ends with one has no empty line after it. */
export function splitLines(content: string): Line[] {
  const lines: Line[] = [];
  let start = 0;
  let feed = content.indexOf('\n');
  let turn = content.indexOf('\r');
  while (feed >= 0 || turn >= 0) {
    const stop = feed < 0 || (turn >= 0 && turn < feed) ? turn : feed;
    const end = stop === turn && feed === turn + 1 ? stop + 2 : stop + 1;
    lines.push({ start, end, text: content.slice(start, stop) });
    start = end;
    if (feed >= 0 && feed < end) feed = content.indexOf('\n', end);
    if (turn >= 0 && turn < end) turn = content.indexOf('\r', end);
  }
  if (start < content.length) lines.push({ start, end: content.length, text: content.slice(start) });
  return lines;
}
