/** One entry put into a TOML file of a person, line by line; the result is read again before it is trusted. */
import { isDeepStrictEqual } from 'node:util';
import { brokenAt, refuseAddress, unfit, type Wanted } from './edit.js';

type Table = Record<string, unknown>;
type Parse = (text: string) => Table;

/** The text with the entry in it: the same text where it is there already. */
export async function editTomlEntry(text: string, wanted: Wanted): Promise<string> {
  const { parse, TomlError } = await import('smol-toml');
  const before = parsed(parse as Parse, TomlError, text, wanted.file);
  const { key, name, entry, file } = wanted;
  const old = tableIn(tableIn(before, key, file), name, file);
  if (old) refuseAddress(wanted, old);
  const expected = { ...before, [key]: { ...tableIn(before, key, file), [name]: { ...old, ...entry } } };
  if (isDeepStrictEqual(plain(before), plain(expected))) return text;
  const edited = old ? changed(parse as Parse, text, wanted) : appended(text, wanted);
  if (!isSame(parse as Parse, edited, expected)) throw unfit(file, 'the entry has no safe place in it');
  return edited;
}

function parsed(parse: Parse, TomlError: typeof import('smol-toml').TomlError, text: string, file: string): Table {
  try {
    return parse(text);
  } catch (thrown) {
    if (thrown instanceof RangeError) throw unfit(file, 'nested too deep');
    if (!(thrown instanceof TomlError)) throw thrown;
    const [reason = 'unreadable'] = thrown.message.replace(/^Invalid TOML document: /, '').split('\n');
    throw brokenAt(file, thrown.line, thrown.column, `not TOML (${reason.trim()})`);
  }
}

function tableIn(holder: Table | undefined, key: string, file: string): Table | undefined {
  const value = holder?.[key];
  if (value === undefined) return undefined;
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Table;
  throw unfit(file, `${key} is not a table`);
}

function isSame(parse: Parse, text: string, expected: Table): boolean {
  try {
    return isDeepStrictEqual(plain(parse(text)), plain(expected));
  } catch {
    return false;
  }
}

/** Without the prototypes and classes that the parser gives to tables and dates. */
function plain(value: unknown): unknown {
  if (value instanceof Date) return { date: value.toISOString() };
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, plain(item)]));
}

const eolOf = (text: string) => /\r?\n/.exec(text)?.[0] ?? '\n';

function appended(text: string, { key, name, entry }: Wanted): string {
  const eol = eolOf(text);
  const gap = text.trim() === '' ? '' : text.endsWith('\n') ? eol : `${eol}${eol}`;
  const lines = [`[${key}.${name}]`, ...Object.entries(entry).map(lineFor)];
  return `${text.trim() === '' ? '' : text}${gap}${lines.join(eol)}${eol}`;
}

export const lineFor = ([field, value]: [string, unknown]): string => `${field} = ${tomlValue(value)}`;

/** Texts and lists of texts are written alike in both formats, but for one control character. */
function tomlValue(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(tomlValue).join(', ')}]`;
  return JSON.stringify(value).replaceAll('\u007f', '\\u007f');
}

/** Replaces the lines of the fields that differ; what else stands in the table stays. */
function changed(parse: Parse, text: string, { file, key, name, entry }: Wanted): string {
  const eol = eolOf(text);
  const lines = text.split(eol);
  const head = lines.findIndex((line) => isHead(line, key, name));
  if (head < 0) throw unfit(file, `${key}.${name} is not a table with a head of its own`);
  for (const [field, value] of Object.entries(entry)) {
    const end = nextHead(lines, head);
    const start = lines.findIndex((line, index) => index > head && index < end && isField(line, field));
    if (start < 0) lines.splice(head + 1, 0, lineFor([field, value]));
    else lines.splice(start, lengthOf(parse, lines, start, end), lineFor([field, value]));
  }
  return lines.join(eol);
}

function isHead(line: string, key: string, name: string): boolean {
  const match = /^\s*\[\s*([\w-]+)\s*\.\s*(?:"([\w-]+)"|'([\w-]+)'|([\w-]+))\s*\]\s*(?:#.*)?$/.exec(line);
  return match?.[1] === key && (match[2] ?? match[3] ?? match[4]) === name;
}

function nextHead(lines: readonly string[], head: number): number {
  const next = lines.findIndex((line, index) => index > head && /^\s*\[/.test(line));
  return next < 0 ? lines.length : next;
}

const isField = (line: string, field: string) => line.trimStart().split('=')[0]?.trim() === field && line.includes('=');

/** How many lines a value takes: the fewest that are TOML by themselves. */
function lengthOf(parse: Parse, lines: readonly string[], start: number, end: number): number {
  for (let stop = start + 1; stop <= end; stop++) {
    try {
      parse(lines.slice(start, stop).join('\n'));
      return stop - start;
    } catch {
      // The value goes on.
    }
  }
  return 1;
}
