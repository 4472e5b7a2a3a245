import { expect, test } from 'vitest';
import { type Answer, idsOf, openLibrary, where } from './query-library.js';

test('T110 Search and navigation: search answers matching nodes with type, payload, number of children and path', async () => {
  const { call, ids } = await openLibrary();
  const found = await call('search', { rootNodeId: 'library', filters: [where('name', 'eq', 'Alpha')] });
  expect(found).toEqual({
    success: true,
    nodes: [
      {
        nodeId: ids.alpha,
        payloadType: 'note',
        payload: { name: 'Alpha', stars: 3, tags: ['x', 'y'], due: '2024-05-01' },
        childrenCount: 0,
        path: [
          { nodeId: 'library', depth: 0 },
          { nodeId: ids.work, name: 'Work', depth: 1 },
          { nodeId: ids.plans, name: 'Plans', depth: 2 },
          { nodeId: ids.alpha, name: 'Alpha', depth: 3 },
        ],
      },
    ],
    version: 'r6',
  });
});

test('T110 Core read tools: search holds all filters, looks at the root too, and goes by id', async () => {
  const { call, write, ids } = await openLibrary();
  const search = async (rootNodeId: string, ...filters: object[]) =>
    idsOf(await call('search', { rootNodeId, filters }));
  expect(await search('library', where('tags', 'contains', 'x'), where('stars', 'eq', 3))).toEqual([ids.alpha]);
  expect(await search('library', where('tags', 'contains', 'x'), where('stars', 'eq', 4))).toEqual([]);
  expect(await search(ids.work, where('name', 'eq', 'Work'))).toEqual([ids.work]);
  expect(await search(ids.plans, where('name', 'contains', 'a'))).toEqual([ids.plans, ids.alpha, ids.beta]);
  expect(await search('library')).toEqual([...Object.values(ids), 'library']);
  expect(await search('library', where('status', 'eq', 'dropped'))).toEqual([ids.old]);
  expect(await write('collapse_all', { rootNodeId: 'library' })).toMatchObject({ success: true });
  expect(await search('library', where('system.hp', 'eq', 3))).toEqual([ids.beta]);
});

test('T111 Read-only tools: what queries show passes the filters that the agent has set', async () => {
  const { call, write, ids } = await openLibrary();
  await write('set_filters', { scope: 'all', included: ['name'], excluded: [] });
  await write('set_filters', { scope: ids.plans, included: ['stars'], excluded: [] });
  const payloads = ({ nodes }: Answer) => nodes.map(({ payload }) => payload);
  const filters = [where('due', 'contains', '2024')];
  expect(payloads(await call('search', { rootNodeId: 'library', filters }))).toEqual([{ stars: 3 }, { name: 'Gamma' }]);
  expect(payloads(await call('select_nodes', { queryDsl: 'note' }))).toEqual([
    { stars: 3 },
    { stars: 5 },
    { name: 'Gamma' },
  ]);
});

test('T112 Depth and pagination: pages stay as they were while others write', async () => {
  const { call, write, add, ids } = await openLibrary();
  const queries: [string, Record<string, unknown>][] = [
    ['search', { rootNodeId: 'library', filters: [where('stars', 'eq', 3)] }],
    ['search_advanced', { rootId: 'library', predicates: where('stars', 'gt', 0) }],
    [
      'search_advanced',
      { rootId: 'library', predicates: where('stars', 'gt', 0), sortBy: [{ path: 'stars', direction: 'desc' }] },
    ],
    ['select_nodes', { queryDsl: 'folder note' }],
    ['select_nodes', { queryDsl: 'note:not(:has(*))' }],
    ['query_by_tag', { tag: 'hot' }],
  ];
  for (let index = 0; index < 5; index++) {
    const nodeId = await add(ids.old, 'note', { name: `More ${index}`, stars: 3 });
    await write('tag_node', { nodeId, tags: ['hot'] });
  }
  for (const [tool, input] of queries) {
    const whole = idsOf(await call(tool, input));
    let page = await call(tool, { ...input, limit: 2 });
    const seen = idsOf(page);
    while (page.nextPageToken) {
      expect(page.nodes).toHaveLength(2);
      await add(ids.old, 'note', { name: 'Later', stars: 3 });
      await write('update_payload', { nodeId: ids.alpha, patch: { stars: seen.length % 3 } });
      page = await call(tool, { ...input, limit: 2, pageToken: page.nextPageToken });
      seen.push(...idsOf(page));
    }
    expect(seen, tool).toEqual(whole);
    await write('update_payload', { nodeId: ids.alpha, patch: { stars: 3 } });
  }
});

test('T113 a page token of another query, another agent or another hand is refused', async () => {
  const { workspace, call } = await openLibrary();
  const input = { rootNodeId: 'library', filters: [], limit: 1 };
  const { nextPageToken: pageToken } = await call('search', input);
  const refused = {
    success: false,
    error_type: 'invalid_argument',
    error: 'pageToken: not a token of this query and this agent',
  };
  expect(await call('search', { ...input, filters: [where('name', 'eq', 'x')], pageToken })).toMatchObject(refused);
  expect(await call('search', { ...input, pageToken: `${pageToken}x` })).toMatchObject(refused);
  expect(await call('search', { ...input, pageToken }, workspace.session({ agent: 'ben' }))).toMatchObject(refused);
  expect(await call('search', { ...input, limit: 3, pageToken })).toMatchObject({ success: true });
});

