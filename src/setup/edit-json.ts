/** One entry put into a JSON file of a person: comments, order, indentation and line ends stay. */
import { isDeepStrictEqual } from 'node:util';
import type * as Jsonc from 'jsonc-parser';
import { brokenAt, placeOf, refuseAddress, unfit, type Wanted } from './edit.js';

type Property = Jsonc.Node & { children: [Jsonc.Node, Jsonc.Node] };
type Splice = { offset: number; length: number; content: string };
type Layout = { eol: string; unit: string };

const BOM = '\uFEFF';

/** The text with the entry in it: the same text where it is there already. */
export async function editJsonEntry(text: string, wanted: Wanted): Promise<string> {
  const mark = text.startsWith(BOM) ? BOM : '';
  const body = text.slice(mark.length);
  if (body.trim() === '') return `${mark}${JSON.stringify(fresh(wanted), null, 2)}\n`;
  const jsonc = await import('jsonc-parser');
  const root = parse(jsonc, body, wanted.file);
  const edited = apply(body, splices(body, root, wanted));
  check(jsonc, body, edited, wanted);
  return mark + edited;
}

const fresh = ({ key, name, entry }: Wanted) => ({ [key]: { [name]: entry } });

function parse(jsonc: typeof Jsonc, text: string, file: string): Jsonc.Node {
  const errors: Jsonc.ParseError[] = [];
  const root = parseTree(jsonc, text, errors, file);
  const [fault] = errors;
  if (fault) {
    const { line, column } = placeOf(text, fault.offset);
    throw brokenAt(file, line, column, `not JSON (${jsonc.printParseErrorCode(fault.error)})`);
  }
  if (root?.type !== 'object') throw unfit(file, 'the file is not a JSON object');
  return root;
}

/** The parser calls itself for every level, so a file can be too deep for it. */
function parseTree(jsonc: typeof Jsonc, text: string, errors: Jsonc.ParseError[], file: string) {
  try {
    return jsonc.parseTree(text, errors, { allowTrailingComma: true });
  } catch (thrown) {
    if (thrown instanceof RangeError) throw unfit(file, 'nested too deep');
    throw thrown;
  }
}

function splices(text: string, root: Jsonc.Node, wanted: Wanted): Splice[] {
  const { file, key, name, entry } = wanted;
  const servers = propertyOf(root, key, file)?.children[1];
  if (!servers) return insert(text, root, { [key]: { [name]: entry } });
  if (servers.type !== 'object') throw unfit(file, `${key} is not an object`);
  const old = propertyOf(servers, name, file)?.children[1];
  if (!old) return insert(text, servers, { [name]: entry });
  if (old.type !== 'object') throw unfit(file, `${key}.${name} is not an object`);
  refuseAddress(wanted, plain(old) as Record<string, unknown>);
  const changed = Object.entries(entry).flatMap(([field, value]) => {
    const there = propertyOf(old, field, file)?.children[1];
    return there && !isDeepStrictEqual(plain(there), value) ? [replace(text, there, value)] : [];
  });
  const missing = Object.entries(entry).filter(([field]) => !propertyOf(old, field, file));
  return [...changed, ...(missing.length > 0 ? insert(text, old, Object.fromEntries(missing)) : [])];
}

function propertyOf(object: Jsonc.Node, key: string, file: string): Property | undefined {
  const [first, second] = properties(object).filter(({ children: [name] }) => name.value === key);
  // Readers differ on which of the two counts.
  if (second) throw unfit(file, `the key "${key}" stands twice`);
  return first;
}

const properties = ({ children = [] }: Jsonc.Node) => children as Property[];
const endOf = ({ offset, length }: Jsonc.Node) => offset + length;

function plain(node: Jsonc.Node): unknown {
  if (node.type === 'array') return (node.children ?? []).map(plain);
  if (node.type !== 'object') return node.value;
  return Object.fromEntries(properties(node).map(({ children: [key, value] }) => [key.value, plain(value)]));
}

function replace(text: string, node: Jsonc.Node, value: unknown): Splice {
  const isInline = !text.slice(node.offset, endOf(node)).includes('\n');
  const content = isInline ? inline(value) : spread(value, indentAt(text, node.offset), layoutOf(text));
  return { offset: node.offset, length: node.length, content };
}

