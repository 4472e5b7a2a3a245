/** The tests that a selector makes on a single node: its id, its tags, and what stands at paths of its payload. */
import { isRecord, type Path, type Payload, valueAt } from '../payload.js';
import { compareRange } from './comparison.js';

/** Comparisons of text, as CSS has them; `exists` asks for nothing more. */
export type TextAction = 'exists' | '=' | '!=' | '~=' | '^=' | '$=' | '*=' | '|=';
export type RangeAction = '>' | '>=' | '<' | '<=';

export type AttributeTest =
  | { kind: 'text'; path: Path; action: TextAction; value: string; ignoreCase: boolean }
  | { kind: 'range'; path: Path; action: RangeAction; bound: number | string }
  | { kind: 'anywhere'; text: string; ignoreCase: boolean };

export type NodeTest = { kind: 'id'; id: string } | { kind: 'tag'; tag: string } | AttributeTest;

/** The text of a value as selectors see it. Lists and objects have none. */
const textOf = (value: unknown): string | undefined => {
  if (typeof value === 'string') return value;
  return typeof value === 'object' && value !== null ? undefined : JSON.stringify(value);
};

/** Whether a payload passes. */
export function passesAttribute(test: AttributeTest, payload: Payload): boolean {
  if (test.kind === 'anywhere') return textWithin(payload, folded(test.text, test.ignoreCase), test.ignoreCase);
  const value = valueAt(payload, test.path);
  if (test.kind === 'range') return value !== undefined && inRange[test.action](compareRange(value, test.bound));
  const { action, ignoreCase } = test;
  const wanted = folded(test.value, ignoreCase);
  if (action === 'exists') return value !== undefined;
  if (action === '~=' && Array.isArray(value)) return value.some((item) => sameText(item, wanted, ignoreCase));
  const text = value === undefined ? undefined : textOf(value);
  return comparisons[action](text === undefined ? undefined : folded(text, ignoreCase), wanted);
}

const folded = (text: string, ignoreCase: boolean) => (ignoreCase ? text.toLowerCase() : text);

const sameText = (item: unknown, wanted: string, ignoreCase: boolean) => {
  const text = textOf(item);
  return text !== undefined && folded(text, ignoreCase) === wanted;
};

type Compare = (text: string | undefined, wanted: string) => boolean;

const comparisons: Record<Exclude<TextAction, 'exists'>, Compare> = {
  '=': (text, wanted) => text === wanted,
  '!=': (text, wanted) => text !== wanted,
  '~=': (text, wanted) => wanted !== '' && (text?.split(/[ \t\n\f\r]+/).includes(wanted) ?? false),
  '^=': (text, wanted) => wanted !== '' && (text?.startsWith(wanted) ?? false),
  '$=': (text, wanted) => wanted !== '' && (text?.endsWith(wanted) ?? false),
  '*=': (text, wanted) => wanted !== '' && (text?.includes(wanted) ?? false),
  '|=': (text, wanted) => text === wanted || (text?.startsWith(`${wanted}-`) ?? false),
};

const inRange: Record<RangeAction, (order: number | undefined) => boolean> = {
  '>': (order) => order !== undefined && order > 0,
  '>=': (order) => order !== undefined && order >= 0,
  '<': (order) => order !== undefined && order < 0,
  '<=': (order) => order !== undefined && order <= 0,
};

/** Whether a text of the payload, at any depth, has `wanted` in it. */
function textWithin(value: unknown, wanted: string, ignoreCase: boolean): boolean {
  if (typeof value === 'string') return folded(value, ignoreCase).includes(wanted);
  const inner = Array.isArray(value) ? value : isRecord(value) ? Object.values(value) : [];
  return inner.some((item) => textWithin(item, wanted, ignoreCase));
}
