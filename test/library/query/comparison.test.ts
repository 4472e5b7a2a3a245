import fc from 'fast-check';
import { expect, test } from 'vitest';
import { equalJson } from '../../../src/library/tree/payload.js';
import { compareJson, compareText, containsJson } from '../../../src/library/tree/query/comparison.js';
import { holds, type Operator, parsePredicate } from '../../../src/library/tree/query/predicate.js';
import { compareEntries } from '../../../src/library/tree/query/search.js';
import { factor } from '../../support/effort.js';
import { byCodePoints } from './random-tree.js';

const payload = {
  name: 'Style',
  stars: 3,
  done: false,
  nothing: null,
  tags: ['writing', 3, { a: 1, b: 2 }],
  system: { hp: { value: 10 } },
  due: '2024-11-30',
  'dot.ted': 1,
};

const is = (path: string, op: Operator, value: unknown) => holds(parsePredicate({ path, op, value }, 'p'), payload);

test('T100 eq is deep equality of JSON, and never converts types', () => {
  expect(is('stars', 'eq', 3)).toBe(true);
  expect(is('stars', 'eq', '3')).toBe(false);
  expect(is('done', 'eq', 0)).toBe(false);
  expect(is('system', 'eq', { hp: { value: 10 } })).toBe(true);
  expect(is('tags', 'eq', ['writing', 3, { b: 2, a: 1 }])).toBe(true);
  expect(is('tags', 'eq', ['writing', 3])).toBe(false);
});

test('T101 paths are dotted, lists are entered by number, and a backslash makes a dot part of a key', () => {
  expect(is('system.hp.value', 'eq', 10)).toBe(true);
  expect(is('tags.0', 'eq', 'writing')).toBe(true);
  expect(is('tags.2.b', 'eq', 2)).toBe(true);
  expect(is('tags.length', 'eq', 3)).toBe(false);
  expect(is('dot\\.ted', 'eq', 1)).toBe(true);
  expect(is('dot.ted', 'eq', 1)).toBe(false);
});

test('T102 for a missing value no condition holds, and eq null matches null itself only', () => {
  for (const op of ['eq', 'contains'] as const) expect(is('none', op, null)).toBe(false);
  for (const op of ['gt', 'lt'] as const) expect(is('none', op, 0)).toBe(false);
  expect(is('none', 'between', [0, 1])).toBe(false);
  expect(is('nothing', 'eq', null)).toBe(true);
  expect(is('name', 'eq', null)).toBe(false);
});

test('T103 contains: text in text with case, an equal element in a list, and nothing else', () => {
  expect(is('name', 'contains', 'tyl')).toBe(true);
  expect(is('name', 'contains', 'TYL')).toBe(false);
  expect(is('name', 'contains', '')).toBe(true);
  expect(is('tags', 'contains', 'writing')).toBe(true);
  expect(is('tags', 'contains', 'writ')).toBe(false);
  expect(is('tags', 'contains', { b: 2, a: 1 })).toBe(true);
  expect(is('stars', 'contains', 3)).toBe(false);
  expect(is('system', 'contains', 'hp')).toBe(false);
});

test('T104 gt, lt and between compare number with number and text with text, bounds of between included', () => {
  expect(is('stars', 'gt', 2)).toBe(true);
  expect(is('stars', 'gt', 3)).toBe(false);
  expect(is('stars', 'lt', '9')).toBe(false);
  expect(is('name', 'gt', 1)).toBe(false);
  expect(is('done', 'lt', 1)).toBe(false);
  expect(is('stars', 'between', [3, 3])).toBe(true);
  expect(is('stars', 'between', [4, 2])).toBe(false);
  expect(is('due', 'between', ['2024-01-01', '2024-12-31'])).toBe(true);
  expect(is('due', 'lt', '2024-12')).toBe(true);
});

test('T104 text compares by code points, not by UTF-16 units', () => {
  expect(compareText('\uFFFD', '\u{1F600}')).toBeLessThan(0);
  const texts = fc.string({ unit: 'grapheme' });
  fc.assert(
    fc.property(texts, texts, (a, b) => Math.sign(compareText(a, b)) === Math.sign(byCodePoints(a, b))),
    { numRuns: 500 * factor },
  );
});

test('T105 equality and order of any two JSON values make sense', () => {
  const json = fc.jsonValue({ maxDepth: 3 });
  fc.assert(
    fc.property(json, json, json, (a, b, c) => {
      expect(equalJson(a, structuredClone(a))).toBe(true);
      expect(equalJson(a, b)).toBe(equalJson(b, a));
      expect(containsJson([a, b], b)).toBe(true);
      expect(Math.sign(compareJson(a, b)) + Math.sign(compareJson(b, a))).toBe(0);
      if (compareJson(a, b) <= 0 && compareJson(b, c) <= 0) expect(compareJson(a, c)).toBeLessThanOrEqual(0);
      if (equalJson(a, b)) expect(compareJson(a, b)).toBe(0);
    }),
    { numRuns: 500 * factor },
  );
});

test('T106 sorting: null, boolean, number, text, list, object; missing last in both directions; equal by id', () => {
  const values = [undefined, { a: 1 }, [2], [1, 2], [1], 'b', 'a', 10, 9, true, false, null];
  const entries = values.map((value, index) => ({ id: `n${String(index).padStart(2, '0')}`, values: [value] }));
  const sorted = (descending: boolean) =>
    entries.toSorted((a, b) => compareEntries(a, b, [{ path: ['x'], descending }])).map((entry) => entry.values[0]);
  const order = [null, false, true, 9, 10, 'a', 'b', [1], [1, 2], [2], { a: 1 }];
  expect(sorted(false)).toEqual([...order, undefined]);
  expect(sorted(true)).toEqual([...order.toReversed(), undefined]);
  const same = [
    { id: 'b', values: [1] },
    { id: 'a', values: [1] },
  ];
  expect(same.toSorted((a, b) => compareEntries(a, b, [{ path: ['x'], descending: true }]))[0]?.id).toBe('a');
});

const good = { path: 'a', op: 'eq', value: 1 };

test.each([
  ['p: expected a condition', 'text'],
  ['p.op: expected one of eq, contains, gt, lt, between, received', { ...good, op: 'like' }],
  ['p.path: expected text', { op: 'eq', value: 1 }],
  ['p.value: is required', { path: 'a', op: 'eq' }],
  ['p.vlaue: unknown argument', { ...good, vlaue: 1 }],
  ["p.path: 'a..b' is not a path", { ...good, path: 'a..b' }],
  ['p.value: expected a number or text', { ...good, op: 'gt', value: null }],
  ['p.value: expected [low, high]', { ...good, op: 'between', value: [1] }],
  ['p.value: expected [low, high]', { ...good, op: 'between', value: [1, 'b'] }],
  ['p.and: the list is empty', { and: [] }],
  ['p.or: expected a list', { or: good }],
  ['p.and.1.op: expected one of', { and: [good, { ...good, op: 'is' }] }],
  ['p.or.0.and.1.value: is required', { or: [{ and: [good, { path: 'a', op: 'eq' }] }] }],
  ['p: a group has one key', { and: [good], or: [good] }],
  ['p.1: expected a condition', [good, 1]],
])('T107 a malformed predicate is refused with the place of the fault: %s', (error, input) => {
  expect(() => parsePredicate(input, 'p')).toThrow(error);
});
