import { expect, test } from 'vitest';
import { runRuleset } from '../../../src/library/tree/rules/lint.js';
import { parseRulesets, type Ruleset } from '../../../src/library/tree/rules/ruleset.js';
import { saveType } from '../../../src/library/tree/types.js';
import { damaged, findingsOf, noteSchema, plant, plantedDatabase } from './planted.js';

const house = (...rules: object[]): Ruleset => parseRulesets({ house: { rules } })[0] as Ruleset;

const payloadOf = (id: string) => `(SELECT payload_id FROM nodes WHERE id = '${id}')`;
const setPayload = (id: string, data: string) => `UPDATE payloads SET data = '${data}' WHERE id = ${payloadOf(id)}`;

test('T440 the ruleset schema holds every payload against the schema of its type', async () => {
  const database = await plantedDatabase();
  const damage = [
    setPayload('style', '{"stars":"many"}'),
    "UPDATE nodes SET name = NULL, status = 'lost' WHERE id = 'archive'",
  ];
  expect(await damaged(database, damage, (sql) => findingsOf(sql, 'schema'))).toEqual([
    { nodeId: 'archive', path: 'name', message: 'must be text that is not empty' },
    { nodeId: 'archive', path: 'status', message: 'must be active or dropped' },
    { nodeId: 'style', path: 'name', message: 'is required' },
    { nodeId: 'style', path: 'stars', message: 'must be number' },
  ]);
  expect(await database.read((sql) => findingsOf(sql, 'schema'))).toEqual([]);
});

test('T440 a payload that is no JSON object is a violation, not a crash', async () => {
  const database = await plantedDatabase();
  const broken = { nodeId: 'style', path: '', message: 'the payload is not a JSON object' };
  for (const data of ['{"name"', '[1]', 'null', '7']) {
    expect(await damaged(database, [setPayload('style', data)], (sql) => findingsOf(sql, 'schema'))).toEqual([broken]);
  }
});

test('T441 nodes of unknown types and without payloads are left to the structure', async () => {
  const database = await plantedDatabase();
  const damage = [
    "UPDATE nodes SET type = 'ghost' WHERE id = 'tone'",
    "UPDATE nodes SET payload_id = 'gone' WHERE id = 'style'",
  ];
  expect(await damaged(database, damage, (sql) => findingsOf(sql, 'schema'))).toEqual([]);
});

test('T442 lint_payload checks payload formatting: one node, and no other', async () => {
  const database = await plantedDatabase();
  const damage = [setPayload('style', '{}'), setPayload('tone', '{}')];
  const found = await damaged(database, damage, (sql) => findingsOf(sql, 'schema', { of: 'node', id: 'tone' }));
  expect(found).toEqual([{ nodeId: 'tone', path: 'name', message: 'is required' }]);
});

test('T442 a subtree is walked with all below it, and nothing beside it', async () => {
  const database = await plantedDatabase();
  const rules = house({ required: ['nowhere'] });
  const nodes = (of: 'subtree' | 'node', id: string) =>
    database.read(async (sql) => (await findingsOf(sql, rules, { of, id })).map(({ nodeId }) => nodeId));
  expect(await nodes('subtree', 'guides')).toEqual(['guides', 'style', 'tone']);
  expect(await nodes('subtree', 'library')).toEqual(['archive', 'guides', 'projects', 'style', 'tone']);
  expect(await nodes('node', 'guides')).toEqual(['guides']);
});

test('T455 a rule of one type is about that type alone, and one without a type about all but the root', async () => {
  const database = await plantedDatabase();
  const nodes = (...rules: object[]) =>
    database.read(async (sql) => (await findingsOf(sql, house(...rules))).map(({ nodeId }) => nodeId));
  expect(await nodes({ type: 'note', required: ['stars'] })).toEqual(['tone']);
  expect(await nodes({ required: ['stars'] })).toEqual(['archive', 'guides', 'projects', 'tone']);
  expect(await nodes({ type: 'library', required: ['stars'] })).toEqual(['library']);
  expect(await nodes({ type: 'nobody', required: ['stars'] })).toEqual([]);
  expect(await nodes({ type: 'note', required: ['stars'] }, { type: 'folder', enums: { name: ['Guides'] } })).toEqual([
    'archive',
    'projects',
    'tone',
  ]);
});

