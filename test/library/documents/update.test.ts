import { describe, expect, test } from 'vitest';
import type { Failure } from '../../../src/errors.js';
import type { Data } from '../../../src/library/documents/document.js';
import { type UpdateRequest, updateDocument } from '../../../src/library/documents/update.js';
import { memoryPort } from './memory-port.js';

const limits = { maxDepth: 20, maxInputBytes: 10_000 };
const hero = (): Data => ({
  name: 'Ada',
  system: {
    hp: 7,
    bonds: ['sea', 'home', 'debt'],
    items: [{ tags: ['a'] }, { tags: [] }, { tags: ['x', 'y'] }],
    empty: [],
    note: null,
  },
  'a.b': { list: [1] },
});

type Rest = Omit<UpdateRequest, 'documentType' | 'documentId'>;

/** Updates the hero, and answers what is stored then. */
async function update(request: Rest, port = memoryPort({ hero: hero() })) {
  const answer = await updateDocument(port, { documentType: 'Actor', documentId: 'hero', ...request }, limits);
  return { answer, data: port.stored('hero') as { system: Record<string, unknown> } & Data, port };
}

async function refused(request: Rest & Partial<UpdateRequest>) {
  const port = memoryPort({ hero: hero() });
  const whole = { documentType: 'Actor', documentId: 'hero', ...request };
  const failure = await updateDocument(port, whole, limits).then(
    () => {
      throw new Error('The update was not refused');
    },
    (thrown: Failure) => thrown,
  );
  expect(port.stored('hero')).toEqual(hero());
  expect(port.calls.update).toBe(0);
  return { ...failure.toEnvelope(), faults: failure.details.faults, fetched: port.calls.get };
}

const operation = (path: unknown, action: unknown, more: object = {}) => ({ operations: [{ path, action, ...more }] });

