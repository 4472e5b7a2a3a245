/** Changes to JSON text, made where they belong: everything else keeps its order, indentation and line ends. */
import { isDeepStrictEqual } from 'node:util';
import type * as Jsonc from 'jsonc-parser';
import { invalidArgument } from '../errors.js';
import { formatJsonPath } from './json.js';

export type KeyPath = readonly [string, ...string[]];

/** One change to one key. Objects that are missing on the way to it are made. */
export type Edit =
  /** `undefined` removes the key. An array is set as a whole. */
  | { readonly path: KeyPath; readonly value: unknown }
  /** The key keeps its place among its siblings. */
  | { readonly path: KeyPath; readonly renameTo: string };

type Splice = Jsonc.Edit;
type Property = Jsonc.Node & { children: [Jsonc.Node, Jsonc.Node] };

/** How a text is laid out. Without a line end, everything stands on one line. */
type Layout = { eol: string | undefined; unit: string; gap: string };

/** The text after the edits, which are made one after the other. It is JSON if the text was. */
export async function editJson(text: string, edits: readonly Edit[]): Promise<string> {
  // Loaded only when something is changed: most processes only read.
  const { parseTree, applyEdits } = await import('jsonc-parser');
  let current = text;
  for (let rest = edits; rest.length > 0; ) {
    const root = parseTree(current);
    if (!root) throw new Error('An empty text cannot be edited.');
    const batch = firstBatch(root, rest);
    const splices = batch.flatMap((edit) => splicesOf(current, root, edit));
    current = applyEdits(current, splices);
    rest = rest.slice(batch.length);
  }
  return current;
}

/** Reading the text is what costs: new values for keys that are there are set at once, anything else on its own. */
function firstBatch(root: Jsonc.Node, edits: readonly Edit[]): readonly Edit[] {
  const end = edits.findIndex((edit, index) => {
    const isInWay = edits.slice(0, index).some(({ path }) => isWithin(path, edit.path) || isWithin(edit.path, path));
    return isInWay || !isNewValue(root, edit);
  });
  return end === -1 ? edits : edits.slice(0, Math.max(1, end));
}

const isWithin = (outer: KeyPath, inner: KeyPath) => outer.every((key, index) => inner[index] === key);

const isNewValue = (root: Jsonc.Node, edit: Edit) =>
  'value' in edit && edit.value !== undefined && follow(root, edit.path).property !== undefined;

function splicesOf(text: string, root: Jsonc.Node, edit: Edit): Splice[] {
  const { holder, property, depth } = follow(root, edit.path);
  if ('renameTo' in edit) return property ? renamed(holder, property, edit) : [];
  if (edit.value === undefined) return property ? [removed(holder, property)] : [];
  if (property) return replaced(text, property, edit.value);
  const missing = edit.path.slice(depth + 1);
  const value = missing.reduceRight((inner, key) => Object.fromEntries([[key, inner]]), edit.value);
  return [inserted(text, holder, edit.path[depth] as string, value)];
}

type Found = { holder: Jsonc.Node; property: Property | undefined; depth: number };

/** Goes along a path as far as there is something, and answers the object it came to. */
function follow(root: Jsonc.Node, path: KeyPath): Found {
  let holder = root;
  for (const [depth, key] of path.entries()) {
    const property = propertyOf(holder, key, path.slice(0, depth + 1));
    if (!property || depth === path.length - 1) return { holder, property, depth };
    holder = property.children[1];
  }
  throw new Error('A path has at least one key.');
}

function propertyOf(holder: Jsonc.Node, key: string, path: readonly string[]): Property | undefined {
  if (holder.type !== 'object') {
    throw invalidArgument`${formatJsonPath(path.slice(0, -1))} is not an object`;
  }
  const [first, second] = propertiesOf(holder).filter(({ children: [name] }) => name.value === key);
  // Readers take the last one. To change either would be a guess.
  if (second) throw invalidArgument`${formatJsonPath(path)} stands twice`.advise('Remove one of the two by hand.');
  return first;
}

