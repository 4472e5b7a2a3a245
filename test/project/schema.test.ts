/** What a project file may say, and how a fault in it is told. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Failure } from '../../src/errors.js';
import { findJsonFault } from '../../src/project/json-fault.js';
import { checkName } from '../../src/project/name.js';
import { collectionNamed, parseProject } from '../../src/project/schema.js';
import { shown } from '../../src/project/shown.js';

const parsed = (text: string) => parseProject(Buffer.from(text), 'context.json');

function messageOf(work: () => unknown): string {
  try {
    work();
  } catch (thrown) {
    if (thrown instanceof Failure) return thrown.message;
    throw thrown;
  }
  throw new Error('It did not fail.');
}

const faultOf = (text: string) => messageOf(() => parsed(text));
const faultOfCollection = (collection: unknown) => faultOf(JSON.stringify({ collections: { react: collection } }));

test('C104 unknown keys survive, a glob has a default, and a file may have rule sets alone', () => {
  const config = parsed(
    JSON.stringify({
      $schema: 'x',
      collections: { docs: { type: 'file', path: './docs', later: [1] } },
      rulesets: { strict: { rules: [] } },
    }),
  );
  expect(config).toEqual({
    $schema: 'x',
    collections: { docs: { type: 'file', path: './docs', glob: '**/*.md', later: [1] } },
    rulesets: { strict: { rules: [] } },
  });
  expect(parsed('{"rulesets":{}}').collections).toEqual({});
});

test('C104 all three types of collections and categories are read', () => {
  const file = {
    collections: {
      docs: { type: 'file', path: 'docs', glob: '*.txt', description: 'Our own' },
      react: { type: 'pkg', url: 'https://a.example/manifest.json' },
      all: { type: 'group', categories: ['guides'] },
    },
    categories: { guides: { collection: 'docs', patterns: ['guides/**'] }, every: { patterns: [] } },
  };
  expect(parsed(JSON.stringify(file))).toEqual(file);
});

test('C105 a fault is told with the file and the place in it', () => {
  expect(faultOfCollection({ type: 'pkg' })).toMatch(/^context\.json: collections\.react\.url: /);
  expect(faultOfCollection({ type: 'pkg', url: '' })).toBe('context.json: collections.react.url: must not be empty');
  expect(faultOfCollection({ type: 'file', path: 7 })).toMatch(/^context\.json: collections\.react\.path: /);
  expect(faultOfCollection({ type: 'group', categories: ['a', 1] })).toMatch(/: collections\.react\.categories\[1\]: /);
  expect(faultOf('{"categories":{"a b":{}}}')).toMatch(/^context\.json: categories\["a b"\]\.patterns: /);
  expect(faultOf('{"collections":[]}')).toMatch(/^context\.json: collections: /);
  expect(faultOf('[]')).toBe('context.json: not a JSON object');
  expect(faultOf('{"collections":{"__proto__":{"type":"pkg","url":"x"}}}')).toContain("'__proto__' cannot be a name");
});

test('C106 a collection of an unknown type is refused, and the known ones are named', () => {
  expect(faultOfCollection({ type: 'npm' })).toBe(
    "context.json: collections.react.type: 'npm' is no type of a collection: use file, pkg, group",
  );
  expect(faultOfCollection({ url: 'x' })).toMatch(/a type is missing: use file, pkg, group$/);
  expect(faultOfCollection(null)).toMatch(/^context\.json: collections\.react: /);
});

