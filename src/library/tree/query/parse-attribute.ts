/** The part of a selector in brackets: a path of the payload, and what is asked of the value there. */
import { parsePath } from '../payload.js';
import type { AttributeTest, RangeAction, TextAction } from './attribute.js';
import { type Reader, unescaped } from './reader.js';

const PATH = /(?:\\[\s\S]|[\w\u00a0-\uffff.-])+/y;
const ACTION = />=|<=|[~^$*|!]?=|>|</y;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?=\s*\])/y;
const QUOTED = /"(?:\\[\s\S]|[^"\\])*"|'(?:\\[\s\S]|[^'\\])*'/y;
const BARE = /(?:\\[\s\S]|[^\s\]\\"'])+/y;

const isRange = (action: string): action is RangeAction => action.startsWith('>') || action.startsWith('<');

/** Reads from behind the opening bracket to behind the closing one. */
export function parseAttribute(reader: Reader): AttributeTest {
  reader.skipSpace();
  const start = reader.at;
  const name = reader.match(PATH);
  if (name === undefined) throw reader.failure('expected a path of the payload');
  const path = pathOf(reader, name, start);
  reader.skipSpace();
  const action = reader.match(ACTION);
  reader.skipSpace();
  const test: AttributeTest =
    action === undefined
      ? { kind: 'text', path, action: 'exists', value: '', ignoreCase: false }
      : isRange(action)
        ? { kind: 'range', path, action, bound: parseBound(reader, action) }
        : { kind: 'text', path, action: action as TextAction, value: parseText(reader), ignoreCase: parseCase(reader) };
  reader.skipSpace();
  if (!reader.take(']')) throw reader.failure(action === undefined ? "expected a comparison or ']'" : "expected ']'");
  return test;
}

function pathOf(reader: Reader, name: string, start: number) {
  try {
    return parsePath(name, reader.argument);
  } catch {
    throw reader.failure(`'${name}' is not a path`, start);
  }
}

function parseBound(reader: Reader, action: RangeAction): number | string {
  const number = reader.match(NUMBER);
  if (number !== undefined) return Number(number);
  const text = parseQuoted(reader);
  if (text === undefined) throw reader.failure(`expected a number or quoted text behind '${action}'`);
  return text;
}

function parseText(reader: Reader): string {
  const quoted = parseQuoted(reader);
  if (quoted !== undefined) return quoted;
  const bare = reader.match(BARE);
  if (bare === undefined) throw reader.failure('expected a value');
  return unescaped(bare);
}

/** A text in quotes; undefined where none begins here. */
export function parseQuoted(reader: Reader): string | undefined {
  if (!reader.peek('"') && !reader.peek("'")) return undefined;
  const quoted = reader.match(QUOTED);
  if (quoted === undefined) throw reader.failure('the quoted text has no end');
  return unescaped(quoted.slice(1, -1));
}

/** A flag behind the value: `i` for any case, `s` for the same case, which is the rule. */
function parseCase(reader: Reader): boolean {
  reader.skipSpace();
  const flag = reader.match(/[iIsS](?=\s*\])/y);
  return flag?.toLowerCase() === 'i';
}
