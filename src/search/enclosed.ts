/** Blocks of Markdown that have an end of their own: fenced code and raw HTML. Nothing inside them is a heading. */
import type { Line } from './lines.js';

/** Answers the line after the enclosed block that begins at a line, or undefined where none begins. */
export type FindEnclosed = (at: number) => number | undefined;

type Opening = {
  /** Openings with the same key close in the same way. */
  key: string;
  closes: (line: string) => boolean;
  /** The opening line may close the block itself. */
  sameLine: boolean;
  /** Without an end, it reaches to the end of the text; others are then no block at all. */
  openEnded: boolean;
};

export function enclosedBlocks(lines: readonly Line[]): FindEnclosed {
  // An opening that has no end below it has none further down either: without this, many openings cost a scan each.
  const endless = new Set<string>();
  return (at) => {
    const text = lines[at]?.text ?? '';
    const opening = fenceOpening(text) ?? htmlOpening(text);
    if (!opening) return undefined;
    const end = endless.has(opening.key) ? -1 : endOf(lines, at, opening);
    if (end >= 0) return end;
    endless.add(opening.key);
    return opening.openEnded ? lines.length : undefined;
  };
}

function endOf(lines: readonly Line[], at: number, { closes, sameLine }: Opening): number {
  for (let index = sameLine ? at : at + 1; index < lines.length; index++) {
    if (closes(lines[index]?.text ?? '')) return index + 1;
  }
  return -1;
}

/** A fence may stand in a list item, right after the item's mark or indented below it. */
const fence = /^([ \t]*)((?:[-*+]|\d{1,9}[.)])[ \t]{1,4})?(`{3,}|~{3,})/;

function fenceOpening(text: string): Opening | undefined {
  const [all = '', indent = '', mark = '', ticks = ''] = fence.exec(text) ?? [];
  if (all === '' || (ticks[0] === '`' && text.includes('`', all.length))) return undefined;
  const column = all.length - ticks.length;
  return {
    key: `${column}${ticks}`,
    closes: (line) => closesFence(line, ticks, column + 3),
    sameLine: false,
    openEnded: mark === '' && indent.length < 4,
  };
}

function closesFence(line: string, ticks: string, maxIndent: number): boolean {
  const indent = line.search(/[^ \t]/);
  if (indent < 0 || indent > maxIndent || !line.startsWith(ticks, indent)) return false;
  let end = indent;
  while (line[end] === ticks[0]) end++;
  return line.slice(end).trim() === '';
}

const htmlStart = /^ {0,3}<(!--|(?:script|pre|style|textarea)(?=[\s>]|$))/i;

function htmlOpening(text: string): Opening | undefined {
  const name = htmlStart.exec(text)?.[1]?.toLowerCase();
  if (name === undefined) return undefined;
  const end = name === '!--' ? '-->' : `</${name}>`;
  return { key: end, closes: (line) => line.toLowerCase().includes(end), sameLine: true, openEnded: false };
}
