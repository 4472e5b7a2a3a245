import { expect, test } from 'vitest';
import { addNote, noteSchema, workspace } from './rules-workspace.js';

test('T400 a new type is created by an editor, makes no revision, and is listed with its nodes', async () => {
  const { call } = await workspace();
  const { version } = await call('list_document_types');
  const definition = {
    documentType: 'note',
    schema: noteSchema,
    protectedPaths: ['key'],
    allowedParents: ['library', 'note'],
  };
  expect(await call('define_document_type', definition, 'editor')).toEqual({
    success: true,
    documentType: 'note',
    created: true,
    nonconforming: 0,
    version,
  });
  await addNote(call, { name: 'one' });
  const listed = await call('list_document_types', {}, 'reader');
  expect(listed.types).toEqual([
    expect.objectContaining({ documentType: 'library', allowedParents: [], selfPayload: true, nodes: 1 }),
    expect.objectContaining({ documentType: 'folder', selfPayload: true, nodes: 0 }),
    { ...definition, selfPayload: false, nodes: 1 },
  ]);
});

test('T401 a type that says nothing is not restricted', async () => {
  const { call } = await workspace();
  await call('define_document_type', { documentType: 'note' });
  const listed = await call('list_document_types');
  const free = { schema: null, protectedPaths: [], allowedParents: null, selfPayload: false, nodes: 0 };
  expect(listed.types).toContainEqual({ documentType: 'note', ...free });
});

test.each(['folder', 'library', 'Folder', '', '9lives', 'a b', 'a.b', 'é', 'x'.repeat(61), '__proto__'])(
  'T402 %j is no name for a type',
  async (documentType) => {
    const { call } = await workspace();
    const refused = await call('define_document_type', { documentType });
    expect(refused).toMatchObject({ success: false, error_type: 'invalid_argument' });
    expect(refused.error).toContain(`'${documentType}'`);
  },
);

test.each(['a', 'X-ray_2', 'x'.repeat(60)])('T402 %j is a name for a type', async (documentType) => {
  const { call } = await workspace();
  expect(await call('define_document_type', { documentType })).toMatchObject({ success: true, created: true });
});

test('T403 allowed parents are known types, the type itself, library and folder', async () => {
  const { call } = await workspace();
  const define = (allowedParents: string[]) => call('define_document_type', { documentType: 'task', allowedParents });
  expect(await define(['library', 'folder', 'task'])).toMatchObject({ success: true });
  expect(await define(['folder', 'ghost'])).toMatchObject({
    error_type: 'invalid_argument',
    error: expect.stringContaining("'ghost'"),
  });
  expect(await define([])).toMatchObject({ error_type: 'invalid_argument' });
});

test('T404 protected paths must be paths', async () => {
  const { call } = await workspace();
  for (const protectedPaths of [[''], ['a..b'], ['__proto__.x'], ['a.constructor']]) {
    const refused = await call('define_document_type', { documentType: 'note', protectedPaths });
    expect(refused).toMatchObject({ error_type: 'invalid_argument', error: expect.stringContaining('protectedPaths') });
  }
});

const endless = Object.fromEntries(
  Array.from({ length: 4000 }, (_, index) => [`c${index}`, { $ref: `#/$defs/c${index + 1}` }]),
);

const hostile: [string, Record<string, unknown>, string][] = [
  ['a reference to elsewhere', { $ref: 'https://example.com/schema.json' }, "can't resolve reference"],
  ['a pattern that is none', { properties: { a: { pattern: '(' } } }, 'Invalid regular expression'],
  ['a keyword of the wrong kind', { properties: [] }, 'not a valid JSON Schema'],
  ['an unknown draft', { $schema: 'https://example.com/draft' }, 'not a valid JSON Schema'],
  ['payloads that are no objects', { type: 'array' }, 'payloads are objects'],
  ['asynchronous checks', { $async: true, type: 'object' }, "'$async' is not supported"],
  [
    'references in a circle',
    { $defs: { a: { $ref: '#/$defs/b' }, b: { $ref: '#/$defs/a' } }, $ref: '#/$defs/a' },
    'not a valid JSON Schema',
  ],
  ['a chain of 4000 references', { $defs: { ...endless, c4000: {} }, $ref: '#/$defs/c0' }, 'not a valid JSON Schema'],
  ['more than 200,000 bytes', { description: 'x'.repeat(200_001) }, 'larger than 200000 bytes'],
];

