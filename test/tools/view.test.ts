import { expect, test } from 'vitest';
import { saveType } from '../../src/library/tree/types.js';
import { openDatabase } from '../../src/storage/open.js';
import type { Tool } from '../../src/tools/define.js';
import { tools } from '../../src/tools/index.js';
import { addChild } from '../../src/tools/tree/add-child.js';
import type { Session, SessionOptions } from '../../src/workspace.js';
import { onLibrary, type Shown, viewTools } from '../library/view/agent.js';
import { scratchWorkspace } from '../support/scratch.js';

type Answer = Record<string, unknown>;

const known = new Set(tools.map(({ name }) => name));
const served: readonly Tool[] = [...tools, ...[...viewTools, addChild].filter(({ name }) => !known.has(name))];

/** The example library on a database file: projects with guides and a note in it, and an archive. */
async function exampleLibrary(options: SessionOptions = {}) {
  const workspace = await scratchWorkspace({ tools: served });
  const database = await openDatabase({ location: workspace.location });
  await database.write((sql) =>
    saveType(sql, { name: 'note', schema: null, protectedPaths: [], allowedParents: null }),
  );
  await database.close();
  const session = workspace.session(options);
  const owner = workspace.session({ agent: 'owner', role: 'owner' });
  const note = { nodeId: 'style', payloadType: 'note', payload: { name: 'Style', stars: 3, tags: ['writing'] } };
  const folder = (nodeId: string, name: string, children: object[] = []) => ({
    nodeId,
    payloadType: 'folder',
    payload: { name },
    children,
  });
  const children = [folder('projects', 'Projects', [folder('guides', 'Guides', [note])]), folder('archive', 'Archive')];
  const viewJson = { nodeId: 'library', payloadType: 'library', payload: {}, children };
  await call(owner, 'import_view', { viewJson, payloadTypes: {}, rootLookupStrategy: 'byId', version: 'r0' });
  return session;
}

async function call(session: Session, name: string, input: Answer): Promise<Answer> {
  const answer = await session.callUntyped(name, input);
  expect(answer).toMatchObject({ success: true });
  return answer;
}

test('T200 Path retrieval: get_path returns nodeIds and names, from the root down with depths', async () => {
  const session = await exampleLibrary();
  expect(await call(session, 'get_path', { nodeId: 'style' })).toEqual({
    success: true,
    path: [
      { nodeId: 'library', depth: 0 },
      { nodeId: 'projects', name: 'Projects', depth: 1 },
      { nodeId: 'guides', name: 'Guides', depth: 2 },
      { nodeId: 'style', name: 'Style', depth: 3 },
    ],
    version: 'r1',
  });
  expect(await session.callUntyped('get_path', { nodeId: 'nowhere' })).toMatchObject({
    success: false,
    error_type: 'not_found',
    error: "Invalid nodeId 'nowhere': node not found",
  });
});

test('T201 list_children lists children in order, page by page, collapsed ones too', async () => {
  const session = await exampleLibrary();
  await call(session, 'collapse_all', { rootNodeId: 'library', version: 'r1' });
  const first = await call(session, 'list_children', { nodeId: 'library', limit: 1 });
  expect(first).toMatchObject({
    children: [{ nodeId: 'projects', payloadType: 'folder', payload: { name: 'Projects' }, childrenCount: 1 }],
    version: 'r1',
    nextPageToken: expect.any(String),
  });
  const second = await call(session, 'list_children', { nodeId: 'library', pageToken: first.nextPageToken });
  expect(second).toMatchObject({ children: [{ nodeId: 'archive', childrenCount: 0 }] });
  expect(second.nextPageToken).toBeUndefined();
  const other = { nodeId: 'projects', pageToken: first.nextPageToken };
  expect(await session.callUntyped('list_children', other)).toMatchObject({ error_type: 'invalid_argument' });
  expect(await session.callUntyped('list_children', { nodeId: 'no' })).toMatchObject({ error_type: 'not_found' });
});

test('T202 Read tree structure: a view has the asked depth and properties, JSON output shaping and limits', async () => {
  const session = await exampleLibrary();
  const input = { rootNodeId: 'projects', depthLimit: 1, includedProperties: ['name'], includeViewRoot: true };
  expect(await call(session, 'get_view', input)).toEqual({
    success: true,
    view: {
      rootNodeId: 'projects',
      includedProperties: ['name'],
      excludedProperties: [],
      defaultExpanded: true,
      root: {
        nodeId: 'projects',
        payloadType: 'folder',
        payload: { name: 'Projects' },
        isExpanded: true,
        childrenCount: 1,
        children: [
          {
            nodeId: 'guides',
            payloadType: 'folder',
            payload: { name: 'Guides' },
            isExpanded: true,
            childrenCount: 1,
            depthLimited: true,
          },
        ],
      },
    },
    version: 'r1',
  });
  for (const wrong of [{ pageSize: 0 }, { pageSize: 201 }, { depthLimit: -1 }, { includedProperties: ['a..b'] }]) {
    const answer = await session.callUntyped('get_view', { rootNodeId: 'library', ...wrong });
    expect(answer).toMatchObject({
      error_type: 'invalid_argument',
      error: expect.stringContaining(Object.keys(wrong)[0] as string),
    });
  }
});