/** Behind the last key, on a line of its own where the others have one; a comment behind that key stays with it. */
function insert(text: string, holder: Jsonc.Node, added: Record<string, unknown>): Splice[] {
  const last = properties(holder).at(-1);
  if (!last) return [intoEmpty(text, holder, added)];
  const layout = layoutOf(text);
  const lines = Object.entries(added).map(([key, value]) => ({ key: `${JSON.stringify(key)}: `, value }));
  if (!beginsLine(text, last.offset)) {
    const content = lines.map(({ key, value }) => `, ${key}${inline(value)}`).join('');
    return [{ offset: endOf(last), length: 0, content }];
  }
  const indent = indentAt(text, last.offset);
  const comma = trailingComma(text, endOf(last), endOf(holder));
  const start = comma === undefined ? endOf(last) : comma + 1;
  const behind =
    start + (/^[ \t]*(?:\/\/[^\r\n]*|\/\*[^\r\n]*?\*\/)?/.exec(text.slice(start))?.[0].trimEnd().length ?? 0);
  const body = lines.map(({ key, value }) => `${layout.eol}${indent}${key}${spread(value, indent, layout)}`).join(',');
  return [
    ...(comma === undefined ? [{ offset: endOf(last), length: 0, content: ',' }] : []),
    { offset: behind, length: 0, content: comma === undefined ? body : `${body},` },
  ];
}

function intoEmpty(text: string, holder: Jsonc.Node, added: Record<string, unknown>): Splice {
  const layout = layoutOf(text);
  const close = endOf(holder) - 1;
  const inside = text.slice(holder.offset + 1, close);
  const outer = indentAt(text, holder.offset);
  const indent = outer + layout.unit;
  const body = Object.entries(added)
    .map(([key, value]) => `${layout.eol}${indent}${JSON.stringify(key)}: ${spread(value, indent, layout)}`)
    .join(',');
  const offset = holder.offset + 1 + inside.trimEnd().length;
  return { offset, length: close - offset, content: `${body}${layout.eol}${outer}` };
}

/** The comma behind the last key of an object, where a person has left one. */
function trailingComma(text: string, from: number, to: number): number | undefined {
  const between = text.slice(from, to);
  const match = /^(?:\s|\/\/[^\r\n]*|\/\*[\s\S]*?\*\/)*,/.exec(between);
  return match ? from + match[0].length - 1 : undefined;
}

const layoutOf = (text: string): Layout => ({
  eol: /\r?\n/.exec(text)?.[0] ?? '\n',
  unit: /\n([ \t]+)\S/.exec(text)?.[1] ?? '  ',
});

const lineStart = (text: string, offset: number) => text.lastIndexOf('\n', offset - 1) + 1;
const indentAt = (text: string, offset: number) => /^[ \t]*/.exec(text.slice(lineStart(text, offset)))?.[0] ?? '';
const beginsLine = (text: string, offset: number) => text.slice(lineStart(text, offset), offset).trim() === '';
const inline = (value: unknown) => JSON.stringify(value, null, 1).replace(/\n */g, ' ');

/** A value over several lines; lists of words stay on one. */
function spread(value: unknown, indent: string, { eol, unit }: Layout): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map((item) => JSON.stringify(item)).join(', ')}]`;
  const inner = indent + unit;
  const lines = Object.entries(value).map(
    ([key, item]) => `${inner}${JSON.stringify(key)}: ${spread(item, inner, { eol, unit })}`,
  );
  return `{${eol}${lines.join(`,${eol}`)}${eol}${indent}}`;
}

/** From the end to the beginning, so that offsets hold; of two at one place the first comes first. */
function apply(text: string, list: readonly Splice[]): string {
  return list
    .map((splice, index) => ({ ...splice, index }))
    .sort((a, b) => b.offset - a.offset || b.index - a.index)
    .reduce((done, { offset, length, content }) => done.slice(0, offset) + content + done.slice(offset + length), text);
}

/** The edited text must say what the old one said, and the entry beside it. */
function check(jsonc: typeof Jsonc, before: string, after: string, { file, key, name, entry }: Wanted): void {
  const read = (text: string) => {
    const errors: Jsonc.ParseError[] = [];
    const value = jsonc.parse(text, errors, { allowTrailingComma: true }) as Record<string, Record<string, object>>;
    return errors.length === 0 ? value : undefined;
  };
  const old = read(before) ?? {};
  const expected = { ...old, [key]: { ...old[key], [name]: { ...old[key]?.[name], ...entry } } };
  if (!isDeepStrictEqual(read(after), expected)) throw unfit(file, 'the entry has no safe place in it');
}
