/** Results of a search, for people: readable, with what matched in bold, or as Markdown, or as paths alone. */
import type { ToolResult } from '../workspace.js';
import { bold, dim, print, safe } from './terminal.js';

type Found = Extract<ToolResult<'ref_search'>, { success: true }>;
type Result = Found['results'][number];
export type Style = 'text' | 'md' | 'files';

const styles: Record<Style, (result: Result) => void> = { text: showText, md: showMarkdown, files: showFile };

export function showResults({ results, leftOut, suggestions = [] }: Found, style: Style): void {
  const seen = new Set<string>();
  for (const result of results) {
    if (style === 'files' && seen.has(placeOf(result))) continue;
    seen.add(placeOf(result));
    styles[style](result);
  }
  if (style === 'files') return;
  if (results.length === 0 && leftOut === undefined) print('Nothing found.');
  for (const suggestion of suggestions) print(`  ${safe(suggestion)}`);
  if (leftOut !== undefined) print(dim(`${leftOut} more had no room: give a larger --max-tokens.`));
}

const headingOf = ({ title, headings }: Result): string =>
  [title, ...headings.filter((heading) => heading !== title)].join(' > ');

type Named = Pick<Result, 'alias' | 'collection' | 'document'>;
const placeOf = ({ alias, collection, document }: Named): string => `${alias ?? collection}/${document}`;
const twins = (named: readonly Named[]): string => named.map((twin) => safe(placeOf(twin))).join(', ');
const oneLine = (text: string): string => safe(text.trim().replace(/\s+/g, ' '));

function showText(result: Result): void {
  const { document, lines, snippet, explain, more = [], duplicates = [] } = result;
  print(`${dim(`${safe(homeOf(result))}: ${safe(document)}:${lines.start}`)}  ${bold(safe(headingOf(result)))}`);
  print(`  ${highlighted(oneLine(snippet))}`);
  if (more.length > 0) print(dim(`  also at ${more.map((place) => `line ${place.lines.start}`).join(', ')}`));
  if (duplicates.length > 0) print(dim(`  same text: ${twins(duplicates)}`));
  if (explain) print(dim(`  ${explained(result)}`));
  print('');
}

/** The name that the project has for the collection. Of one that is not in the project, enough to tell it from others. */
const homeOf = ({ alias, collection }: Named): string =>
  alias ?? collection.replace(/^(file:[0-9a-f]{8})[0-9a-f]{56}$/, '$1…');

const highlighted = (snippet: string): string =>
  snippet.replace(/<mark>(.*?)<\/mark>/g, (_, matched: string) => bold(matched));

function explained({ score, explain }: Result): string {
  const parts = Object.entries(explain ?? {}).map(([kind, value]) =>
    typeof value === 'object' ? `${kind} rank ${value.rank}, score ${value.score}` : kind,
  );
  return [`score ${score}`, ...parts].join('; ');
}

function showMarkdown(result: Result): void {
  const { lines, snippet, duplicates = [] } = result;
  print(`### ${safe(headingOf(result))}\n`);
  print(`\`${safe(placeOf(result))}\`, lines ${lines.start} to ${lines.end}\n`);
  const text = snippet.replaceAll('<mark>', '**').replaceAll('</mark>', '**');
  print(
    text
      .trim()
      .split('\n')
      .map((line) => `> ${safe(line)}`.trimEnd())
      .join('\n'),
  );
  if (duplicates.length > 0) print(`\nThe same text: ${twins(duplicates)}`);
  if (result.explain) print(`\n${explained(result)}`);
  print('');
}

function showFile({ document }: Result): void {
  print(safe(document));
}