test('T203 Expand and collapse operations change what the agent sees, and nothing else', async () => {
  const session = await exampleLibrary();
  const view = async () => (await call(session, 'get_view', { rootNodeId: 'projects' })).view as Shown;
  const collapsed = await call(session, 'collapse_node', { nodeId: 'projects', version: 'r1' });
  expect(collapsed).toEqual({ success: true, nodeIds: ['projects'], version: 'r1', isExpanded: false });
  expect(await view()).toMatchObject({ isExpanded: false, childrenCount: 1 });
  expect(await view()).not.toHaveProperty('children');
  const toggled = await call(session, 'toggle_node', { nodeId: 'projects', version: 'r1' });
  expect(toggled).toMatchObject({ isExpanded: true });
  expect((await view()).children).toHaveLength(1);
  expect(await session.callUntyped('expand_node', { nodeId: 'projects' })).toMatchObject({ error_type: 'conflict' });
});

test('T204 Subtree retrieval with pruning: get_subtree respects depth and filters, and paging', async () => {
  const session = await exampleLibrary();
  await call(session, 'collapse_all', { rootNodeId: 'library', version: 'r1' });
  const input = { nodeId: 'library', depthLimit: 2, filters: { excluded: ['status'] }, paging: { pageSize: 2 } };
  const first = await call(session, 'get_subtree', input);
  const plain = { payloadType: 'folder', childrenCount: 1 };
  expect(first.subtree).toEqual({
    nodeId: 'library',
    payloadType: 'library',
    payload: {},
    childrenCount: 2,
    children: [{ ...plain, nodeId: 'projects', payload: { name: 'Projects' }, children: [] }],
  });
  const pageToken = first.nextPageToken;
  const second = await call(session, 'get_subtree', { ...input, paging: { pageToken } });
  expect(second.subtree).toEqual({
    continues: 'library',
    children: [
      {
        continues: 'projects',
        children: [{ ...plain, nodeId: 'guides', payload: { name: 'Guides' }, depthLimited: true }],
      },
      { ...plain, nodeId: 'archive', payload: { name: 'Archive' }, childrenCount: 0, children: [] },
    ],
  });
  const wrong = await session.callUntyped('get_subtree', { nodeId: 'library', filters: { include: ['name'] } });
  expect(wrong).toMatchObject({ error_type: 'invalid_argument', error: expect.stringContaining('filters.include') });
});

test('T205 Export/import enhancements: export_subtree serializes subtree, and import_merge brings it back', async () => {
  const session = await exampleLibrary();
  const { subtree } = await call(session, 'export_subtree', { nodeId: 'guides' });
  expect(subtree).toEqual({
    nodeId: 'guides',
    payloadType: 'folder',
    payload: { name: 'Guides', status: 'active' },
    childrenCount: 1,
    children: [
      {
        nodeId: 'style',
        payloadType: 'note',
        payload: { name: 'Style', stars: 3, tags: ['writing'] },
        childrenCount: 0,
        children: [],
      },
    ],
  });
  const wrapped = await call(session, 'export_subtree', { nodeId: 'guides', includeViewRoot: true });
  expect(wrapped.subtree).toEqual({ rootNodeId: 'guides', root: subtree });
  const json = { nodeId: 'guides', payloadType: 'folder', payload: { name: 'Guides' }, children: [] };
  const input = { strategy: 'replace', matchBy: 'nodeId' };
  const emptied = await call(session, 'import_merge', { json, ...input, version: 'r1' });
  expect(emptied).toMatchObject({ removed: ['style'], nodeIds: ['style'], version: 'r2' });
  const back = await call(session, 'import_merge', { json: subtree, ...input, version: 'r2' });
  expect(back).toMatchObject({ created: ['style'], updated: [], removed: [], skipped: ['guides'] });
  expect((await call(session, 'export_subtree', { nodeId: 'guides' })).subtree).toEqual(subtree);
});

test('T206 every tool of views works with its example', async () => {
  for (const tool of viewTools) {
    const session = await exampleLibrary();
    const version = tool.versionRule === 'required' ? { version: 'r1' } : {};
    await call(session, tool.name, { ...tool.example.input, ...version });
  }
});

test('T207 Read-only tools are for readers, and mutation tools are not', async () => {
  const session = await exampleLibrary({ agent: 'eve', role: 'reader' });
  for (const tool of viewTools) {
    const answer = await session.callUntyped(tool.name, tool.example.input);
    expect(answer).toMatchObject(tool.effect === 'read' ? { success: true } : { error_type: 'forbidden' });
  }
});

test('T208 Idempotency keys and dry runs hold for imports: one key imports once, a rehearsal not at all', async () => {
  await onLibrary(async (library) => {
    const agent = library.agent();
    const json = { payloadType: 'folder', payload: { name: 'once' }, children: [] };
    const input = { viewJson: json, payloadTypes: {}, rootLookupStrategy: 'create', version: 'r0' };
    await agent.run('import_view', { ...input, dryRun: true });
    const first = await agent.run('import_view', { ...input, idempotencyKey: 'k' });
    expect(await agent.run('import_view', { ...input, idempotencyKey: 'k' })).toEqual(first);
    const { children } = await agent.run('list_children', { nodeId: 'library' });
    expect(children).toHaveLength(1);
  });
});
