/** The tools of context through MCP: the collections of a project. */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { addFiles } from '../support/files.js';
import { toolNames } from '../support/mcp.js';
import { scratchFolder, scratchWorkspace } from '../support/scratch.js';
import { clientIn, clientOf, docs, type InClient } from './context-client.js';

const files = { 'docs/a.md': '# Apple\n\nRed.', 'docs/b.md': '# Pear\n\nGreen.' };
const declared = ({ folder }: InClient) =>
  JSON.parse(readFileSync(path.join(folder, 'context.json'), 'utf8')).collections;

test('C550 collection_list answers source, status, documents, id and the version of the project file', async () => {
  const project = await clientIn({ docs: { ...docs, description: 'Ours' } }, { files });
  const one = { name: 'docs', type: 'file', source: './docs (**/*.md)', description: 'Ours', error: null };
  expect(await project.call('collection_list')).toEqual({
    success: true,
    version: expect.stringMatching(/^[0-9a-f]{64}$/),
    collections: [
      { ...one, status: 'not synced', documents: 0, lastSyncAt: null, version: null, id: expect.any(String) },
    ],
  });
  await project.call('collection_sync');
  expect(await project.call('collection_list')).toMatchObject({
    collections: [{ ...one, status: 'synced', documents: 2, lastSyncAt: expect.any(String) }],
  });
  addFiles(project.folder, { 'docs/c.md': '# Cherry' });
  expect(await project.call('collection_list')).toMatchObject({ collections: [{ status: 'stale' }] });
});

test('C551 collection_add writes the entry, and answers the id that its documents are stored under', async () => {
  const project = await clientIn({});
  const file = await project.call('collection_add', { name: 'docs', path: './docs', glob: '*.md' });
  expect(file).toMatchObject({
    success: true,
    value: { name: 'docs', type: 'file' },
    id: expect.stringMatching(/^file:[0-9a-f]{64}$/),
  });
  const url = 'HTTPS://Docs.test:443/v1/../v2/manifest.json#top';
  const pkg = await project.call('collection_add', { name: 'far', url, description: 'Theirs' });
  expect(pkg).toMatchObject({ value: { type: 'pkg' }, id: 'pkg:https://docs.test/v2/manifest.json' });
  expect(declared(project)).toEqual({
    docs: { ...docs, glob: '*.md' },
    far: { type: 'pkg', url, description: 'Theirs' },
  });
  expect(pkg.version).toBe((await project.call('collection_list')).version);
});

test.each([
  { input: { name: 'x', glob: '*' }, error: "glob '*' is of no use without path" },
  { input: { name: 'x', path: 'a', url: 'https://docs.test/m.json' }, error: "Give either path or url for 'x'" },
  { input: { name: 'x', url: 'https://docs.test/m.json', glob: '*' }, error: "glob '*' is of no use with url" },
  { input: { name: 'docs', path: 'a' }, type: 'already_exists', error: "A collection 'docs' exists already" },
  { input: { name: 'docs', path: 'a', dryRun: true }, type: 'already_exists', error: "A collection 'docs' exists" },
  { input: { name: '-x', path: 'a' }, type: 'invalid_name', error: "Name '-x'" },
])('C551 collection_add refuses $input', async ({ input, error, type = 'invalid_argument' }) => {
  const project = await clientIn({ docs });
  expect(await project.call('collection_add', input)).toMatchObject({
    success: false,
    error_type: type,
    error: expect.stringContaining(error),
    instruction: expect.any(String),
  });
  expect(declared(project)).toEqual({ docs });
});

test('C552 a rehearsal of collection_add, collection_remove and project_init changes nothing', async () => {
  const project = await clientIn({ docs }, { files });
  await project.call('collection_sync');
  const before = await project.call('collection_list');
  expect(await project.call('collection_add', { name: 'new', path: 'new', dryRun: true })).toMatchObject({
    success: true,
    dryRun: true,
    version: before.version,
  });
  expect(await project.call('collection_remove', { name: 'docs', drop: true, dryRun: true })).toMatchObject({
    dropped: true,
    dryRun: true,
  });
  expect(await project.call('project_init', { force: true, dryRun: true })).toMatchObject({ dryRun: true });
  expect(await project.call('project_init', { dryRun: true })).toMatchObject({ error_type: 'conflict' });
  expect(await project.call('collection_list')).toEqual(before);
});

test('C553 collection_add with an idempotencyKey happens once', async () => {
  const project = await clientIn({});
  const input = { name: 'docs', path: './docs', idempotencyKey: 'one' };
  const first = await project.call('collection_add', input);
  expect(first.success).toBe(true);
  await project.call('collection_remove', { name: 'docs' });
  expect(await project.call('collection_add', input)).toEqual(first);
  expect(declared(project)).toEqual({});
  expect(await project.call('collection_add', { ...input, path: './other' })).toMatchObject({
    success: false,
    error_type: 'invalid_argument',
  });
});

test('C554 a change that is based on an old version of the project file is a conflict, and changes nothing', async () => {
  const project = await clientIn({ docs }, { files });
  const { version } = await project.call('collection_list');
  writeFileSync(path.join(project.folder, 'context.json'), JSON.stringify({ collections: { docs, other: docs } }));
  const { version: currentVersion } = await project.call('collection_list');
  const calls = [
    ['collection_add', { name: 'new', path: 'new' }],
    ['collection_add', { name: 'new', path: 'new', dryRun: true }],
    ['collection_remove', { name: 'docs' }],
    ['collection_remove', { name: 'docs', dryRun: true }],
    ['collection_sync', {}],
  ] as const;
  for (const [tool, input] of calls) {
    const answer = await project.call(tool, { ...input, version });
    expect(answer).toMatchObject({ success: false, error_type: 'conflict', currentVersion });
  }
  expect(declared(project)).toEqual({ docs, other: docs });
  expect(await project.call('collection_remove', { name: 'other', version: currentVersion })).toMatchObject({
    success: true,
  });
});