test('T114 Advanced search: search_advanced supports AND/OR and ranges, sort and pagination', async () => {
  const { call, ids } = await openLibrary();
  const search = async (predicates: unknown, sortBy?: unknown) =>
    idsOf(await call('search_advanced', { rootId: 'library', predicates, ...(sortBy ? { sortBy } : {}) }));
  expect(await search(where('stars', 'between', [1, 3]))).toEqual([ids.alpha, ids.gamma]);
  expect(await search({ and: [where('stars', 'gt', 1), where('stars', 'lt', 5)] })).toEqual([ids.alpha]);
  expect(
    await search({
      or: [where('name', 'eq', 'Old'), { and: [where('stars', 'gt', 2), where('tags', 'contains', 'x')] }],
    }),
  ).toEqual([ids.alpha, ids.old]);
  expect(await search(where('due', 'lt', '2024-06'))).toEqual([ids.alpha]);
  const all = { or: [where('stars', 'gt', 0), where('status', 'contains', '')] };
  expect(await search(all, [{ path: 'stars', direction: 'desc' }, { path: 'name' }])).toEqual([
    ...[ids.beta, ids.alpha, ids.gamma],
    ...[ids.old, ids.plans, ids.work],
  ]);
});

test.each([
  ['predicates.and.1.op: expected one of', { and: [where('a', 'eq', 1), where('a', 'in', 1)] }],
  ['predicates.or: the list is empty', { or: [] }],
  ['predicates.value: expected [low, high]', where('a', 'between', 1)],
])('T115 search_advanced refuses a malformed predicate with the path of the fault: %s', async (error, predicates) => {
  const { call } = await openLibrary();
  const answer = await call('search_advanced', { rootId: 'library', predicates });
  expect(answer).toMatchObject({
    success: false,
    error_type: 'invalid_argument',
    error: expect.stringContaining(error),
  });
});

test('T115 search refuses other operators, a missing value and an unknown root', async () => {
  const { call } = await openLibrary();
  const search = (rootNodeId: string, filter: object) => call('search', { rootNodeId, filters: [filter] });
  const invalid = { success: false, error_type: 'invalid_argument' };
  expect(await search('library', where('a', 'gt', 1))).toMatchObject({
    ...invalid,
    error: expect.stringContaining('filters.0.op'),
  });
  expect(await search('library', { path: 'a', op: 'eq' })).toMatchObject({
    ...invalid,
    error: expect.stringContaining('filters.0.value'),
  });
  expect(await search('library', where('a..b', 'eq', 1))).toMatchObject({
    ...invalid,
    error: expect.stringContaining("filters.0.path: 'a..b' is not a path"),
  });
  expect(await search('nowhere', where('a', 'eq', 1))).toMatchObject({
    success: false,
    error_type: 'not_found',
    error: "Invalid rootNodeId 'nowhere': node not found",
  });
});

test('T135 Node selection DSL: select_nodes parses simple expressions: payload properties and ancestor paths, in tree order', async () => {
  const { call, write, ids } = await openLibrary();
  const select = async (queryDsl: string) => idsOf(await call('select_nodes', { queryDsl }));
  await write('tag_node', { nodeId: ids.beta, tags: ['hot'] });
  await write('move_before', { nodeId: ids.gamma, siblingId: ids.plans });
  expect(await select('note')).toEqual([ids.gamma, ids.alpha, ids.beta]);
  expect(await select('folder[name="Work"] > note')).toEqual([ids.gamma]);
  expect(await select('folder[name="Work"] note[stars>=3]')).toEqual([ids.alpha, ids.beta]);
  expect(await select('note[system.hp="3"]')).toEqual([ids.beta]);
  expect(await select(`#${ids.plans} > .hot`)).toEqual([ids.beta]);
  expect(await select('note:not([due]), folder:empty')).toEqual([ids.beta, ids.old]);
  expect(await select('folder:has(> note[stars<2])')).toEqual([ids.work]);
  expect(await select('note:nth-child(2)')).toEqual([ids.beta]);
  expect(await select(':root')).toEqual(['library']);
});

test('T136 select_nodes refuses a malformed selector, and shows the position', async () => {
  const { call } = await openLibrary();
  expect(await call('select_nodes', { queryDsl: 'folder[name="Work"] > > note' })).toMatchObject({
    success: false,
    error_type: 'invalid_argument',
    error:
      'queryDsl: expected what the combinator leads to at position 23, at the arrow: \'lder[name="Work"] > →> note\'',
    position: 23,
  });
});

test('T140 tag and query by tag: query_by_tag answers the nodes with a tag', async () => {
  const { call, write, ids } = await openLibrary();
  await write('tag_node', { nodeId: ids.beta, tags: ['hot', 'new'] });
  await write('tag_node', { nodeId: ids.work, tags: ['hot'] });
  const found = await call('query_by_tag', { tag: 'hot' });
  expect(idsOf(found)).toEqual([ids.work, ids.beta]);
  expect(found.nodes[1]).toMatchObject({ payloadType: 'note', payload: { name: 'Beta' }, childrenCount: 0 });
  expect(found.nodes[1]?.path.map(({ nodeId }) => nodeId)).toEqual(['library', ids.work, ids.plans, ids.beta]);
  await write('untag_node', { nodeId: ids.beta, tags: ['hot'] });
  expect(idsOf(await call('query_by_tag', { tag: 'hot' }))).toEqual([ids.work]);
  expect(idsOf(await call('query_by_tag', { tag: 'none' }))).toEqual([]);
});
