/** How values of payloads compare: the one set of rules that searches, selectors and sorting share. */
import { equalJson } from '../payload.js';

/** Text contains text, with case; a list contains an element that is equal. */
export function containsJson(whole: unknown, part: unknown): boolean {
  if (typeof whole === 'string') return typeof part === 'string' && whole.includes(part);
  return Array.isArray(whole) && whole.some((item) => equalJson(item, part));
}

/** Puts the halves of surrogate pairs behind all other units, which is where their code points stand. */
const weightOf = (unit: number) => (unit < 0xd800 ? unit : unit >= 0xe000 ? unit - 0x800 : unit + 0x2000);

/** Compares texts by code points, as the database does; plain `<` would go by UTF-16 units. */
export function compareText(a: string, b: string): number {
  const end = Math.min(a.length, b.length);
  for (let index = 0; index < end; index++) {
    const difference = weightOf(a.charCodeAt(index)) - weightOf(b.charCodeAt(index));
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}

/** Number with number, text with text; undefined for all else. */
export function compareRange(value: unknown, bound: unknown): number | undefined {
  if (typeof value === 'number' && typeof bound === 'number') return Math.sign(value - bound);
  if (typeof value === 'string' && typeof bound === 'string') return compareText(value, bound);
  return undefined;
}

/** The order of types in sorted results. */
function typeOrder(value: unknown): number {
  if (value === null) return 0;
  if (Array.isArray(value)) return 4;
  return { boolean: 1, number: 2, string: 3 }[typeof value as string] ?? 5;
}

/** Any two JSON values in sorting order. Lists compare element by element; objects count as equal. */
export function compareJson(a: unknown, b: unknown): number {
  const types = typeOrder(a) - typeOrder(b);
  if (types !== 0) return types;
  if (Array.isArray(a) && Array.isArray(b)) return compareLists(a, b);
  if (typeof a === 'boolean') return Number(a) - Number(b);
  return compareRange(a, b) ?? 0;
}

function compareLists(a: readonly unknown[], b: readonly unknown[]): number {
  const end = Math.min(a.length, b.length);
  for (let index = 0; index < end; index++) {
    const difference = compareJson(a[index], b[index]);
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}
