/** The structure of a reStructuredText: titles with lines of one sign under them, or over and under them. */
import type { Block, Heading, HeadingLevel } from './headings.js';
import type { Line } from './lines.js';

const adornment = /^([!-/:-@[-`{-~])\1{1,}[ \t]*$/;
const MAX_TITLE = 200;

/** Blocks cover all lines, in order. What is indented belongs to the block above it. */
export function restructuredBlocks(lines: readonly Line[]): Block[] {
  const blocks: Block[] = [];
  const styles: string[] = [];
  for (let at = 0; at < lines.length; ) {
    const title = titleAt(lines, at, styles);
    const to = afterBlank(lines, title ? title.to : paragraphEnd(lines, at, styles));
    blocks.push({ from: at, to, ...(title && { heading: title.heading }) });
    at = to;
  }
  return blocks;
}

type Title = { readonly to: number; readonly heading: Heading };

/** A title's level is the place of its style among the styles, in the order in which they first appear. */
function titleAt(lines: readonly Line[], at: number, styles: string[]): Title | undefined {
  const [first, second, third] = [textAt(lines, at), textAt(lines, at + 1), textAt(lines, at + 2)];
  const over = adornment.test(first) && adornment.test(third) && first.trim() === third.trim() && second.trim() !== '';
  const under = !over && !adornment.test(first) && /^\S/.test(first) && adornment.test(second);
  const [text, line] = over ? [second, first] : [first, second];
  if (!(over || under) || line.trim().length < Math.min(text.trim().length, MAX_TITLE)) return undefined;
  const style = `${over ? 'over' : ''}${line[0]}`;
  if (!styles.includes(style)) styles.push(style);
  const level = Math.min(6, styles.indexOf(style) + 1) as HeadingLevel;
  return { to: at + (over ? 3 : 2), heading: { level, text: titleText(text) } };
}

/** Without the marks of code and roles: ``x``, :ref:`x`, *x*. */
const titleText = (text: string): string =>
  text
    .slice(0, MAX_TITLE)
    .replace(/:[\w:-]{1,40}:`/g, '`')
    .replace(/[`*]/g, '')
    .replace(/\s+/g, ' ')
    .toWellFormed()
    .trim();

/** A paragraph, with the indented lines that follow it: the body of a directive, a definition, an example. */
function paragraphEnd(lines: readonly Line[], from: number, styles: string[]): number {
  let at = from + 1;
  while (at < lines.length) {
    const next = afterBlank(lines, at);
    if (next >= lines.length) return at;
    if (next > at && !/^[ \t]/.test(textAt(lines, next))) return at;
    if (next === at && titleAt(lines, at, [...styles]) !== undefined) return at;
    at = next + 1;
  }
  return at;
}

const textAt = (lines: readonly Line[], at: number): string => lines[at]?.text ?? '';

function afterBlank(lines: readonly Line[], at: number): number {
  let next = at;
  while (next < lines.length && textAt(lines, next).trim() === '') next++;
  return next;
}
