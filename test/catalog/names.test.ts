/** Names, descriptions, expressions and patterns: decisions on values alone. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { revised } from '../../src/catalog/collections.js';
import { parseExpression } from '../../src/catalog/expression.js';
import { asked, spelledOut } from '../../src/catalog/patterns.js';
import { compilePatterns } from '../../src/context/sources/patterns.js';
import { checkDescription } from '../../src/project/name.js';
import { fixedBeginning } from '../../src/search/fixed-beginning.js';

const known = new Set(['guides', 'react', 'old,name', 'old/name', 'old', ' old ']);
const parse = (text: string) => parseExpression(text, (name) => known.has(name));

test('K2 half of a Unicode character and control characters are no text of a description', () => {
  for (const text of ['\ud83d', 'a\udc00', 'a\u0000', 'a\u007f', 'a\u0085']) {
    expect(() => checkDescription(text)).toThrow(expect.objectContaining({ type: 'invalid_characters' }));
  }
  expect(() => checkDescription('e\u0301 \u{1F468}\u200d\u{1F469} ‘x’')).not.toThrow();
});

test.each([
  ['guides', [{ name: 'guides' }]],
  [' guides , react ', [{ name: 'guides' }, { name: 'react' }]],
  ['react/use-*', [{ name: 'react', pattern: 'use-*' }]],
  ['react/hooks/{a,b}.md,guides', [{ name: 'react', pattern: 'hooks/{a,b}.md' }, { name: 'guides' }]],
  ['react/[a,b]/\\,x', [{ name: 'react', pattern: '[a,b]/\\,x' }]],
  ['react/', [{ name: 'react' }]],
  ['old,name', [{ name: 'old,name' }]],
  [' old ', [{ name: ' old ' }]],
  ['  old', [{ name: 'old' }]],
  [' old,name', [{ name: 'old,name' }]],
  ['old/name/x', [{ name: 'old/name', pattern: 'x' }]],
  ['old/other', [{ name: 'old', pattern: 'other' }]],
  ['nope/x', [{ name: 'nope', pattern: 'x' }]],
])('K50 the expression %j is read', (text, terms) => {
  expect(parse(text)).toEqual(terms);
});

test.each(['', ',', 'guides,', 'guides,,react', '/x'])('K50 the expression %j has a part without a name', (text) => {
  expect(() => parse(text)).toThrow(expect.objectContaining({ type: 'invalid_argument' }));
});

test('K50 an expression that is too long, or has too many names, is refused', () => {
  for (const text of ['/'.repeat(5000), `guides/${'x'.repeat(4000)}`, Array(101).fill('guides').join(',')]) {
    expect(() => parse(text)).toThrow(expect.objectContaining({ type: 'invalid_argument' }));
  }
});

const matches = (patterns: string[], path: string) => {
  const { include, excludes } = compilePatterns(patterns);
  return include.some((pattern) => pattern.matches(path)) && !excludes(path);
};

test.each([
  ['hooks/use-state', 'hooks/use-state.md', true],
  ['hooks/use-state', 'hooks/use-state.test.tsx', true],
  ['hooks/use-state', 'hooks/use-state', true],
  ['hooks/use-state', 'hooks/use-state-2.md', false],
  ['hooks/use-state', 'use-state.md', false],
  ['use-*', 'use-memo.mdx', true],
  ['**', 'a/b/c.md', true],
  ['**/intro', 'a/b/intro.rst', true],
  ['{a,b}', 'b.md', true],
  ['v1.2', 'v1.2.md', true],
  ['a.md', 'a.mdx', false],
  ['a.md', 'a.md.bak', false],
  ['.hidden', '.hidden', true],
  ['*a*b*c', 'xaybzc', true],
  ['*a*b*c', 'xaybzc.markdown', true],
  ['*a*b*c', 'xaybzc.test.md', true],
  ['*a*b*c', 'xaybzcd.md', false],
  ['*a*b*c.md', 'xaybzc.md', true],
])('K51 the pattern %j on %j: %j', (pattern, path, taken) => {
  expect(matches(spelledOut(pattern), path)).toBe(taken);
});

test('K51 a pattern that is asked for may be the very path of a document, whatever characters that has', () => {
  for (const path of [
    'app/[id]/page.md',
    'a(b).md',
    'c++.md',
    '[...slug].md',
    'what?.md',
    '{x}.md',
    '@scope/!a.md',
    'https://docs.test/a.md?x=1',
  ])
    expect(matches(asked(path), path), path).toBe(true);
});

const piece = fc.constantFrom(
  'a',
  'b',
  '/',
  './',
  '.',
  '*',
  '**',
  '?',
  '{a,b}',
  '[ab]',
  '+(a)',
  '!',
  '@(a|b)',
  '\\[',
  'é',
  '😀',
  '😁',
);
const text = (of: fc.Arbitrary<string>) => fc.array(of, { minLength: 1, maxLength: 6 }).map((parts) => parts.join(''));
const somePath = text(fc.constantFrom('a', 'b', '/', '.', '[', 'é', '😀', '😁'));

test('K56 what every match is said to begin with, every match begins with', () => {
  fc.assert(
    fc.property(fc.array(text(piece), { minLength: 1, maxLength: 3 }), somePath, (patterns, path) => {
      let taken = false;
      try {
        taken = matches(patterns, path);
      } catch {
        fc.pre(false);
      }
      if (taken) expect(path.startsWith(fixedBeginning(patterns)), `${patterns} ${path}`).toBe(true);
    }),
    { numRuns: 5000 },
  );
  expect(fixedBeginning(['hooks/use-state', 'hooks/use-*', '!x'])).toBe('hooks/use-');
  expect(fixedBeginning(['a😀', 'a😁'])).toBe('a');
});

const list = fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd', 'e'));

test('K16 an update keeps the order of what stays, has nothing twice, and ends with what is new', () => {
  fc.assert(
    fc.property(list, list, list, (before, add, remove) => {
      const after = revised(before, add, remove);
      const kept = before.filter((one) => !remove.includes(one));
      expect(after).toEqual([...kept, ...add.filter((one) => !kept.includes(one))]);
      expect(revised(after, add, [])).toEqual(after);
    }),
  );
});
