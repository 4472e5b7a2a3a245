import { expect, test } from 'vitest';
import { parsePath, withValueAt } from '../../../src/library/tree/payload.js';
import { checkPayload, checkSchema, violationsOf } from '../../../src/library/tree/schema.js';
import type { PayloadType } from '../../../src/library/tree/types.js';

const typeWith = (schema: Record<string, unknown>): PayloadType => {
  return { name: 'note', schema, protectedPaths: [], allowedParents: null, selfPayload: false };
};

/** Every level asks the one below it twice. */
const laughs = Object.fromEntries(
  Array.from({ length: 60 }, (_, index) => {
    const below = { $ref: `#/$defs/level${index - 1}` };
    return [`level${index}`, index === 0 ? { type: 'string' } : { allOf: [below, below] }];
  }),
);

const endless: [string, Record<string, unknown>, Record<string, unknown>][] = [
  ['a pattern that runs away', { properties: { a: { pattern: '^(a+)+$' } } }, { a: `${'a'.repeat(50)}!` }],
  ['a pattern of names', { patternProperties: { '^(a+)+$': {} } }, { [`${'a'.repeat(50)}!`]: 1 }],
  ['references that double', { $defs: laughs, $ref: '#/$defs/level59' }, {}],
  ['a reference to itself', { allOf: [{ $ref: '#' }] }, {}],
  [
    'unlike items',
    { properties: { a: { uniqueItems: true } } },
    { a: Array.from({ length: 50_000 }, (_, i) => ({ i })) },
  ],
];

test.each(endless)('T410 a payload is refused where its schema takes for ever: %s', (_, schema, payload) => {
  checkSchema(schema);
  const message = expect.stringContaining('cannot be checked');
  const refused = expect.objectContaining({ type: 'invalid_argument', message });
  expect(() => checkPayload(typeWith(schema), payload)).toThrow(refused);
  expect(() => checkPayload(typeWith({ type: 'object' }), payload)).not.toThrow();
});

test('T411 a schema with asynchronous checks is refused', () => {
  expect(() => checkSchema({ $async: true })).toThrow("'$async' is not supported");
  const nested = { $async: true, type: 'string' };
  expect(() => checkSchema({ properties: { a: nested } })).toThrow('not a valid JSON Schema');
  expect(() => checkSchema({ $defs: { nested }, $ref: '#/$defs/nested' })).toThrow('not a valid JSON Schema');
  expect(() => checkSchema({ properties: { $async: { type: 'string' } } })).not.toThrow();
});

test('T412 what every object inherits is not a property of a payload', () => {
  const type = typeWith({ required: ['toString', 'name'], properties: { valueOf: { type: 'string' } } });
  expect(violationsOf(type, {}).map(({ path }) => path)).toEqual(['toString', 'name']);
});

test.each([
  'http://json-schema.org/draft-06/schema#',
  'http://json-schema.org/draft-07/schema#',
  'https://json-schema.org/draft/2019-09/schema',
  'https://json-schema.org/draft/2020-12/schema',
])('T413 %s is a known draft', ($schema) => {
  const type = typeWith({ $schema, required: ['name'] });
  expect(violationsOf(type, {})).toEqual([{ path: 'name', message: 'is required' }]);
});

test('T413 the values of a long enum are cut short', () => {
  const type = typeWith({
    properties: { a: { enum: [{ b: 1 }, null, ...Array.from({ length: 1000 }, (_, i) => i)] } },
  });
  const [violation] = violationsOf(type, { a: 'x' });
  expect(violation?.message).toMatch(/^must be equal to one of the allowed values: \{"b":1\}, null, 0, 1, .*…$/);
  expect(violation?.message.length).toBeLessThan(400);
});

test('T414 a path leads through 100 keys at the most, so that no chain of changes makes a payload endlessly deep', () => {
  const deep = (keys: number) => parsePath(Array(keys).fill('a').join('.'), 'patch');
  expect(withValueAt({}, deep(100), 1, 'patch')).toHaveProperty(deep(100).join('.'), 1);
  expect(() => deep(101)).toThrow('patch: a path has at most 100 keys');
  expect(() => deep(1_000_000)).toThrow(expect.objectContaining({ type: 'invalid_argument' }));
});
