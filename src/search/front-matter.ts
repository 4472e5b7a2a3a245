/** The lines of data that may stand before a Markdown text, between --- (YAML) or +++ (TOML). */
import type { Line } from './lines.js';

export type FrontMatter = {
  /** How many lines it takes; 0 where there is none. */
  readonly lines: number;
  readonly title?: string;
  readonly description?: string;
  readonly tags?: readonly string[];
};

const fences: ReadonlyMap<string, readonly string[]> = new Map([
  ['---', ['---', '...']],
  ['+++', ['+++']],
]);

const LONGEST = { title: 200, description: 500, tag: 60 };
const MOST_TAGS = 32;

export function frontMatter(lines: readonly Line[]): FrontMatter {
  const ends = fences.get(lines[0]?.text.trimEnd() ?? '');
  if (!ends) return { lines: 0 };
  const end = lines.findIndex(({ text }, at) => at > 0 && ends.includes(text.trimEnd()));
  if (end < 0) return { lines: 0 };
  const inside = lines.slice(1, end).map(({ text }) => text);
  const title = textValue(inside, 'title', LONGEST.title);
  const description = textValue(inside, 'description', LONGEST.description);
  const tags = listOf(inside, 'tags') ?? listOf(inside, 'keywords');
  return { lines: end + 1, ...(title && { title }), ...(description && { description }), ...(tags && { tags }) };
}

const keyLine = (lines: readonly string[], key: string): number =>
  lines.findIndex((text) => text.startsWith(key) && /^[ \t]*[:=]/.test(text.slice(key.length)));

const after = (line: string): string => line.slice(line.search(/[:=]/) + 1).trim();

/** A value on its own line, or folded over the indented lines below: a full parser is not worth its weight here. */
function textValue(lines: readonly string[], key: string, longest: number): string | undefined {
  const at = keyLine(lines, key);
  if (at < 0) return undefined;
  const value = after(lines[at] as string);
  if (/^[[{&*]/.test(value)) return undefined;
  const text = /^[|>]/.test(value) ? folded(lines, at + 1) : unquoted(value);
  return text.slice(0, longest).toWellFormed().trim() || undefined;
}

function folded(lines: readonly string[], from: number): string {
  const below = lines.slice(from);
  const end = below.findIndex((text) => /^\S/.test(text));
  return below
    .slice(0, end < 0 ? below.length : end)
    .map((text) => text.trim())
    .join(' ');
}

/** `[a, b]`, `a, b`, or one item a line. */
function listOf(lines: readonly string[], key: string): readonly string[] | undefined {
  const at = keyLine(lines, key);
  if (at < 0) return undefined;
  const value = after(lines[at] as string);
  const items = value === '' ? itemsBelow(lines, at + 1) : value.replace(/^\[|\][^\]]*$/g, '').split(',');
  const tags = items.map((item) => unquoted(item.trim()).slice(0, LONGEST.tag).toWellFormed().trim()).filter(Boolean);
  return tags.length > 0 ? [...new Set(tags)].slice(0, MOST_TAGS) : undefined;
}

function itemsBelow(lines: readonly string[], from: number): string[] {
  const items: string[] = [];
  for (const text of lines.slice(from)) {
    const item = /^[ \t]*-[ \t]+(.*)$/.exec(text)?.[1];
    if (item === undefined) break;
    items.push(item);
  }
  return items;
}

function unquoted(value: string): string {
  const quote = value[0];
  if (quote !== '"' && quote !== "'") return value.replace(/[ \t]#.*$/, '');
  const end = value.indexOf(quote, 1);
  return end < 0 ? value : value.slice(1, end);
}