test('C555 collection_remove keeps the documents, and drops them with drop', async () => {
  const project = await clientIn({ docs, twin: docs }, { files });
  await project.call('collection_sync', { name: 'docs' });
  expect(await project.call('collection_remove', { name: 'docs' })).toMatchObject({ success: true, dropped: false });
  expect((await project.call('ref_collections')).collections).toHaveLength(1);
  expect(await project.call('collection_remove', { name: 'twin', drop: true })).toMatchObject({ dropped: true });
  expect((await project.call('ref_collections')).collections).toEqual([]);
  expect(await project.call('collection_remove', { name: 'twin' })).toMatchObject({ error_type: 'not_found' });
});

test('C556 collection_sync answers what it did, and tells its progress', async () => {
  const project = await clientIn({ docs }, { files });
  const progress: { progress: number; total?: number | undefined; message?: string | undefined }[] = [];
  const result = await project.client.callTool(
    { name: 'collection_sync', arguments: { name: 'docs' } },
    { onprogress: (one) => void progress.push(one) },
  );
  expect(result.structuredContent).toMatchObject({
    success: true,
    failed: 0,
    results: [
      {
        name: 'docs',
        type: 'file',
        status: 'synced',
        documents: 2,
        added: ['a.md', 'b.md'],
        counts: { added: 2, updated: 0, removed: 0, unchanged: 0 },
        warnings: [],
      },
    ],
  });
  expect(progress).toContainEqual({ progress: 0, message: 'docs: Listing files' });
  // The client drops a notice that reaches it together with the answer, so the last one may be missing.
  for (const { message } of progress.slice(1)) expect(message).toMatch(/^docs: add: [ab]\.md$/);
});

test('C556 collection_sync tells every document, up to the last', async () => {
  const { folder } = await clientIn({ docs }, { files });
  const session = (await scratchWorkspace()).session({ project: folder });
  const told: unknown[] = [];
  await session.call('collection_sync', {}, { onProgress: (one) => void told.push(one) });
  expect(told[0]).toEqual({ done: 0, message: 'docs: Listing files' });
  expect(told.at(-1)).toEqual({ done: 2, total: 2, message: expect.stringMatching(/^docs: add: [ab]\.md$/) });
});

test('C556 a sync in which every collection fails is an error, with the results beside it', async () => {
  const project = await clientIn({ gone: { ...docs, path: './gone' } });
  const result = await project.client.callTool({ name: 'collection_sync', arguments: {} });
  expect(result.isError).toBe(true);
  expect(result.structuredContent).toMatchObject({
    error_type: 'not_found',
    error: expect.stringContaining('does not exist'),
    results: [{ name: 'gone', status: 'failed' }],
  });
  expect(await project.call('collection_sync', { name: 'nope' })).toMatchObject({ error_type: 'not_found' });
});

test('C556 a rehearsal of collection_sync shows the plan, and stores nothing', async () => {
  const project = await clientIn({ docs }, { files });
  expect(await project.call('collection_sync', { dryRun: true })).toMatchObject({
    dryRun: true,
    results: [{ added: ['a.md', 'b.md'], documents: 2 }],
  });
  expect((await project.call('ref_collections')).collections).toEqual([]);
});

const changing = [
  'collection_add',
  'collection_remove',
  'collection_sync',
  'ref_drop',
  'project_init',
  'collection_pack',
];

test('C557 a reader searches and reads; tools that change are neither listed nor run', async () => {
  const home = scratchFolder();
  const owner = await clientIn({ docs }, { files, home });
  await owner.call('collection_sync');
  const reader = await clientOf(owner.folder, { home, args: ['--role', 'reader'] });
  const names = await toolNames(reader.client);
  expect(names).toEqual(
    expect.arrayContaining(['collection_list', 'ref_search', 'ref_read', 'ref_list', 'ref_outline']),
  );
  for (const tool of changing) expect(names).not.toContain(tool);
  const refused = await reader.client.callTool({ name: 'collection_sync', arguments: {} }).then(
    (result) => (result.structuredContent as { error_type: string }).error_type,
    (thrown) => String(thrown),
  );
  expect(refused).toMatch(/forbidden|not found|unknown/i);
  expect((await reader.call('ref_search', { query: 'apple' })).results).toHaveLength(1);
  expect(await reader.call('collection_list')).toMatchObject({ collections: [{ status: 'synced' }] });
});

test('C558 outside a project, the tools say how to begin', async () => {
  const nowhere = await clientOf(scratchFolder(), {});
  expect(await nowhere.call('collection_sync')).toMatchObject({ error_type: 'not_found' });
  expect(await nowhere.call('collection_list')).toMatchObject({
    error_type: 'no_session',
    instruction: expect.stringContaining('ai-assist collections init'),
  });
  expect(await nowhere.call('ref_search', { query: 'x' })).toMatchObject({ success: true, results: [] });
  expect(await nowhere.call('project_init')).toMatchObject({ success: true });
  expect(await nowhere.call('collection_list')).toMatchObject({ success: true, collections: [] });
});
