/** Edits of JSON text: the value changes as asked, and everything else stays as it was written. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Edit, editJson } from '../../src/project/edit.js';

const handmade = `{
\t"$schema": "x",
\t"collections": {
\t\t"a": { "type": "pkg", "url": "u" },
\t\t"b": {
\t\t\t"type": "pkg",   "url": "v"
\t\t}
\t},
\t"more":   [1,2,
\t\t3]
}

`;

const add = (name: string, value: unknown): Edit => ({ path: ['collections', name], value });

test('C111 a new key is laid out like its neighbours, and nothing else is touched', async () => {
  expect(await editJson(handmade, [add('c', { type: 'file', path: '.' })])).toBe(
    handmade.replace('"v"\n\t\t}\n', '"v"\n\t\t},\n\t\t"c": {\n\t\t\t"type": "file",\n\t\t\t"path": "."\n\t\t}\n'),
  );
});

test('C111 a value is replaced, and a key removed, in its place', async () => {
  expect(await editJson(handmade, [{ path: ['collections', 'a', 'url'], value: 'new' }])).toBe(
    handmade.replace('"u"', '"new"'),
  );
  expect(await editJson(handmade, [add('a', { type: 'pkg', url: 'new' })])).toBe(handmade.replace('"u"', '"new"'));
  expect(await editJson(handmade, [add('a', undefined)])).toBe(
    handmade.replace('"a": { "type": "pkg", "url": "u" },\n\t\t', ''),
  );
  expect(await editJson(handmade, [add('a', undefined), add('b', undefined)])).toBe(
    handmade.replace(/"collections": \{.*?\n\t\}/s, '"collections": {}'),
  );
});

test('C111 a change that changes nothing leaves the text as it is', async () => {
  const edits = [add('a', { type: 'pkg', url: 'u' }), add('missing', undefined)];
  expect(await editJson(handmade, edits)).toBe(handmade);
});

test('C111 line ends, the final newline, and text on one line survive', async () => {
  const windows = handmade.replaceAll('\n', '\r\n');
  const edited = await editJson(windows, [add('c', { type: 'file', path: '.' })]);
  expect(edited.replaceAll('\r\n', '\n')).toBe(await editJson(handmade, [add('c', { type: 'file', path: '.' })]));
  expect(edited).not.toMatch(/[^\r]\n/);
  expect(await editJson('{"collections":{}}', [add('a', { n: [1] })])).toBe('{"collections":{"a":{"n":[1]}}}');
  expect(await editJson('{"x": 1}', [add('a', { n: 1 })])).toBe('{"x": 1, "collections": { "a": { "n": 1 } }}');
});

test('C111 objects on the way are made', async () => {
  expect(await editJson('{\n    "x": 1\n}\n', [{ path: ['categories', 'a', 'patterns'], value: ['*'] }])).toBe(
    '{\n    "x": 1,\n    "categories": {\n        "a": {\n            "patterns": [\n                "*"\n            ]\n        }\n    }\n}\n',
  );
});

test('C112 a renamed key keeps its place', async () => {
  expect(await editJson(handmade, [{ path: ['collections', 'a'], renameTo: 'z' }])).toBe(
    handmade.replace('"a":', '"z":'),
  );
  const taken = editJson(handmade, [{ path: ['collections', 'a'], renameTo: 'b' }]);
  await expect(taken).rejects.toThrow('collections.b exists already');
});

test('C112 a key that stands twice is not changed by a guess', async () => {
  const twice = '{"collections":{"a":1,"a":2},"b":3}';
  await expect(editJson(twice, [add('a', 4)])).rejects.toThrow('collections.a stands twice');
  await expect(editJson(twice, [{ path: ['b', 'c'], value: 1 }])).rejects.toThrow('b is not an object');
});

// None with a backslash: after a name that has one, JSON.parse of Node 24.21 takes other escaped names for it.
const key = fc
  .oneof(fc.constantFrom('a', 'b', 'c', '__proto__', 'with "quotes"'), fc.string({ maxLength: 4 }))
  .filter((name) => !name.includes('\\'));
const leaf = fc.oneof(fc.string(), fc.integer(), fc.constantFrom(true, null), fc.constant([]), fc.constant({}));
const level = (inner: fc.Arbitrary<unknown>) =>
  fc.uniqueArray(fc.tuple(key, fc.oneof(inner, fc.array(inner, { maxLength: 2 }))), {
    selector: ([name]) => name,
    maxLength: 4,
  });
const objectOf = (inner: fc.Arbitrary<unknown>) => level(inner).map((pairs) => Object.fromEntries(pairs));
const document = objectOf(fc.oneof(leaf, objectOf(fc.oneof(leaf, objectOf(leaf)))));
const layout = fc.tuple(fc.constantFrom(undefined, 1, 2, 4, '\t'), fc.constantFrom('\n', '\r\n'), fc.boolean());

function written(value: unknown, [indent, eol, final]: [string | number | undefined, string, boolean]): string {
  return JSON.stringify(value, null, indent).replaceAll('\n', eol) + (final ? eol : '');
}

/** The same edit on the value, as a list of pairs so that the order of keys is compared too. */
function edited(value: unknown, path: readonly string[], next: unknown): unknown {
  const [first = '', ...rest] = path;
  const pairs = Object.entries(value as object);
  const old = pairs.find(([name]) => name === first)?.[1];
  const inner = rest.length === 0 ? next : edited(old ?? {}, rest, next);
  if (inner === undefined) return Object.fromEntries(pairs.filter(([name]) => name !== first));
  const known = pairs.some(([name]) => name === first);
  return Object.fromEntries(
    known ? pairs.map(([name, one]) => [name, name === first ? inner : one]) : [...pairs, [first, inner]],
  );
}