test.each(hostile)('T405 a schema with %s is refused, and says why', async (_, schema, reason) => {
  const { call } = await workspace();
  const refused = await call('define_document_type', { documentType: 'note', schema });
  expect(refused).toMatchObject({ error_type: 'invalid_argument', error: expect.stringMatching(/^schema: /) });
  expect(refused.error).toContain(reason);
  expect((await call('list_document_types')).types).toHaveLength(2);
});

test('T405 a schema that is no object is an error of parsing', async () => {
  const { call } = await workspace();
  for (const schema of [true, 'object', [], null]) {
    const refused = await call('define_document_type', { documentType: 'note', schema });
    expect(refused).toMatchObject({ error_type: 'invalid_argument', error: expect.stringMatching(/^schema: /) });
  }
});

test('T406 a schema may refer to itself', async () => {
  const { call } = await workspace();
  const schema = { ...noteSchema, properties: { name: { type: 'string' }, part: { $ref: '#' } } };
  expect(await call('define_document_type', { documentType: 'note', schema })).toMatchObject({ created: true });
  const { version } = await call('list_document_types');
  const add = (payloadProps: object) =>
    call('add_child', { parentNodeId: 'library', payloadType: 'note', payloadProps, version });
  expect(await add({ name: 'a', part: { name: 'b', part: {} } })).toMatchObject({
    error_type: 'invalid_argument',
    violations: [{ path: 'part.part.name', message: 'is required' }],
  });
  expect(await add({ name: 'a', part: { name: 'b' } })).toMatchObject({ success: true });
});

test('T407 only an owner changes a type; defining it as it is succeeds for all', async () => {
  const { call } = await workspace();
  const definition = {
    documentType: 'note',
    schema: noteSchema,
    protectedPaths: ['a', 'b'],
    allowedParents: ['folder', 'library'],
  };
  await call('define_document_type', definition, 'editor');
  const turned = { ...definition, protectedPaths: ['b', 'a', 'a'], allowedParents: ['library', 'folder'] };
  expect(await call('define_document_type', turned, 'editor')).toMatchObject({ success: true, created: false });
  const others = [
    { documentType: 'note' },
    { ...definition, protectedPaths: [] },
    { ...definition, allowedParents: ['folder'] },
    { ...definition, schema: { type: 'object' } },
  ];
  for (const other of others) {
    expect(await call('define_document_type', other, 'editor')).toMatchObject({ error_type: 'forbidden' });
    expect(await call('define_document_type', other, 'owner')).toMatchObject({ success: true, created: false });
    await call('define_document_type', definition, 'owner');
  }
  expect(await call('define_document_type', { documentType: 'other' }, 'reader')).toMatchObject({
    error_type: 'forbidden',
  });
});

test('T408 nodes that no longer fit a changed type stay, and are counted once each', async () => {
  const { call } = await workspace();
  await call('define_document_type', { documentType: 'note' });
  for (const payload of [{}, { name: 1, size: 'x' }, { name: 'fits' }]) await addNote(call, payload);
  const schema = { ...noteSchema, properties: { ...noteSchema.properties, size: { type: 'number' } } };
  const changed = await call('define_document_type', { documentType: 'note', schema });
  expect(changed).toMatchObject({ success: true, created: false, nonconforming: 2 });
  const moved = await call('define_document_type', { documentType: 'note', schema, allowedParents: ['folder'] });
  expect(moved).toMatchObject({ nonconforming: 3 });
  expect(((await call('validate_tree', { rulesetId: 'schema' })).violations as unknown[]).length).toBe(3);
});

test('T409 a dry run defines nothing, and a repeated call with a key gets the first answer', async () => {
  const { call } = await workspace();
  const definition = { documentType: 'note', schema: noteSchema };
  expect(await call('define_document_type', { ...definition, dryRun: true })).toMatchObject({
    created: true,
    dryRun: true,
  });
  const first = await call('define_document_type', { ...definition, idempotencyKey: 'k' });
  expect(first).toMatchObject({ created: true });
  expect(await call('define_document_type', { ...definition, idempotencyKey: 'k' })).toEqual(first);
});