describe('operations', () => {
  test('D3 insert, replace and delete entries', async () => {
    const bonds = async (request: Rest) => (await update(request)).data.system.bonds;
    expect(await bonds(operation('system.bonds', 'insert', { value: 'x' }))).toEqual(['sea', 'home', 'debt', 'x']);
    expect(await bonds(operation('system.bonds', 'insert', { index: 1, value: 'x' }))).toEqual([
      'sea',
      'x',
      'home',
      'debt',
    ]);
    expect(await bonds(operation('system.bonds', 'insert', { index: 3, value: 'x' }))).toEqual([
      'sea',
      'home',
      'debt',
      'x',
    ]);
    expect(await bonds(operation('system.bonds', 'replace', { index: 0, value: null }))).toEqual([
      null,
      'home',
      'debt',
    ]);
    expect(await bonds(operation('system.bonds', 'delete', { index: 2 }))).toEqual(['sea', 'home']);
  });

  test('D4 later operations see the results of earlier ones', async () => {
    const { data, answer } = await update({
      operations: [
        { path: 'system.bonds', action: 'delete', index: 0 },
        { path: 'system.bonds', action: 'replace', index: 0, value: { to: [] } },
        { path: 'system.bonds.0.to', action: 'insert', value: 'ship' },
        { path: 'system.new.list', action: 'insert', value: 1 },
        { path: 'system.new.list', action: 'insert', index: 0, value: 0 },
      ],
    });
    expect(data.system.bonds).toEqual([{ to: ['ship'] }, 'debt']);
    expect(data.system.new).toEqual({ list: [0, 1] });
    expect(answer.differences.map(({ path }) => path.join('.'))).toEqual(['system.bonds', 'system.new']);
  });

  test('D2 the document is fetched once, and written once', async () => {
    const { port } = await update({ updates: { name: 'Eve' }, ...operation('system.bonds', 'delete', { index: 0 }) });
    expect(port.calls).toEqual({ get: 1, update: 1 });
  });

  test.each<[string, Rest & Partial<UpdateRequest>]>([
    ['an unknown type', { documentType: 'Ghost', updates: { name: 'x' } }],
    ['a bad operation', operation('system.bonds', 'delete')],
    ['a bad path in updates', { updates: { 'a..b': 1 } }],
    ['a prototype key', operation('system.__proto__', 'insert', { value: 1 })],
    ['a bad patch', { patch: [{ op: 'spam', path: '/a' }] }],
    ['nothing to do', {}],
  ])('D2 nothing is fetched for %s', async (_, request) => {
    expect(await refused(request)).toMatchObject({ error_type: 'invalid_argument', fetched: 0 });
  });

  test('D20 every fault is listed, the first of them in words', async () => {
    const { error, faults } = await refused({
      operations: [
        { path: 'system.bonds', action: 'insert', value: 1 },
        { path: 'system.bonds', action: 'delete' },
        { action: 'push' },
        7,
      ],
    });
    expect(error).toBe('Operation 2: system.bonds: index is required for delete (and 3 more)');
    expect(faults).toEqual([
      { operation: 2, path: 'system.bonds', message: 'index is required for delete' },
      { operation: 3, message: 'path is required' },
      { operation: 3, message: "unknown action 'push': use insert, replace, delete, test" },
      { operation: 4, message: 'expected an object, not a number' },
    ]);
  });

  test.each([
    [operation(undefined, 'delete', { index: 0 }), 'Operation 1: path is required'],
    [operation('', 'delete', { index: 0 }), 'Operation 1: path is required'],
    [operation(3, 'delete', { index: 0 }), 'Operation 1: path must be text, not a number'],
    [operation('a..b', 'delete', { index: 0 }), "Operation 1: a..b: 'a..b' is not a path: a key is empty"],
    [
      operation('system.bonds', undefined),
      'Operation 1: system.bonds: action is required: insert, replace, delete, test',
    ],
    [
      operation('system.bonds', 'toString'),
      "Operation 1: system.bonds: unknown action 'toString': use insert, replace, delete, test",
    ],
    [
      operation('system.bonds', ['insert'], { value: 1 }),
      `Operation 1: system.bonds: unknown action '["insert"]': use insert, replace, delete, test`,
    ],
    [
      operation('system.bonds', 'insert', { value: 1, at: 2 }),
      "Operation 1: system.bonds: unknown field 'at': an operation has path, action, index, value",
    ],
    [
      operation('/system/bonds', 'insert', { value: 1 }),
      'Operation 1: /system/bonds: path has dots, not slashes: write a.b, or \\/a for a key that begins with a slash',
    ],
    [{ operations: [null] }, 'Operation 1: expected an object, not null'],
    [{ operations: [[]] }, 'Operation 1: expected an object, not an array'],
  ])('D22 %j is refused', async (request, error) => {
    expect(await refused(request)).toMatchObject({ error, error_type: 'invalid_argument', fetched: 0 });
  });

  test.each([
    [operation('system.bonds', 'delete'), 'index is required for delete'],
    [operation('system.bonds', 'replace', { value: 1 }), 'index is required for replace'],
    [operation('system.bonds', 'delete', { index: 1.5 }), 'index 1.5 is not a whole number'],
    [operation('system.bonds', 'delete', { index: '1' }), 'index must be a whole number, not text'],
    [operation('system.bonds', 'delete', { index: null }), 'index must be a whole number, not null'],
    [operation('system.bonds', 'delete', { index: -1 }), 'index -1 is negative: entries are counted from 0'],
    [operation('system.bonds', 'insert', { index: 2 ** 53, value: 1 }), 'index 9007199254740992 is not a whole number'],
    [operation('system.bonds', 'insert'), 'value is required for insert'],
    [operation('system.bonds', 'replace', { index: 0 }), 'value is required for replace'],
    [operation('system.bonds', 'test'), 'value is required for test'],
    [operation('system.bonds', 'delete', { index: 0, value: null }), 'value is not allowed for delete'],
  ])('D23 %j is refused', async (request, message) => {
    expect(await refused(request)).toMatchObject({ error: `Operation 1: system.bonds: ${message}`, fetched: 0 });
  });

  test.each([
    ['name', 'not an array: it is text'],
    ['system', 'not an array: it is an object'],
    ['system.hp', 'not an array: it is a number'],
    ['system.note', 'not an array: it is null'],
  ])('D24 %s is not an array', async (path, message) => {
    const { error } = await refused(operation(path, 'insert', { value: 1 }));
    expect(error).toBe(`Operation 1: ${path}: ${message}`);
  });

  test('D25 only an insert at the end makes an array', async () => {
    const made = async (path: string, more = {}) =>
      (await update(operation(path, 'insert', { value: 1, ...more }))).data;
    expect((await made('list')).list).toEqual([1]);
    expect((await made('x.y.z', { index: 0 })).x).toEqual({ y: { z: [1] } });
    expect((await made('system.items.1.notes')).system.items).toEqual([
      { tags: ['a'] },
      { tags: [], notes: [1] },
      { tags: ['x', 'y'] },
    ]);
    expect(await refused(operation('list', 'insert', { index: 1, value: 1 }))).toMatchObject({
      error: 'Operation 1: list: nothing is there to insert at 1',
    });
    for (const action of ['replace', 'delete']) {
      const more = { index: 0, ...(action === 'replace' && { value: 1 }) };
      expect(await refused(operation('list', action, more))).toMatchObject({
        error: `Operation 1: list: nothing is there to ${action}`,
      });
    }
    for (const path of ['name.list', 'system.items.7.tags', 'system.bonds.x', 'system.bonds.3']) {
      expect(await refused(operation(path, 'insert', { value: 1 }))).toMatchObject({
        error: expect.stringMatching(`^Operation 1: ${path}: '.*' cannot be set`),
      });
    }
  });

  test('D26 an index outside of the array is refused', async () => {
    expect(await refused(operation('system.bonds', 'delete', { index: 3 }))).toMatchObject({
      error: 'Operation 1: system.bonds: index 3 is out of bounds: the array has 3 entries',
      fetched: 1,
    });
    expect(await refused(operation('system.bonds', 'replace', { index: 9, value: 1 }))).toMatchObject({ fetched: 1 });
    expect(await refused(operation('system.bonds', 'insert', { index: 4, value: 1 }))).toMatchObject({ fetched: 1 });
    expect(await refused(operation('a\\.b.list', 'delete', { index: 1 }))).toMatchObject({
      error: 'Operation 1: a\\.b.list: index 1 is out of bounds: the array has 1 entry',
    });
  });

  test('D27 paths enter arrays by number, and a backslash keeps a dot', async () => {
    const { data, answer } = await update({
      operations: [
        { path: 'system.items.2.tags', action: 'delete', index: 0 },
        { path: 'a\\.b.list', action: 'insert', value: 2 },
      ],
    });
    expect(data.system.items).toEqual([{ tags: ['a'] }, { tags: [] }, { tags: ['y'] }]);
    expect(data['a.b']).toEqual({ list: [1, 2] });
    // The outermost array is what differs: arrays are written as a whole.
    expect(answer.differences.map(({ path }) => path)).toEqual([
      ['system', 'items'],
      ['a.b', 'list'],
    ]);
  });

  test('D27 a key may begin with a slash, behind a backslash', async () => {
    expect((await update(operation('\\/list', 'insert', { value: 1 }))).data['/list']).toEqual([1]);
  });

  test.each(['__proto__', 'constructor', 'prototype'])('D28 %s is refused in paths and pointers', async (key) => {
    expect(await refused(operation(`system.${key}.x`, 'insert', { value: 1 }))).toMatchObject({ fetched: 0 });
    expect(await refused({ updates: { [`system.${key}`]: 1 } })).toMatchObject({ fetched: 0 });
    expect(await refused({ patch: [{ op: 'add', path: `/system/${key}`, value: 1 }] })).toMatchObject({ fetched: 0 });
    expect(await refused({ patch: [{ op: 'copy', from: `/${key}`, path: '/x' }] })).toMatchObject({ fetched: 0 });
    expect(({} as Data).x).toBeUndefined();
  });

  test('D20 a message never repeats a path of megabytes', async () => {
    const long = 'x'.repeat(1_000_000);
    const wrong = [
      operation(long, 'delete', { index: 0 }),
      operation(`${long}..`, 'delete', { index: 0 }),
      operation(long, long),
      operation(long, 'test', { value: 1 }),
      { patch: [{ op: 'remove', path: `/${long}` }] },
      { patch: [{ op: 'copy', from: `/${long}`, path: '/y' }] },
    ];
    for (const request of wrong) expect(JSON.stringify(await refused(request)).length).toBeLessThan(3000);
  });

  test('D30 a test operation guards the others', async () => {
    const guarded = (value: unknown) => ({
      operations: [
        { path: 'system.bonds', action: 'test', index: 0, value: 'sea' },
        { path: 'system', action: 'test', value },
        { path: 'system.bonds', action: 'delete', index: 0 },
      ],
    });
    const { system } = hero() as { system: Data };
    expect((await update(guarded({ ...system }))).data.system.bonds).toEqual(['home', 'debt']);
    expect(await refused(guarded({ ...system, hp: 8 }))).toMatchObject({
      error_type: 'conflict',
      error: 'Operation 2: system: the value is not the one that was tested for',
    });
    expect(await refused(operation('system.ghost', 'test', { value: null }))).toMatchObject({ error_type: 'conflict' });
    expect(await refused(operation('system.bonds', 'test', { index: 9, value: 1 }))).toMatchObject({
      error: 'Operation 1: system.bonds.9: the value is not the one that was tested for',
    });
  });
});

