/** Where a text stops being JSON. `JSON.parse` says that it is none, but not always at which place. */

export type JsonFault = { offset: number; reason: string };

type Expected = 'value' | 'value or ]' | 'key' | 'key or }' | ':' | ', or ]' | ', or }' | 'end';
type Token = { kind: string; end: number };
type State = { open: ('{' | '[')[]; expected: Expected };

const SPACE = /[ \t\n\r]*/y;
const WORD = /(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)(?![\w.+-])/y;
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;

const what: Record<Expected, string> = {
  value: 'a value',
  'value or ]': "a value or ']'",
  key: 'a key in double quotes',
  'key or }': "a key in double quotes or '}'",
  ':': "':'",
  ', or ]': "',' or ']'",
  ', or }': "',' or '}'",
  end: 'the end of the file',
};

/** The first place at which a text breaks the rules of JSON, and how. */
export function findJsonFault(text: string): JsonFault | undefined {
  const state: State = { open: [], expected: 'value' };
  for (let offset = skip(SPACE, text, 0); offset < text.length; ) {
    const token = tokenAt(text, offset);
    if ('reason' in token) return token;
    if (!accept(state, token.kind)) return unexpected(text, offset, state);
    offset = skip(SPACE, text, token.end);
  }
  if (state.expected === 'end') return undefined;
  return { offset: text.length, reason: `the text ends where ${what[state.expected]} should follow` };
}

function skip(pattern: RegExp, text: string, offset: number): number {
  pattern.lastIndex = offset;
  return pattern.test(text) ? pattern.lastIndex : offset;
}

function tokenAt(text: string, offset: number): Token | JsonFault {
  const character = text.charAt(offset);
  if ('{}[],:'.includes(character)) return { kind: character, end: offset + 1 };
  if (character === '"') return stringAt(text, offset);
  if (text.startsWith('//', offset) || text.startsWith('/*', offset)) {
    return { offset, reason: 'comments are not allowed' };
  }
  const end = skip(WORD, text, offset);
  return { kind: end > offset ? 'value' : 'unknown', end };
}

function stringAt(text: string, start: number): Token | JsonFault {
  for (let offset = start + 1; offset < text.length; ) {
    const character = text.charAt(offset);
    if (character === '"') return { kind: 'string', end: offset + 1 };
    if (character < ' ') return { offset, reason: 'a string holds a line break or another control character' };
    if (character !== '\\') {
      offset++;
      continue;
    }
    const after = skip(ESCAPE, text, offset);
    if (after === offset) return { offset, reason: 'a string holds an escape that JSON does not know' };
    offset = after;
  }
  return { offset: start, reason: 'a string has no end' };
}

/** Moves the state over a token, or answers false where that token may not stand. */
function accept(state: State, kind: string): boolean {
  const { expected, open } = state;
  const wantsValue = expected === 'value' || expected === 'value or ]';
  const wantsKey = expected === 'key' || expected === 'key or }';
  if (wantsValue && (kind === '{' || kind === '[')) {
    open.push(kind);
    state.expected = kind === '{' ? 'key or }' : 'value or ]';
  } else if (wantsValue && (kind === 'value' || kind === 'string')) state.expected = afterValue(open);
  else if (wantsKey && kind === 'string') state.expected = ':';
  else if (expected === ':' && kind === ':') state.expected = 'value';
  else if (kind === ',' && expected === ', or }') state.expected = 'key';
  else if (kind === ',' && expected === ', or ]') state.expected = 'value';
  else if ((kind === '}' || kind === ']') && expected.endsWith(`or ${kind}`)) {
    open.pop();
    state.expected = afterValue(open);
  } else return false;
  return true;
}

function afterValue(open: State['open']): Expected {
  const innermost = open.at(-1);
  return innermost === undefined ? 'end' : innermost === '{' ? ', or }' : ', or ]';
}

function unexpected(text: string, offset: number, { expected }: State): JsonFault {
  const character = text.charAt(offset);
  const trailing = (character === '}' && expected === 'key') || (character === ']' && expected === 'value');
  if (trailing && text.slice(0, offset).trimEnd().endsWith(',')) {
    return { offset, reason: `a comma stands before '${character}'` };
  }
  return { offset, reason: `${what[expected]} should stand here` };
}
