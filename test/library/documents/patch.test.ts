import { createRequire } from 'node:module';
import { describe, expect, test } from 'vitest';
import { applyPatch } from '../../../src/library/documents/apply-patch.js';
import { parsePatch } from '../../../src/library/documents/patch.js';
import { updateDocument } from '../../../src/library/documents/update.js';
import { scratchWorkspace } from '../../support/scratch.js';
import { memoryPort } from './memory-port.js';

type Case = {
  doc: unknown;
  patch: unknown[];
  expected?: unknown;
  error?: string;
  comment?: string;
  disabled?: boolean;
};

const require = createRequire(import.meta.url);
const suite = [
  ...(require('json-patch-test-suite/tests.json') as Case[]),
  ...(require('json-patch-test-suite/spec_tests.json') as Case[]),
].filter(({ disabled }) => !disabled);

const run = async (doc: unknown, patch: unknown[], copyBytes = 1e6) => applyPatch(doc, parsePatch(patch), copyBytes);

describe('D31 the public test suite of JSON Patch', () => {
  test('D31 it is not empty', () => expect(suite.length).toBeGreaterThan(90));

  test.each(suite.map((one, index) => [index, one.comment ?? one.error ?? '', one] as const))(
    'D31 case %i: %s',
    async (_index, _comment, { doc, patch, expected, error }) => {
      const before = structuredClone(doc);
      const answer = run(doc, patch);
      if (error === undefined) expect(await answer).toEqual(expected ?? doc);
      else await expect(answer).rejects.toMatchObject({ message: expect.stringMatching(/^Operation \d+: /) });
      expect(doc).toEqual(before);
    },
  );
});

const isObject = (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value);

test('D31 every case about an object passes through update_document too', async () => {
  const session = (await scratchWorkspace({ settings: { database: ':memory:' } })).session({ role: 'owner' });
  await session.call('define_document_type', { documentType: 'note' });
  const cases = suite.filter(
    ({ doc, expected = doc, error }) => isObject(doc) && (error !== undefined || isObject(expected)),
  );
  expect(cases.length).toBeGreaterThan(50);
  for (const { doc, patch, expected = doc, error, comment } of cases) {
    const made = await session.callUntyped('create_document', { documentType: 'note', data: doc });
    const which = { documentType: 'note', documentId: made.documentId };
    const answer = await session.callUntyped('update_document', { ...which, patch });
    expect(answer.success, comment ?? error).toBe(error === undefined);
    const { document } = await session.callUntyped('get_document', which);
    expect((document as { data: unknown }).data, comment ?? error).toEqual(error === undefined ? expected : doc);
  }
});

const update = (patch: unknown[], doc: Record<string, unknown> = { list: [1, 2], deep: { er: {} } }) => {
  const port = memoryPort({ one: doc });
  const limits = { maxDepth: 20, maxInputBytes: 5000 };
  const answer = updateDocument(port, { documentType: 'Actor', documentId: 'one', patch }, limits);
  return { answer, port };
};

test('D32 a patch stands alone', async () => {
  const port = memoryPort({ one: {} });
  for (const more of [{ updates: {} }, { operations: [] }]) {
    const request = { documentType: 'Actor', documentId: 'one', patch: [], ...more };
    await expect(updateDocument(port, request, { maxDepth: 9, maxInputBytes: 9 })).rejects.toMatchObject({
      type: 'invalid_argument',
      message: 'patch: cannot be used together with updates or operations',
    });
  }
  expect(port.calls.get).toBe(0);
});

