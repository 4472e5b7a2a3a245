/** What stands in the parentheses of `:nth-child` and its kin: `2n+1`, `odd`, `3`, and perhaps `of` a selector. */
import type { Reader } from './reader.js';
import type { Position, Token } from './selector.js';

const KINDS: Readonly<Record<string, Pick<Position, 'fromEnd' | 'ofType'>>> = {
  'nth-child': { fromEnd: false, ofType: false },
  'nth-last-child': { fromEnd: true, ofType: false },
  'nth-of-type': { fromEnd: false, ofType: true },
  'nth-last-of-type': { fromEnd: true, ofType: true },
};

const FORMULA = /odd|even|[+-]?\d*n(?:\s*[+-]\s*\d+)?|[+-]?\d+/iy;

/** `start` is where the pseudo-class begins; `among` reads selectors. */
export function parseNth(reader: Reader, name: string, start: number, among: () => Token[][]): Position {
  const kind = KINDS[name];
  if (!kind) throw reader.failure(`':${name}' is not a pseudo-class that is known`, start);
  reader.skipSpace();
  const formula = reader.match(FORMULA);
  if (formula === undefined) throw reader.failure("expected a position such as '2', 'odd' or '2n+1'");
  const spaced = reader.skipSpace();
  const restricted = spaced && !kind.ofType && reader.match(/of\s/iy) !== undefined;
  return { ...kind, ...parseFormula(formula), among: restricted ? among() : null };
}

function parseFormula(formula: string): { step: number; offset: number } {
  const text = formula.toLowerCase().replace(/\s+/g, '');
  if (text === 'odd') return { step: 2, offset: 1 };
  if (text === 'even') return { step: 2, offset: 0 };
  const [before, after] = text.split('n') as [string, string | undefined];
  if (after === undefined) return { step: 0, offset: Number(before) };
  const step = before === '' || before === '+' ? 1 : before === '-' ? -1 : Number(before);
  return { step, offset: after === '' ? 0 : Number(after) };
}

/** Whether the sibling at a place (from 1) is meant. */
export function isAtPosition({ step, offset }: Position, place: number): boolean {
  const distance = place - offset;
  return step === 0 ? distance === 0 : distance % step === 0 && distance / step >= 0;
}