describe('updates', () => {
  test.each<[string, Data]>([
    ['nested', { name: 'Eve', system: { hp: 9, deep: { er: true } } }],
    ['dotted', { name: 'Eve', 'system.hp': 9, 'system.deep.er': true }],
    ['mixed', { name: 'Eve', system: { hp: 9, 'deep.er': true } }],
  ])('D6 %s updates give the same document', async (_, updates) => {
    const { data } = await update({ updates });
    expect(data).toEqual({ ...hero(), name: 'Eve', system: { ...(hero().system as Data), hp: 9, deep: { er: true } } });
  });

  test('D6 arrays and values are replaced, objects merged', async () => {
    const { data } = await update({
      updates: {
        'system.bonds': ['x'],
        'system.note': { text: 'hi' },
        'a\\.b': { more: 1 },
        'system.items.1': { tags: ['z'], worn: true },
      },
    });
    expect(data.system.bonds).toEqual(['x']);
    expect(data.system.note).toEqual({ text: 'hi' });
    expect(data['a.b']).toEqual({ list: [1], more: 1 });
    expect(data.system.items).toEqual([{ tags: ['a'] }, { tags: ['z'], worn: true }, { tags: ['x', 'y'] }]);
  });

  test('D7 results of operations win over updates of the same path', async () => {
    const { data } = await update({
      updates: { name: 'Eve', system: { bonds: ['lost'], items: [] } },
      operations: [
        { path: 'system.bonds', action: 'delete', index: 2 },
        { path: 'system.items.0.tags', action: 'insert', value: 'b' },
      ],
    });
    expect(data.name).toBe('Eve');
    expect(data.system.bonds).toEqual(['sea', 'home']);
    expect(data.system.items).toEqual([{ tags: ['a', 'b'] }, { tags: [] }, { tags: ['x', 'y'] }]);
  });

  test('D7 updates beside an array in an array stay, though operations work in the same list', async () => {
    const { data } = await update({
      updates: { 'system.items.0.worn': true, system: { items: { 2: { worn: false, tags: ['lost'] } } } },
      operations: [
        { path: 'system.items.2.tags', action: 'delete', index: 0 },
        { path: 'system.items.1.tags', action: 'insert', value: 'b' },
      ],
    });
    expect(data.system.items).toEqual([{ tags: ['a'], worn: true }, { tags: ['b'] }, { tags: ['y'], worn: false }]);
    const shifted = await update({
      updates: { 'system.items.0.worn': true },
      operations: [
        { path: 'system.items.1.tags', action: 'insert', value: 'b' },
        { path: 'system.items', action: 'delete', index: 0 },
        { path: 'system.items.0.tags', action: 'insert', value: 'c' },
      ],
    });
    expect(shifted.data.system.items).toEqual([{ tags: ['b', 'c'] }, { tags: ['x', 'y'] }]);
  });

  test('D8 what an operation works in is not replaced, and arrays have the entries they have', async () => {
    expect(
      await refused({ updates: { system: null }, ...operation('system.bonds', 'delete', { index: 0 }) }),
    ).toMatchObject({
      error: "updates: 'system' is replaced, but an operation changes an array below it",
    });
    for (const updates of [{ 'system.bonds.3': 'x' }, { system: { bonds: { x: 1 } } }, { 'system.bonds.01': 1 }]) {
      expect(await refused({ updates })).toMatchObject({
        error: expect.stringContaining('the array there has no such entry'),
      });
    }
  });

  test.each<Rest>([{}, { updates: {} }, { operations: [] }, { updates: {}, operations: [] }])(
    'D9 %j changes nothing',
    async (request) => {
      expect(await refused(request)).toMatchObject({ error: 'Nothing to change: pass updates, operations or patch' });
    },
  );
});
