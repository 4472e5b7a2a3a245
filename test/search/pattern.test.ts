import fc from 'fast-check';
import { expect, test } from 'vitest';
import { OTHER_LETTERS, patternFor } from '../../src/search/pattern.js';

const LAST = 0xffff;
const unicode = /[\p{L}\p{N}\p{M}]/u;
const characters = Array.from({ length: LAST + 1 }, (_, code) => String.fromCharCode(code));
const signs = characters.filter((character) => !OTHER_LETTERS.test(character));

test('R23 only ASCII has letters, digits and marks among the characters that get the quick pattern', () => {
  const other = signs.filter((character) => unicode.test(character) && !/[A-Za-z0-9]/.test(character));
  expect(other).toEqual([]);
  expect(signs.length).toBeGreaterThan(1000);
});

const classes = fc.constantFrom('\\p{L}', '\\p{Ll}', '\\p{Lu}', '\\p{N}', '\\p{M}', '\\p{Script=Han}');
const piece = fc.tuple(
  fc.constantFrom('[', '[^'),
  fc.uniqueArray(classes, { minLength: 1 }),
  fc.constantFrom(']', ']+', ']{0,3}?'),
);
const sources = fc
  .array(
    piece.map(([open, inside, close]) => open + inside.join('') + close),
    { minLength: 1, maxLength: 4 },
  )
  .chain((pieces) => fc.constantFrom(pieces.join(''), pieces.join('|'), `(?<!${pieces[0]})${pieces.join('')}`));
const texts = fc.string({ unit: fc.constantFrom(...signs, ...'aBzZ09'.repeat(100)) });

test('R21 R23 the quick pattern finds in such a text what the one for every script finds', () => {
  fc.assert(
    fc.property(sources, texts, (source, text) => {
      const pattern = patternFor(source, 'g');
      const [quick, whole] = [pattern(text), pattern('\u4e00')];
      expect(quick).not.toBe(whole);
      const found = (regExp: RegExp) => [...text.matchAll(regExp)].map(({ 0: match, index }) => [index, match]);
      expect(found(quick)).toEqual(found(whole));
    }),
  );
});
