import { expect, test } from 'vitest';
import { Overtime, withinTime } from '../../../src/library/tree/rules/deadline.js';
import { parseRulesets, type Rule, ruleViolations } from '../../../src/library/tree/rules/ruleset.js';

const ruleOf = (rule: object): Rule => parseRulesets({ house: { rules: [rule] } })[0]?.rules[0] as Rule;
const said = (rule: object, payload: Record<string, unknown>) =>
  ruleViolations(ruleOf(rule), payload).map(({ path, message }) => `${path} ${message}`);

test('T450 required paths must hold a value: null is one, and a list is entered by number', () => {
  const rule = { required: ['name', 'system.hp', 'tags.1', 'dotted\\.key'] };
  expect(said(rule, {})).toEqual(rule.required.map((path) => `${path} is required`));
  expect(said(rule, { name: null, system: { hp: 0 }, tags: ['a', ''], 'dotted.key': false })).toEqual([]);
  expect(said({ required: ['toString', 'length'] }, {})).toEqual(['toString is required', 'length is required']);
});

test('T451 patterns are tried on texts that are there', () => {
  const rule = { patterns: { code: '^[A-Z]{2}-\\d+$', 'deep.icon': '^\\p{Emoji}$' } };
  expect(said(rule, {})).toEqual([]);
  expect(said(rule, { code: 'AB-12', deep: { icon: '🌱' } })).toEqual([]);
  expect(said(rule, { code: 'ab', deep: { icon: 7 } })).toEqual([
    'code must match ^[A-Z]{2}-\\d+$',
    'deep.icon must be text that matches ^\\p{Emoji}$',
  ]);
});

test('T451 a text of more than 10,000 characters is not tried, and said to be too long', () => {
  const rule = { patterns: { code: 'a$' } };
  expect(said(rule, { code: 'a'.repeat(10_000) })).toEqual([]);
  expect(said(rule, { code: 'a'.repeat(10_001) })).toEqual([
    'code is too long to test: patterns look at 10000 characters at most',
  ]);
});

test('T452 enums name the values that may stand there, of any kind', () => {
  const rule = { enums: { status: ['open', 1, null, { deep: [true] }] } };
  for (const status of ['open', 1, null, { deep: [true] }]) expect(said(rule, { status })).toEqual([]);
  expect(said(rule, {})).toEqual([]);
  expect(said(rule, { status: '1' })).toEqual(['status must be one of "open", 1, null, {"deep":[true]}']);
});

const faulty: [string, unknown, string][] = [
  ['no object', [], 'rulesets: '],
  ['no rules', { house: {} }, 'rulesets.house.rules: '],
  ['an unknown key', { house: { rules: [{ require: ['a'] }] } }, 'rulesets.house.rules.0.require: unknown key'],
  ['an empty path', { house: { rules: [{ required: ['a', 'b..c'] }] } }, 'rulesets.house.rules.0.required.1: '],
  [
    'a forbidden path',
    { house: { rules: [{ enums: { 'a.constructor': [1] } }] } },
    'rulesets.house.rules.0.enums.a.constructor: ',
  ],
  [
    'a broken pattern',
    { house: { rules: [{}, { patterns: { a: '(' } }] } },
    'rulesets.house.rules.1.patterns.a: Invalid regular expression',
  ],
  [
    'a long pattern',
    { house: { rules: [{ patterns: { a: 'x'.repeat(501) } }] } },
    'rulesets.house.rules.0.patterns.a: a pattern has at most 500 characters',
  ],
  ['no values', { house: { rules: [{ enums: { a: [] } }] } }, 'rulesets.house.rules.0.enums.a: '],
  ['a negative count', { house: { rules: [{ maxChildren: -1 }] } }, 'rulesets.house.rules.0.maxChildren: '],
  ['a built-in name', { schema: { rules: [] } }, "rulesets: 'schema' is built in"],
  ['no name', { 'my rules': { rules: [] } }, "rulesets: 'my rules' is no name"],
];

test.each(faulty)('T453 a declaration with %s is refused with its path', (_, declared, message) => {
  expect(() => parseRulesets(declared)).toThrow(expect.objectContaining({ type: 'invalid_argument' }));
  expect(() => parseRulesets(declared)).toThrow(message);
});

test('T454 work that would never end is stopped, and work after it runs as before', () => {
  const runaway = () => /^(a+)+$/.test(`${'a'.repeat(50)}!`);
  expect(() => withinTime(runaway, 50)).toThrow(Overtime);
  expect(withinTime(() => 'done')).toBe('done');
  expect(() => withinTime(() => JSON.parse('{'))).toThrow(SyntaxError);
});

test('T454 work inside other work shares its deadline', () => {
  const inner = () => withinTime(() => /^(a+)+$/.test(`${'a'.repeat(50)}!`), 60_000);
  expect(() => withinTime(inner, 50)).toThrow(Overtime);
  expect(withinTime(() => withinTime(() => 1) + withinTime(() => 2))).toBe(3);
});
