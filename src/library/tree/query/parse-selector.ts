/** CSS selectors over nodes, from text. Failures show the position. */

import type { NodeTest } from './attribute.js';
import { parseAttribute, parseQuoted } from './parse-attribute.js';
import { parseNth } from './parse-nth.js';
import { Reader, unescaped } from './reader.js';
import { type Combinator, groups, isCombinator, POSITION, plain, type Selector, TEST, type Token } from './selector.js';

const NAME = /(?:\\(?:[\da-f]{1,6}\s?|[\s\S])|[\w\u00a0-\uffff-])+/iy;
const COMBINATORS: Readonly<Record<string, Combinator>> = { '>': 'child', '+': 'adjacent', '~': 'sibling' };
const MOST_NESTED = 32;

/** `argument` names the text in failures. */
export function parseSelector(text: string, argument: string): Selector {
  const parser = new Parser(new Reader(text, argument));
  const alternatives = parser.alternatives(0, false);
  if (!parser.reader.done) throw parser.reader.failure('this is not expected here');
  return { alternatives, tests: parser.tests, positions: parser.positions };
}

class Parser {
  readonly tests: NodeTest[] = [];
  readonly positions: Selector['positions'] = [];
  readonly reader: Reader;

  constructor(reader: Reader) {
    this.reader = reader;
  }

  /** Selectors with commas between them, up to the end or a closing parenthesis. */
  alternatives(depth: number, relative: boolean): Token[][] {
    if (depth > MOST_NESTED) throw this.reader.failure(`more than ${MOST_NESTED} parentheses within each other`);
    const found = [this.complex(depth, relative)];
    while (this.reader.take(',')) found.push(this.complex(depth, relative));
    return found;
  }

  /** Compounds with combinators between them. `relative`: it may begin with a combinator. */
  private complex(depth: number, relative: boolean): Token[] {
    const tokens: Token[] = [];
    this.reader.skipSpace();
    const leading = relative ? this.symbol() : undefined;
    if (leading) tokens.push({ type: leading });
    for (;;) {
      this.compound(tokens, depth);
      const next = this.combinator();
      if (!next) return tokens;
      tokens.push({ type: next });
    }
  }

  /** The combinator before the next compound; undefined at the end of the selector. */
  private combinator(): Combinator | undefined {
    const spaced = this.reader.skipSpace();
    const symbol = this.symbol();
    if (symbol) return symbol;
    const ends = this.reader.done || this.reader.peek(',') || this.reader.peek(')');
    return spaced && !ends ? 'descendant' : undefined;
  }

  private symbol(): Combinator | undefined {
    const symbol = this.reader.match(/[>+~]/y);
    if (symbol === undefined) return undefined;
    this.reader.skipSpace();
    return COMBINATORS[symbol];
  }

  private compound(tokens: Token[], depth: number): void {
    const start = tokens.length;
    const type = this.reader.take('*') ? '*' : this.name();
    if (type === '*') tokens.push({ type: 'universal', namespace: null });
    else if (type !== undefined) tokens.push({ type: 'tag', name: type, namespace: null });
    for (let part = this.part(depth); part; part = this.part(depth)) tokens.push(part);
    if (tokens.length > start) return;
    const last = tokens.at(-1);
    throw this.reader.failure(
      last && isCombinator(last) ? 'expected what the combinator leads to' : 'expected a selector',
    );
  }

  private part(depth: number): Token | undefined {
    const { reader } = this;
    if (reader.take('#')) return this.test({ kind: 'id', id: this.expectName('an id') });
    if (reader.take('.')) return this.test({ kind: 'tag', tag: this.expectName('a tag') });
    if (reader.take('[')) return this.test(parseAttribute(reader));
    return reader.take(':') ? this.pseudo(depth) : undefined;
  }

  private test(test: NodeTest): Token {
    return { type: 'pseudo', name: TEST, data: String(this.tests.push(test) - 1) };
  }

  private name(): string | undefined {
    const name = this.reader.match(NAME);
    return name === undefined ? undefined : unescaped(name);
  }

  private expectName(what: string): string {
    const name = this.name();
    if (name === undefined) throw this.reader.failure(`expected ${what}`);
    return name;
  }

  private pseudo(depth: number): Token {
    const start = this.reader.at - 1;
    const name = this.expectName('the name of a pseudo-class').toLowerCase();
    if (plain.has(name)) return { type: 'pseudo', name, data: null };
    const open = this.reader.at;
    const known = groups.has(name) || name === 'contains' || name === 'icontains' || name.startsWith('nth-');
    if (!known) throw this.reader.failure(`':${name}' is not a pseudo-class that is known`, start);
    this.reader.expect('(');
    const token = this.withArgument(name, depth, start);
    this.reader.skipSpace();
    if (this.reader.done) throw this.reader.failure('the parenthesis is not closed', open);
    this.reader.expect(')');
    return token;
  }

  private withArgument(name: string, depth: number, start: number): Token {
    if (groups.has(name)) return { type: 'pseudo', name, data: this.alternatives(depth + 1, name === 'has') };
    if (name === 'contains' || name === 'icontains') return this.anywhere(name === 'icontains');
    const position = parseNth(this.reader, name, start, () => this.alternatives(depth + 1, false));
    return { type: 'pseudo', name: POSITION, data: String(this.positions.push(position) - 1) };
  }

  private anywhere(ignoreCase: boolean): Token {
    this.reader.skipSpace();
    const text = parseQuoted(this.reader) ?? this.reader.match(/[^()]+/y)?.trim();
    if (text === undefined) throw this.reader.failure('expected a text');
    return this.test({ kind: 'anywhere', text, ignoreCase });
  }
}
