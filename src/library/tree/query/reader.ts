/** A place in a text that is being parsed, and failures that show it. */
import { type Failure, invalidArgument } from '../../../errors.js';

const AROUND = 20;

export class Reader {
  readonly text: string;
  readonly argument: string;
  at = 0;

  constructor(text: string, argument: string) {
    this.text = text;
    this.argument = argument;
  }

  get done(): boolean {
    return this.at >= this.text.length;
  }

  peek(expected: string): boolean {
    return this.text.startsWith(expected, this.at);
  }

  /** Goes past `expected` where it stands here. */
  take(expected: string): boolean {
    const here = this.peek(expected);
    if (here) this.at += expected.length;
    return here;
  }

  /** Goes past what the pattern (which must be sticky) matches here, and answers it. */
  match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text)?.[0];
    this.at += found?.length ?? 0;
    return found;
  }

  expect(expected: string): void {
    if (!this.take(expected)) throw this.failure(`expected '${expected}'`);
  }

  /** White space and comments. Answers whether there was any. */
  skipSpace(): boolean {
    const start = this.at;
    for (;;) {
      this.match(/\s+/y);
      if (!this.peek('/*')) return this.at > start;
      const open = this.at;
      const close = this.text.indexOf('*/', open + 2);
      if (close < 0) throw this.failure('the comment has no end', open);
      this.at = close + 2;
    }
  }

  /** A failure at a place, with the text around it. */
  failure(problem: string, at = this.at): Failure {
    const before = this.text.slice(Math.max(0, at - AROUND), at);
    const after = this.text.slice(at, at + AROUND);
    const position = at + 1;
    return invalidArgument`${this.argument}: ${problem} at position ${position}, at the arrow: '${before}→${after}'`
      .with({ position })
      .advise('Correct the selector at the arrow. An example: folder[name="Work"] > note[stars>3].');
  }
}

/** Text with CSS escapes: a backslash before hexadecimal digits, or before the character itself. */
export const unescaped = (text: string): string =>
  text.replace(/\\(?:([\da-f]{1,6})\s?|([\s\S]))/gi, (_, digits?: string, character?: string) =>
    digits === undefined ? (character ?? '') : characterOf(Number.parseInt(digits, 16)),
  );

const characterOf = (code: number): string =>
  code === 0 || code > 0x10ffff || (code >= 0xd800 && code < 0xe000) ? '\ufffd' : String.fromCodePoint(code);
