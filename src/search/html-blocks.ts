/** Blocks of Markdown, written from what they hold. */

export type Block = string;

const joined = (blocks: readonly Block[]): string => blocks.filter((block) => block.trim() !== '').join('\n\n');

const indented = (text: string, by: string): string =>
  text
    .split('\n')
    .map((line, at) => (at === 0 || line === '' ? line : by + line))
    .join('\n');

/** The fence is longer than any inside. */
export function codeBlock(text: string, language: string): Block {
  const longest = Math.max(2, ...[...text.matchAll(/`{3,}/g)].map(([ticks]) => ticks.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${text.replace(/^\n|\s+$/g, '')}\n${fence}`;
}

export const blockquote = (blocks: readonly Block[]): Block =>
  joined(blocks)
    .split('\n')
    .map((line) => `> ${line}`.trimEnd())
    .join('\n');

/** What follows the first line of an item stands below it. */
export function item(mark: string, blocks: readonly Block[]): Block {
  const [first = '', ...rest] = blocks.map((block) => block.trim()).filter((block) => block !== '');
  // A list right after the item's text belongs to it without an empty line.
  const text = rest.reduce((all, block) => `${all}${/^(?:-|\d+\.) /.test(block) ? '\n' : '\n\n'}${block}`, first);
  return mark + indented(text, ' '.repeat(mark.length));
}

/** Tables of Markdown need a head, so the first row is it. */
export function table(rows: readonly (readonly string[])[]): Block {
  const width = Math.max(0, ...rows.map((row) => row.length));
  if (width === 0) return '';
  const line = (cells: readonly string[]) =>
    `| ${Array.from({ length: width }, (_, at) => (cells[at] ?? '').replaceAll('|', '\\|').replaceAll('\n', ' ')).join(' | ')} |`;
  const [head = [], ...body] = rows;
  return [line(head), line(Array.from({ length: width }, () => '---')), ...body.map(line)].join('\n');
}
