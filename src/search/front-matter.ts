/** The lines of data that may stand before a Markdown text, between --- (YAML) or +++ (TOML). */
import type { Line } from './lines.js';

export type FrontMatter = { readonly lines: number; readonly title?: string };

const fences: ReadonlyMap<string, readonly string[]> = new Map([
  ['---', ['---', '...']],
  ['+++', ['+++']],
]);

/** How many lines it takes, 0 where there is none, and the title that it gives. */
export function frontMatter(lines: readonly Line[]): FrontMatter {
  const ends = fences.get(lines[0]?.text.trimEnd() ?? '');
  if (!ends) return { lines: 0 };
  const end = lines.findIndex(({ text }, at) => at > 0 && ends.includes(text.trimEnd()));
  if (end < 0) return { lines: 0 };
  const title = titleIn(lines.slice(1, end));
  return { lines: end + 1, ...(title && { title }) };
}

/** Only a title on one line is read: that is how titles are written, and a full parser is not worth its weight here. */
function titleIn(lines: readonly Line[]): string | undefined {
  const line = lines.find(({ text }) => /^title[ \t]*[:=]/.test(text));
  const value = line?.text.slice(line.text.search(/[:=]/) + 1).trim() ?? '';
  if (/^[|>[{&*]/.test(value)) return undefined;
  return unquoted(value).slice(0, 200).toWellFormed().trim() || undefined;
}

function unquoted(value: string): string {
  const quote = value[0];
  if (quote !== '"' && quote !== "'") return value.replace(/[ \t]#.*$/, '');
  const end = value.indexOf(quote, 1);
  return end < 0 ? value : value.slice(1, end);
}