test('C107 what is not plain JSON is refused with line and column', () => {
  expect(faultOf('\uFEFF{}')).toMatch(/^context\.json: not JSON at line 1, column 1: a byte order mark/);
  expect(faultOf('{\n  // why\n}')).toBe('context.json: not JSON at line 2, column 3: comments are not allowed');
  expect(faultOf('{"a": /* why */ 1}')).toBe('context.json: not JSON at line 1, column 7: comments are not allowed');
  expect(faultOf('{\n  "a": [1, 2,\n  ]\n}')).toBe(
    "context.json: not JSON at line 3, column 3: a comma stands before ']'",
  );
  expect(faultOf('{"a": 1,}')).toBe("context.json: not JSON at line 1, column 9: a comma stands before '}'");
  expect(faultOf("{'a': 1}")).toMatch(/line 1, column 2: a key in double quotes or '}' should stand here$/);
  expect(faultOf('{"a" 1}')).toMatch(/line 1, column 6: ':' should stand here$/);
  expect(faultOf('{"a": 1 "b": 2}')).toMatch(/line 1, column 9: ',' or '}' should stand here$/);
  expect(faultOf('{"a": "one\ntwo"}')).toMatch(/line 1, column 11: a string holds a line break/);
  expect(faultOf('{"a": "\\x"}')).toMatch(/line 1, column 8: a string holds an escape/);
  expect(faultOf('{"a": 01}')).toMatch(/line 1, column 7: /);
  expect(faultOf('{}\r\n{}')).toMatch(/line 2, column 1: the end of the file should stand here$/);
  expect(faultOf('{"a": [')).toMatch(/line 1, column 8: the text ends/);
  expect(faultOf('')).toMatch(/line 1, column 1: the text ends/);
});

test('C107 bytes that are not UTF-8, and nesting without end, are refused', () => {
  expect(messageOf(() => parseProject(Buffer.from([0x7b, 0xff, 0x7d]), 'context.json'))).toBe(
    'context.json: not UTF-8 text',
  );
  expect(faultOf(`{"a":${'['.repeat(1_000_000)}`)).toMatch(/nested more than 200 levels deep$/);
  expect(parsed(`{"a":${'['.repeat(100)}${']'.repeat(100)}, "b": "${'['.repeat(1000)}\\""}`)).toHaveProperty('a');
});

test('C107 a place of fault is found exactly where the text is no JSON', () => {
  const pieces = fc.constantFrom('{', '}', '[', ']', ',', ':', '"a"', '"\\u00e9"', '1', '-0.5e+3', '01', '-', 'true');
  const odd = fc.constantFrom(' ', '\n', '//', '"', '\\', 'nul', '\u0001', '\u00a0', '1.', '+1', 'NaN');
  fc.assert(
    fc.property(fc.array(fc.oneof({ weight: 5, arbitrary: pieces }, odd), { maxLength: 12 }), (parts) => {
      const text = parts.join('');
      let valid = true;
      try {
        JSON.parse(text);
      } catch {
        valid = false;
      }
      expect(findJsonFault(text) === undefined, text).toBe(valid);
    }),
    { numRuns: 3000 },
  );
  fc.assert(fc.property(fc.json(), (text) => findJsonFault(text) === undefined));
});

test('C108 a new name has 1 to 30 letters, digits, hyphens and underscores, with neither at its ends', () => {
  for (const name of ['a', '7', 'my-collection_123', 'A'.repeat(30)]) expect(() => checkName(name)).not.toThrow();
  for (const name of ['', 'a'.repeat(31), '-a', 'a-', '_a', 'a_', 'a b', 'a.b', 'ä', 'a\n', 'a/b', '٣']) {
    expect(() => checkName(name), name).toThrow(Failure);
  }
  expect(messageOf(() => checkName('a b'))).toContain("'a b'");
});

test('C109 old names stay usable, and names of JavaScript stand for nothing', () => {
  const config = parsed('{"collections":{"old name!":{"type":"pkg","url":"x"},"toString":{"type":"pkg","url":"y"}}}');
  expect(collectionNamed(config, 'old name!')).toMatchObject({ url: 'x' });
  expect(collectionNamed(config, 'toString')).toMatchObject({ url: 'y' });
  expect(collectionNamed(config, 'constructor')).toBeUndefined();
  expect(collectionNamed(config, '__proto__')).toBeUndefined();
});

test('C110 text from elsewhere is shown on one line, short, and with escapes for what steers', () => {
  expect(shown('a\nb\u202Ec\u0000')).toBe('a\\u000ab\\u202ec\\u0000');
  expect(shown('x'.repeat(500))).toHaveLength(200);
  expect(shown('😀'.repeat(300)).isWellFormed()).toBe(true);
});
