import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Failure } from '../../../src/errors.js';
import { passesAttribute } from '../../../src/library/tree/query/attribute.js';
import { parseSelector } from '../../../src/library/tree/query/parse-selector.js';
import { factor } from '../../support/effort.js';

const payload = {
  name: 'Style guide',
  stars: 3,
  done: true,
  nothing: null,
  tags: ['writing', 'two words'],
  system: { hp: 3 },
  lang: 'en-GB',
  due: '2024-11-30',
  'dot.ted': 'x',
};

const passes = (bracket: string) =>
  parseSelector(bracket, 'q').tests.every((test) => 'path' in test && passesAttribute(test, payload));

test.each([
  ['[name]', '[none]'],
  ['[nothing]', '[nothing.more]'],
  ['[name="Style guide"]', '[name=Style]'],
  ['[name="style GUIDE" i]', '[name="style GUIDE" s]'],
  ['[stars="3"]', '[stars="3.0"]'],
  ['[stars=3]', '[stars="03"]'],
  ['[done=true]', '[done=1]'],
  ['[nothing=null]', '[nothing=""]'],
  ['[system.hp="3"]', '[system="3"]'],
  ['[tags.0=writing]', '[tags=writing]'],
  ['[tags~=writing]', '[tags~=writ]'],
  ['[tags~="two words"]', '[tags~=two]'],
  ['[name~=guide]', '[name~=gui]'],
  ['[name^=Sty]', '[name^=""]'],
  ['[name$=guide]', '[name$=Style]'],
  ['[name*="le g"]', '[name*=""]'],
  ['[lang|=en]', '[lang|=e]'],
  ['[name!=other]', '[name!="Style guide"]'],
  ['[none!=other]', '[stars!=3]'],
  ['[stars>2]', '[stars>3]'],
  ['[stars>=3]', '[stars>=3.5]'],
  ['[ stars < 4 ]', '[stars<3]'],
  ['[stars<=3e0]', '[stars<=-3]'],
  ['[due<"2024-12"]', '[due>"2025"]'],
  ['[name>"Sta"]', '[name>3]'],
  ['[dot\\.ted=x]', '[dot.ted=x]'],
])('T132 attributes are payload paths, and their values are text: %s passes, %s does not', (yes, no) => {
  expect(passes(yes)).toBe(true);
  expect(passes(no)).toBe(false);
});

test('T133 names take escapes: of characters, and in hexadecimal', () => {
  expect(parseSelector('#a\\.b.two\\ words', 'q').tests).toEqual([
    { kind: 'id', id: 'a.b' },
    { kind: 'tag', tag: 'two words' },
  ]);
  expect(parseSelector('#\\31 23[name="a\\"b"]', 'q').tests).toMatchObject([{ id: '123' }, { value: 'a"b' }]);
  expect(parseSelector('/* why */ note /* not */ > *', 'q').alternatives).toEqual([
    [{ type: 'tag', name: 'note', namespace: null }, { type: 'child' }, { type: 'universal', namespace: null }],
  ]);
});

test.each([
  ['', 1, 'expected a selector'],
  ['note,', 6, 'expected a selector'],
  ['note,,folder', 6, 'expected a selector'],
  ['> note', 1, 'expected a selector'],
  ['note > > folder', 8, 'expected what the combinator leads to'],
  ['note >', 7, 'expected what the combinator leads to'],
  ['note[', 6, 'expected a path of the payload'],
  ['note[name', 10, "expected a comparison or ']'"],
  ['note[name="a]', 11, 'the quoted text has no end'],
  ['note[name=]', 11, 'expected a value'],
  ['note[name="a" x]', 15, "expected ']'"],
  ['note[a..b]', 6, "'a..b' is not a path"],
  ['note[stars>many]', 12, "expected a number or quoted text behind '>'"],
  ['note:frist-child', 5, "':frist-child' is not a pseudo-class that is known"],
  ['note::before', 6, 'expected the name of a pseudo-class'],
  ['note:not(folder', 9, 'the parenthesis is not closed'],
  ['note:is()', 9, 'expected a selector'],
  ['note:nth-child(two)', 16, "expected a position such as '2', 'odd' or '2n+1'"],
  ['note:nth-thing(2)', 5, "':nth-thing' is not a pseudo-class that is known"],
  ['note#', 6, 'expected an id'],
  ['note.', 6, 'expected a tag'],
  ['note)', 5, 'this is not expected here'],
  ['note /* here', 6, 'the comment has no end'],
  ['note & folder', 6, 'expected what the combinator leads to'],
])('T134 a malformed selector is refused with the position: %s', (text, position, problem) => {
  const failure = failureOf(text);
  expect(failure.type).toBe('invalid_argument');
  expect(failure.details).toEqual({ position });
  const shown = `'${text.slice(Math.max(0, position - 21), position - 1)}→${text.slice(position - 1, position + 19)}'`;
  expect(failure.message).toBe(`queryDsl: ${problem} at position ${position}, at the arrow: ${shown}`);
});

function failureOf(text: string): Failure {
  try {
    parseSelector(text, 'queryDsl');
  } catch (thrown) {
    return thrown as Failure;
  }
  throw new Error(`'${text}' was not refused`);
}

test('T134 whatever the text is, it parses or is refused with a position within it', () => {
  const pieces = fc.constantFrom(
    ...['note', '[', ']', '(', ')', ':not', ':has', '>', ' ', ',', '"', '\\', '=', '3', 'n'],
  );
  const texts = fc.oneof(
    fc.array(pieces).map((all) => all.join('')),
    fc.string({ unit: 'grapheme' }),
  );
  fc.assert(
    fc.property(texts, (text) => {
      try {
        parseSelector(text, 'queryDsl');
      } catch (thrown) {
        expect(thrown).toBeInstanceOf(Failure);
        const { position } = (thrown as Failure).details;
        expect(position).toBeGreaterThanOrEqual(1);
        expect(position).toBeLessThanOrEqual(text.length + 1);
      }
    }),
    { numRuns: 1000 * factor },
  );
});

test('T134 parentheses may be nested 32 deep, and not deeper', () => {
  const nested = (depth: number) => `${':not('.repeat(depth)}note${')'.repeat(depth)}`;
  expect(parseSelector(nested(32), 'q').alternatives).toHaveLength(1);
  expect(failureOf(nested(33)).message).toContain('more than 32 parentheses within each other');
});
