import { expect, test } from 'vitest';
import { scratchWorkspace } from '../support/scratch.js';

const nested = (depth: number): unknown => {
  let value: unknown = 'x';
  for (let level = 0; level < depth; level++) value = [value];
  return value;
};

const loop: Record<string, unknown> = {};
loop.self = loop;

const hostile: [what: string, input: unknown, error: string | RegExp][] = [
  ['an array', [], /expected object/],
  ['a string', 'x', /expected object/],
  ['a number', 7, /expected object/],
  ['a name of another type', { name: 7 }, 'name: Invalid input: expected string, received number'],
  ['a name of null', { name: null }, 'name: Invalid input: expected string, received null'],
  ['a name with NUL', { name: 'a\u0000b' }, 'name: text must not contain a NUL character'],
  ['half a surrogate pair', { name: 'a\ud800' }, /^name: text is not valid Unicode/],
  ['half a pair in a key', { '\udc00': 1 }, /^text is not valid Unicode/],
  ['__proto__ as a key', JSON.parse('{"name":"x","__proto__":{"a":1}}'), "key '__proto__' is not allowed"],
  ['constructor inside', { name: 'x', position: { constructor: 1 } }, "position: key 'constructor' is not allowed"],
  ['prototype inside', { name: 'x', position: { prototype: 1 } }, "position: key 'prototype' is not allowed"],
  ['10,000 levels', { name: nested(10_000) }, 'Input is nested too deeply: at most 256 levels are allowed'],
  ['a loop', loop, 'Input is nested too deeply: at most 256 levels are allowed'],
  ['10 MB of text', { name: 'x'.repeat(10_000_000) }, 'Input is too large: at most 8388608 bytes are allowed'],
  [
    '10 MB of keys',
    Object.fromEntries(Array.from({ length: 400_000 }, (_, i) => [`key ${i} xxxxxxxxxxxxxxxx`, 1])),
    /too large/,
  ],
  ['a list of five million', { name: Array.from({ length: 5_000_000 }, () => 0) }, /too large/],
  ['a function', { name: () => 'x' }, 'name: value is not JSON'],
  ['a bigint', { name: 7n }, 'name: value is not JSON'],
  ['a date', { name: new Date(0) }, 'name: value is not JSON'],
  ['not a number', { name: Number.NaN }, 'name: value is not JSON'],
  ['an endless number', { name: Number.POSITIVE_INFINITY }, 'name: value is not JSON'],
];

test.each(hostile)('G20 G21 %s is refused, and nothing changes', async (_what, input, error) => {
  const session = (await scratchWorkspace()).session();
  const envelope = await session.callUntyped('add_folder', input);
  expect(envelope).toMatchObject({ success: false, error_type: 'invalid_argument' });
  expect(envelope.error).toEqual(typeof error === 'string' ? error : expect.stringMatching(error));
  expect(await session.call('list_folders', {})).toEqual({ success: true, folders: [], version: 'r0' });
  expect(({} as Record<string, unknown>).a).toBeUndefined();
});

test('G20 nothing but the input limit bounds the length of a name', async () => {
  const session = (await scratchWorkspace()).session();
  const name = 'x'.repeat(8_000_000);
  expect(await session.call('add_folder', { name })).toMatchObject({ success: true, name });
});

test('G20 the limits are settings', async () => {
  const settings = { 'limits.maxInputBytes': 1024, 'limits.maxDepth': 8 };
  const session = (await scratchWorkspace({ settings })).session();
  expect(await session.call('add_folder', { name: 'x'.repeat(1100) })).toMatchObject({ success: false });
  expect(await session.callUntyped('add_folder', { name: nested(9) })).toMatchObject({
    error: expect.stringContaining('at most 8'),
  });
  expect(await session.call('add_folder', { name: 'x'.repeat(900) })).toMatchObject({ success: true });
});

test('G2 an unknown tool is a failure like any other', async () => {
  const session = (await scratchWorkspace()).session();
  expect(await session.callUntyped('fly', {})).toMatchObject({
    success: false,
    error: "Unknown tool 'fly'",
    error_type: 'not_found',
  });
});

test('G2 a call without input is a call without arguments', async () => {
  const session = (await scratchWorkspace()).session();
  expect(await session.callUntyped('list_folders', undefined)).toMatchObject({ success: true });
});