const propertiesOf = (object: Jsonc.Node) => (object.children ?? []) as Property[];
const endOf = ({ offset, length }: Jsonc.Node) => offset + length;

function renamed(holder: Jsonc.Node, property: Property, { path, renameTo }: Edit & { renameTo: string }): Splice[] {
  const [{ offset, length, value }] = property.children;
  if (value === renameTo) return [];
  const place = [...path.slice(0, -1), renameTo];
  if (propertyOf(holder, renameTo, place)) throw invalidArgument`${formatJsonPath(place)} exists already`;
  return [{ offset, length, content: JSON.stringify(renameTo) }];
}

function removed(holder: Jsonc.Node, property: Property): Splice {
  const siblings = propertiesOf(holder);
  const index = siblings.indexOf(property);
  const [before, after] = [siblings[index - 1], siblings[index + 1]];
  if (after) return { offset: property.offset, length: after.offset - property.offset, content: '' };
  if (before) return { offset: endOf(before), length: endOf(property) - endOf(before), content: '' };
  return { offset: holder.offset, length: holder.length, content: '{}' };
}

function replaced(text: string, property: Property, value: unknown): Splice[] {
  const [, { offset, length, children = [] }] = property.children;
  const old = text.slice(offset, offset + length);
  if (isDeepStrictEqual(JSON.parse(old), value)) return [];
  const layout = layoutOf(text);
  const staysInline = children.length > 0 && !old.includes('\n');
  const content = staysInline ? inline(value, layout) : spread(value, indentAt(text, property.offset), layout);
  return [{ offset, length, content }];
}

function inserted(text: string, holder: Jsonc.Node, key: string, value: unknown): Splice {
  const layout = layoutOf(text);
  const name = `${JSON.stringify(key)}:${layout.gap}`;
  const last = propertiesOf(holder).at(-1);
  if (last) {
    const indent = indentAt(text, last.offset);
    const content =
      layout.eol !== undefined && beginsLine(text, last.offset)
        ? `,${layout.eol}${indent}${name}${spread(value, indent, layout)}`
        : `,${layout.gap}${name}${inline(value, layout)}`;
    return { offset: endOf(last), length: 0, content };
  }
  const { offset, length } = holder;
  if (layout.eol === undefined) return { offset, length, content: inline({ [key]: value }, layout) };
  const [outer, inner] = [indentAt(text, offset), indentAt(text, offset) + layout.unit];
  const body = `${inner}${name}${spread(value, inner, layout)}`;
  return { offset, length, content: `{${layout.eol}${body}${layout.eol}${outer}}` };
}

function layoutOf(text: string): Layout {
  return {
    eol: /\r?\n/.exec(text.trim())?.[0],
    unit: /\n([ \t]+)\S/.exec(text)?.[1] ?? '  ',
    gap: /":\s/.test(text) || text.trim() === '{}' ? ' ' : '',
  };
}

const lineStart = (text: string, offset: number) => text.lastIndexOf('\n', offset - 1) + 1;
const indentAt = (text: string, offset: number) => /[ \t]*/y.exec(text.slice(lineStart(text, offset)))?.[0] ?? '';
const beginsLine = (text: string, offset: number) => text.slice(lineStart(text, offset), offset).trim() === '';

/** A value over several lines. `JSON.stringify` escapes the line breaks within strings, so each one is its own. */
function spread(value: unknown, indent: string, { eol, unit, gap }: Layout): string {
  if (eol === undefined) return inline(value, { eol, unit, gap });
  return JSON.stringify(value, null, unit).replaceAll('\n', `${eol}${indent}`);
}

function inline(value: unknown, { gap }: Layout): string {
  return gap === '' ? JSON.stringify(value) : JSON.stringify(value, null, 1).replace(/\n */g, ' ');
}