test.each([
  [[{ op: 'spam', path: '/a' }], 'Operation 1: /a: unknown op: use add, remove, replace, move, copy, test'],
  [
    [{ op: 'add', path: '/a', value: 1 }, { path: '/a' }],
    'Operation 2: /a: unknown op: use add, remove, replace, move, copy, test',
  ],
  [[{ op: 'remove' }], 'Operation 1: path is required'],
  [[{ op: 'remove', path: 4 }], 'Operation 1: path must be text, not a number'],
  [[{ op: 'remove', path: 'a' }], 'Operation 1: a: path must be empty or begin with /'],
  [[{ op: 'add', path: '/a' }], 'Operation 1: /a: value is required for add'],
  [[{ op: 'move', path: '/a' }], 'Operation 1: /a: from is required'],
  [[{ op: 'copy', path: '/a', from: '/x~2' }], 'Operation 1: /a: from has a ~ that is neither ~0 nor ~1'],
  [[7], 'Operation 1: expected an object, not a number'],
  [[{ op: 'remove', path: '/a'.repeat(101) }], /path has more than 100 keys/],
])('D33 %j is refused before the document is fetched', async (patch, message) => {
  const { answer, port } = update(patch);
  await expect(answer).rejects.toThrow(message);
  expect(port.calls).toEqual({ get: 0, update: 0 });
});

test.each([
  [[{ op: 'replace', path: '/list/01', value: 1 }], 'Operation 1: /list/01: nothing is there'],
  [[{ op: 'add', path: '/list/00', value: 1 }], "Operation 1: /list/00: '00' is no place in the array"],
  [[{ op: 'add', path: '/list/1e0', value: 1 }], "Operation 1: /list/1e0: '1e0' is no place in the array"],
  [[{ op: 'add', path: '/list/3', value: 1 }], /^Operation 1: \/list\/3: /],
  [[{ op: 'remove', path: '/list/-' }], 'Operation 1: /list/-: nothing is there'],
  [[{ op: 'replace', path: '/toString', value: 1 }], 'Operation 1: /toString: nothing is there'],
  [[{ op: 'add', path: '/toString/x', value: 1 }], 'Operation 1: /toString/x: nothing is there that could hold it'],
  [[{ op: 'copy', from: '/valueOf', path: '/x' }], "Operation 1: /x: nothing is at '/valueOf'"],
  [[{ op: 'add', path: '/list/length', value: 1 }], /no place in the array/],
  [[{ op: 'move', from: '/deep', path: '/deep/er/x' }], 'Operation 1: /deep/er/x: a value cannot be moved into itself'],
  [[{ op: 'test', path: '/list', value: [2, 1] }], 'Operation 1: /list: the value is not the one that was tested for'],
])('D34 %j is refused, and leaves the document as it was', async (patch, message) => {
  const { answer, port } = update([{ op: 'add', path: '/new', value: 1 }, ...patch].slice(1));
  await expect(answer).rejects.toThrow(message);
  expect(port.stored('one')).toEqual({ list: [1, 2], deep: { er: {} } });
  expect(port.calls.update).toBe(0);
});

test('D34 a key may have any other name, escaped as the standard says', async () => {
  const { answer, port } = update(
    [
      { op: 'add', path: '/a~1b', value: 1 },
      { op: 'add', path: '/m~0n', value: { '': 2 } },
      { op: 'copy', from: '/m~0n/', path: '/' },
    ],
    {},
  );
  await answer;
  expect(port.stored('one')).toEqual({ 'a/b': 1, 'm~n': { '': 2 }, '': 2 });
});

test('D35 a document stays an object', async () => {
  for (const patch of [
    [{ op: 'replace', path: '', value: [] }],
    [{ op: 'remove', path: '' }],
    [{ op: 'add', path: '', value: 'x' }],
  ]) {
    await expect(update(patch).answer).rejects.toThrow('The document would be no object any more');
  }
  const { answer, port } = update([{ op: 'replace', path: '', value: { fresh: true } }]);
  await answer;
  expect(port.stored('one')).toEqual({ fresh: true });
});

test('D35 copies are bounded, and so is depth', async () => {
  const doubling = Array.from({ length: 60 }, (_, index) => ({ op: 'copy', from: '', path: `/copy${index}` }));
  await expect(update(doubling).answer).rejects.toThrow(/^Operation \d+: the patch copies more than 5000 bytes$/);
  const nesting = Array.from({ length: 30 }, () => ({ op: 'move', from: '/deep', path: '/x' })).flatMap((move) => [
    move,
    { op: 'add', path: '/deep', value: {} },
    { op: 'move', from: '/x', path: '/deep/in' },
  ]);
  await expect(update(nesting).answer).rejects.toThrow('The document would be nested deeper than 20 levels');
});
