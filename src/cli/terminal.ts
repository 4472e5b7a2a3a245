/** Writing for people: colours on a terminal only, and never for those who ask for none. */
import { errorOutput, type Output, output } from './output.js';

type Paint = (text: string) => string;

const ESCAPE = '\u001b';

function paint({ isTerminal }: Output, open: number, close: number): Paint {
  const coloured = isTerminal && !process.env.NO_COLOR && process.env.TERM !== 'dumb';
  return (text) => (coloured ? `${ESCAPE}[${open}m${text}${ESCAPE}[${close}m` : text);
}

export const bold = paint(output, 1, 22);
export const dim = paint(output, 2, 22);
const red = paint(errorOutput, 31, 39);
const faint = paint(errorOutput, 2, 22);

export const print = (text: string): void => output.write(`${text}\n`);

/** What is not part of the answer, on standard error. */
export const printNote = (text: string): void => errorOutput.write(`${text}\n`);

/** What went wrong, and what to do next, on standard error. */
export function printError(error: string, next: string): void {
  printNote(`${red('Error:')} ${safe(error)}\n${faint('Next:')}  ${safe(next)}`);
}

const STEERING = /[\p{Cc}\u2028\u2029\u202A-\u202E\u2066-\u2069]/gu;
const escaped = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** A value as JSON. What would steer a terminal is written as an escape, which reads back as it was. */
export function printJson(value: unknown, indent?: number): void {
  print(
    JSON.stringify(value, null, indent).replace(STEERING, (character) =>
      character === '\n' ? '\n' : escaped(character),
    ),
  );
}

/** Text from elsewhere without what would steer a terminal: escape sequences and other control characters. */
export function safe(text: string): string {
  return text.replace(STEERING, (character) => (character === '\n' || character === '\t' ? ' ' : escaped(character)));
}

/** The same for a text of several lines, which stay as they are. */
export const safeText = (text: string): string => text.split('\n').map(keepTabs).join('\n');
const keepTabs = (line: string) => line.replace(/\r$/, '').split('\t').map(safe).join('\t');

const COLOUR = new RegExp(`${ESCAPE}\\[\\d+m`, 'g');

/** How many places a text takes: colours take none. */
const width = (text: string) => text.replace(COLOUR, '').length;

/** Rows with aligned columns. Numbers of columns may differ. */
export function columns(rows: readonly (readonly string[])[]): string {
  const widths: number[] = [];
  for (const [index, cell] of rows.flatMap((row) => [...row.entries()])) {
    widths[index] = Math.max(widths[index] ?? 0, width(cell));
  }
  const pad = (cell: string, index: number) => cell + ' '.repeat((widths[index] ?? 0) - width(cell));
  return rows.map((row) => row.map(pad).join('  ').trimEnd()).join('\n');
}

/** Text broken into lines of at most `width` characters, each after the first with an indent. */
export function wrap(text: string, width: number, indent = ''): string {
  const lines: string[] = [''];
  for (const word of text.split(' ')) {
    const line = lines.at(-1) as string;
    if (line && line.length + word.length + 1 > width) lines.push(word);
    else lines[lines.length - 1] = line ? `${line} ${word}` : word;
  }
  return lines.join(`\n${indent}`);
}

/** Rows in a box, the first of them as the head. */
export function boxed(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, index) => Math.max(...rows.map((row) => width(row[index] ?? ''))));
  const rule = (left: string, middle: string, right: string) =>
    left + widths.map((size) => '─'.repeat(size + 2)).join(middle) + right;
  const lines = rows.map((row) => {
    const cells = widths.map((size, index) => ` ${row[index] ?? ''}${' '.repeat(size - width(row[index] ?? ''))} `);
    return `│${cells.join('│')}│`;
  });
  return [rule('┌', '┬', '┐'), lines[0], rule('├', '┼', '┤'), ...lines.slice(1), rule('└', '┴', '┘')].join('\n');
}
