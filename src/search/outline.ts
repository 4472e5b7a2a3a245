/** The headings of a text, each with the lines of its section. */
import { blocksOf } from './format.js';
import type { Heading } from './headings.js';
import { splitLines } from './lines.js';

/** A heading with the lines of its section, counted from 1. The section ends before the next heading of its level. */
export type OutlineEntry = Heading & { readonly startLine: number; readonly endLine: number };

/** In the order of the text. A format without headings has none. */
export function outlineOf(path: string, content: string): OutlineEntry[] {
  const lines = splitLines(content);
  const open: { level: number; endLine: number }[] = [];
  return blocksOf(path, lines).flatMap(({ from, heading }) => {
    if (!heading) return [];
    for (let last = open.at(-1); last && last.level >= heading.level; last = open.at(-1)) {
      last.endLine = from;
      open.pop();
    }
    const entry = { ...heading, startLine: from + 1, endLine: lines.length };
    open.push(entry);
    return [entry];
  });
}