const isObject = (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value);

test('C113 a name with a backslash is written and found', async () => {
  const there = await editJson('{"a\\\\b":1}', [{ path: ['c\\'], value: 2 }]);
  expect(there).toBe('{"a\\\\b":1,"c\\\\":2}');
  expect(await editJson(there, [{ path: ['a\\b'], value: undefined }])).toBe('{"c\\\\":2}');
});

test('C113 random edits of random texts give the value that the same edit of the value gives', async () => {
  const path = fc.array(key, { minLength: 1, maxLength: 3 });
  await fc.assert(
    fc.asyncProperty(document, layout, path, fc.oneof(leaf, objectOf(leaf)), async (value, look, keys, next) => {
      let at: unknown = value;
      for (const name of keys.slice(0, -1)) {
        fc.pre(at === undefined || isObject(at));
        at = at === undefined ? undefined : Object.getOwnPropertyDescriptor(at, name)?.value;
      }
      fc.pre(at === undefined || isObject(at));
      const text = await editJson(written(value, look), [{ path: keys as [string], value: next }]);
      expect(JSON.stringify(JSON.parse(text))).toBe(JSON.stringify(edited(value, keys, next)));
    }),
    { numRuns: 500 },
  );
});

test('C113 what was added and removed again leaves the text to the byte', async () => {
  await fc.assert(
    fc.asyncProperty(document, layout, objectOf(leaf), async (value, look, next) => {
      const text = written({ ...value, collections: value }, look);
      const there = await editJson(text, [add('entirely-new', next)]);
      expect(there).not.toBe(text);
      expect(await editJson(there, [add('entirely-new', undefined)])).toBe(text);
    }),
    { numRuns: 300 },
  );
});

test('C113 edits at once give what the same edits give one after the other', async () => {
  const few = fc.constantFrom('a', 'b', 'c');
  const value = fc.oneof(fc.constant(undefined), fc.integer(), fc.dictionary(few, fc.dictionary(few, fc.integer())));
  const path = fc.array(few, { minLength: 1, maxLength: 3 }).map((keys) => keys as [string]);
  const edit: fc.Arbitrary<Edit> = fc.oneof(fc.record({ path, value }), fc.record({ path, renameTo: few }));
  await fc.assert(
    fc.asyncProperty(
      fc.dictionary(few, fc.dictionary(few, value)),
      layout,
      fc.array(edit, { maxLength: 6 }),
      async (start, look, edits) => {
        const text = written(start, look);
        let expected = Promise.resolve(text);
        for (const one of edits) expected = expected.then((current) => editJson(current, [one]));
        const [whole, apart] = await Promise.allSettled([editJson(text, edits), expected]);
        expect(whole).toEqual(apart);
      },
    ),
    { numRuns: 200 },
  );
});