test('T456 allowedChildren and maxChildren are about what a node holds', async () => {
  const database = await plantedDatabase();
  const rules = house({ type: 'folder', allowedChildren: ['folder'] }, { maxChildren: 1 });
  expect(await database.read((sql) => findingsOf(sql, rules))).toEqual([
    { nodeId: 'guides', path: 'children', message: "may not hold a 'note', and holds 'style'" },
    { nodeId: 'guides', path: 'children', message: "may not hold a 'note', and holds 'tone'" },
    { nodeId: 'guides', path: 'children', message: 'may hold 1 at most, and holds 2' },
    { nodeId: 'library', path: 'children', message: 'may hold 1 at most, and holds 2' },
  ]);
  expect(await database.read((sql) => findingsOf(sql, rules, { of: 'node', id: 'library' }))).toHaveLength(1);
  const leaf = house({ type: 'folder', allowedChildren: [], maxChildren: 0 });
  expect(await database.read((sql) => findingsOf(sql, leaf, { of: 'subtree', id: 'archive' }))).toEqual([]);
});

test('T457 at most 1000 violations are listed, and the answer says that there are more', async () => {
  const database = await plantedDatabase();
  await database.write(async (sql) => {
    for (let index = 0; index < 600; index++) await plant(sql, 'archive', `n${index}`, 'note', { name: 'x' });
  });
  const run = (...rules: object[]) =>
    database.read((sql) => runRuleset({ sql, scope: { of: 'all' }, pause: async () => {} }, house(...rules)));
  const one = await run({ type: 'note', required: ['a'] });
  expect([one.violations.length, one.truncated]).toEqual([602, false]);
  const two = await run({ type: 'note', required: ['a', 'b'] });
  expect([two.violations.length, two.truncated]).toEqual([1000, true]);
});

test('T458 a long walk pauses between its parts, and ends when the pause throws', async () => {
  const database = await plantedDatabase();
  await database.write(async (sql) => {
    for (let index = 0; index < 1200; index++) await plant(sql, 'archive', `n${index}`, 'note', { name: 'x' });
  });
  const done: number[] = [];
  const run = (pause: (count: number) => Promise<void>) =>
    database.read((sql) => runRuleset({ sql, scope: { of: 'subtree', id: 'archive' }, pause }, 'schema'));
  await run(async (count) => void done.push(count));
  expect(done).toEqual([500, 1000, 1201]);
  await expect(run(() => Promise.reject(new Error('enough')))).rejects.toThrow('enough');
});

test('T458 payloads are read in parts that are small in size, too', async () => {
  const database = await plantedDatabase();
  await database.write(async (sql) => {
    for (let index = 0; index < 5; index++) {
      await plant(sql, 'archive', `n${index}`, 'note', { name: 'x'.repeat(6 * 1024 * 1024) });
    }
  });
  const done: number[] = [];
  const scope = { of: 'subtree', id: 'archive' } as const;
  const pause = async (count: number) => void done.push(count);
  await database.read((sql) => runRuleset({ sql, scope, pause }, house({ type: 'note', required: ['name'] })));
  expect(done).toEqual([3, 5]);
});

test('T459 a pattern that runs away costs its own nodes their answer, and no other', async () => {
  const database = await plantedDatabase();
  await database.write((sql) => plant(sql, 'archive', 'trap', 'note', { name: `${'a'.repeat(50)}!` }));
  const rules = house({ type: 'note', patterns: { name: '^(a+)+$' } });
  expect(await database.read((sql) => findingsOf(sql, rules))).toEqual([
    { nodeId: 'style', path: 'name', message: 'must match ^(a+)+$' },
    { nodeId: 'tone', path: 'name', message: 'must match ^(a+)+$' },
    {
      nodeId: 'trap',
      path: '',
      message: 'could not be checked in time: a pattern or a reference of the rules takes too long',
    },
  ]);
});

test('T459 a schema that leads back to itself without end is a violation, not a crash', async () => {
  const database = await plantedDatabase();
  const found = await database.rehearse(async (sql) => {
    const schema = { ...noteSchema, allOf: [{ $ref: '#' }] };
    await saveType(sql, { name: 'note', schema, protectedPaths: [], allowedParents: null });
    return findingsOf(sql, 'schema', { of: 'node', id: 'style' });
  });
  expect(found).toMatchObject([{ nodeId: 'style', path: '', message: expect.stringMatching(/^could not be checked/) }]);
});
