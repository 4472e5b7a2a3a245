/** Lists of Markdown as blocks: a list has items, and an item has what stands in it. */
import type { FindEnclosed } from './enclosed.js';
import type { Block } from './headings.js';
import type { Line } from './lines.js';

/** The lines that are looked at, and where to stop. */
export type Stretch = { readonly lines: readonly Line[]; readonly end: number; readonly enclosed: FindEnclosed };

const mark = /^([ \t]*)(?:[-*+]|\d{1,9}[.)])(?:[ \t]|$)/;
const rule = /^ {0,3}([-*_])[ \t]*(?:\1[ \t]*){2,}$/;
const heading = /^ {0,3}#{1,6}(?=[ \t]|$)/;
/** Nobody nests deeper on purpose. */
const DEEPEST = 12;

/** How far the mark of a list item stands in, or undefined where none does. */
function markIndent(text: string): number | undefined {
  if (rule.test(text)) return undefined;
  return mark.exec(text)?.[1]?.length;
}

/** The list that begins at a line, or undefined where none does. */
export function listAt(stretch: Stretch, from: number, depth = 0): Block | undefined {
  const indent = markIndent(stretch.lines[from]?.text ?? '');
  if (indent === undefined || depth > DEEPEST) return undefined;
  const starts = itemStarts(stretch, from, indent);
  const to = starts.pop() as number;
  const items = starts.map((start, at): Block => {
    const end = starts[at + 1] ?? to;
    return { from: start, to: end, parts: () => insideItem({ ...stretch, end }, start, depth + 1) };
  });
  return { from, to, parts: () => items };
}

/** Where the items begin, and last where the list ends. */
function itemStarts({ lines, end, enclosed }: Stretch, from: number, indent: number): number[] {
  const starts = [from];
  let at = Math.min(enclosed(from) ?? from + 1, end);
  while (at < end) {
    const text = lines[at]?.text ?? '';
    const blankBefore = isBlank(lines[at - 1]);
    const depth = indentOf(text);
    if (!isBlank(lines[at]) && depth <= indent) {
      if (markIndent(text) === indent) starts.push(at);
      else if (blankBefore || endsList(text) || enclosed(at) !== undefined) break;
    }
    at = Math.min(enclosed(at) ?? at + 1, end);
  }
  return [...starts, at];
}

const endsList = (text: string): boolean => heading.test(text) || rule.test(text) || markIndent(text) !== undefined;

/** The paragraphs, code and lists of an item that is too long to stay whole. */
function insideItem(stretch: Stretch, from: number, depth: number): Block[] {
  const { lines, end, enclosed } = stretch;
  const blocks: Block[] = [];
  for (let at = from; at < end; ) {
    const start = at;
    const inner = at === from ? undefined : listAt(stretch, at, depth);
    at = inner?.to ?? Math.min(enclosed(at) ?? at + 1, end);
    while (!inner && at < end && !isBlank(lines[at]) && markIndent(lines[at]?.text ?? '') === undefined) {
      if (enclosed(at) !== undefined) break;
      at++;
    }
    while (at < end && isBlank(lines[at])) at++;
    blocks.push({ ...inner, from: start, to: at });
  }
  return blocks;
}

const isBlank = (line: Line | undefined): boolean => line !== undefined && line.text.trim() === '';
const indentOf = (text: string): number => /^[ \t]*/.exec(text)?.[0].length ?? 0;
