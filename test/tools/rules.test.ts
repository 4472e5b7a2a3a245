import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { scratchFolder } from '../support/scratch.js';
import { addNote, noteSchema, workspace } from './rules-workspace.js';

test('T420 validate_tree checks structure: a healthy tree has no violations, a damaged one is told node by node', async () => {
  const { call, damage } = await workspace();
  await call('define_document_type', { documentType: 'note', schema: noteSchema });
  const nodeId = await addNote(call, { name: 'one' });
  const { version } = await call('list_document_types');
  const healthy = { success: true, violations: [], version };
  expect(await call('validate_tree', { rulesetId: 'structure' }, 'reader')).toEqual(healthy);
  expect(await call('validate_tree', { rulesetId: 'schema' }, 'reader')).toEqual(healthy);
  damage(`UPDATE nodes SET parent_id = 'gone' WHERE id = '${nodeId}'`, "UPDATE payloads SET data = '{'");
  const orphan = { nodeId, path: 'parent', message: "its parent 'gone' is missing" };
  expect(await call('validate_tree', { rulesetId: 'structure' })).toMatchObject({
    violations: [orphan, { nodeId: 'library', path: 'childrenCount' }],
  });
  expect(await call('lint_payload', { nodeId, rulesetId: 'structure' })).toMatchObject({ violations: [orphan] });
  expect(await call('lint_payload', { nodeId, rulesetId: 'schema' })).toMatchObject({
    violations: [{ nodeId, path: '', message: 'the payload is not a JSON object' }],
  });
});

test('T421 Validation and linting: lint_payload checks payload formatting, with paths and messages', async () => {
  const { call } = await workspace();
  await call('define_document_type', { documentType: 'note' });
  const nodeId = await addNote(call, { name: 7 });
  await call('define_document_type', { documentType: 'note', schema: noteSchema });
  expect(await call('lint_payload', { nodeId, rulesetId: 'schema' }, 'reader')).toMatchObject({
    success: true,
    violations: [{ nodeId, path: 'name', message: 'must be string' }],
    version: expect.any(String),
  });
  expect(await call('lint_payload', { nodeId: 'library', rulesetId: 'schema' })).toMatchObject({ violations: [] });
});

test('T422 an unknown node is not_found', async () => {
  const { call } = await workspace();
  expect(await call('lint_payload', { nodeId: 'nobody', rulesetId: 'schema' })).toMatchObject({
    error_type: 'not_found',
    error: "Invalid nodeId 'nobody': node not found",
  });
  expect(await call('validate_tree', { rootNodeId: 'nobody', rulesetId: 'schema' })).toMatchObject({
    error_type: 'not_found',
    error: "Invalid rootNodeId 'nobody': node not found",
  });
});

const rulesets = {
  house: {
    description: 'How we write.',
    rules: [{ type: 'note', required: ['author'], patterns: { name: '^[A-Z]' } }],
  },
};

function projectWith(content: unknown): string {
  const folder = scratchFolder();
  writeFileSync(path.join(folder, 'context.json'), typeof content === 'string' ? content : JSON.stringify(content));
  return folder;
}

test('T423 a ruleset of the project file is found in the folder or above it', async () => {
  const folder = projectWith({ rulesets, collections: {} });
  const below = path.join(folder, 'deep', 'er');
  mkdirSync(path.join(below, 'context.json'), { recursive: true });
  for (const project of [folder, below]) {
    const { call } = await workspace(project);
    await call('define_document_type', { documentType: 'note' });
    const nodeId = await addNote(call, { name: 'small' });
    const violations = [
      { nodeId, path: 'author', message: 'is required' },
      { nodeId, path: 'name', message: 'must match ^[A-Z]' },
    ];
    expect(await call('validate_tree', { rulesetId: 'house' })).toMatchObject({ success: true, violations });
    expect(await call('lint_payload', { rulesetId: 'house', nodeId })).toMatchObject({ success: true, violations });
    expect(await call('validate_tree', { rulesetId: 'house', rootNodeId: nodeId })).toMatchObject({ violations });
  }
});

test('T424 an unknown ruleset is not_found, and the instruction lists those there are', async () => {
  const projects = [undefined, scratchFolder(), projectWith({}), projectWith({ rulesets })];
  for (const project of projects) {
    const { call } = await workspace(project);
    const missing = await call('validate_tree', { rulesetId: 'office' });
    expect(missing).toMatchObject({ error_type: 'not_found', error: "Invalid rulesetId 'office': ruleset not found" });
    const known = project === projects[3] ? 'structure, schema, house' : 'structure, schema';
    expect(missing.instruction).toContain(`Use one of ${known},`);
  }
});

const broken: [string, unknown, string][] = [
  ['is no JSON', '{', 'context.json: not JSON'],
  ['is no object', [], 'context.json: not a JSON object'],
  [
    'has a broken pattern',
    { rulesets: { house: { rules: [{ patterns: { a: '[' } }] } } },
    'rulesets.house.rules.0.patterns.a: ',
  ],
  ['has rulesets of another kind', { rulesets: [] }, 'rulesets: '],
];

test.each(broken)('T425 a project file that %s is invalid_argument with the place', async (_, content, message) => {
  const { call } = await workspace(projectWith(content));
  const refused = await call('validate_tree', { rulesetId: 'house' });
  expect(refused).toMatchObject({ error_type: 'invalid_argument', error: expect.stringContaining(message) });
  expect(await call('validate_tree', { rulesetId: 'structure' })).toMatchObject({ success: true });
});

test('T426 more than 1000 violations are cut short, and the answer says so', async () => {
  const { call, damage } = await workspace();
  damage(
    `WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 1001)
     INSERT INTO nodes (id, parent_id, rank, type, name, status, since, changed, children_changed)
     SELECT 'lost-' || n, 'gone', n, 'folder', 'lost', 'active', 0, 0, 0 FROM numbers`,
  );
  const answer = await call('validate_tree', { rulesetId: 'structure' });
  expect(answer).toMatchObject({ success: true, truncated: true });
  expect(answer.violations).toHaveLength(1000);
});
