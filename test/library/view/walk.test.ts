import fc from 'fast-check';
import { expect, test } from 'vitest';
import { factor } from '../../support/effort.js';
import { type Agent, onLibrary, type Shown } from './agent.js';
import { build, everyone, joined, listed, type Plain, pickOne, seeds } from './trees.js';

/** All pages of a view or a subtree. */
async function pagesOf(agent: Agent, tool: 'get_view' | 'get_subtree', id: string, size: number, more = {}) {
  const pages: Shown[] = [];
  const sizes: number[] = [];
  let token: unknown;
  do {
    const paging = { pageSize: size, ...(token !== undefined && { pageToken: token }) };
    const answer = await agent.run(
      tool,
      tool === 'get_view' ? { rootNodeId: id, ...more, ...paging } : { nodeId: id, ...more, paging },
    );
    const page = (answer.view ?? answer.subtree) as Shown;
    pages.push(page);
    sizes.push(listed(page).length);
    token = answer.nextPageToken;
  } while (token !== undefined);
  return { pages, sizes };
}

/** What a subtree looks like, by the naive copy. */
const expected = ({ id, type, payload, children }: Plain, deepest: number): Shown => ({
  nodeId: id,
  payloadType: type,
  payload,
  childrenCount: children.length,
  ...(deepest === 0 && children.length > 0
    ? { depthLimited: true as const }
    : { children: children.map((child) => expected(child, deepest - 1)) }),
});

test('T220 T221 Depth and pagination: pages of any size and depth put together are the whole, each node on one page', async () => {
  await fc.assert(
    fc.asyncProperty(seeds(), fc.nat(1000), fc.integer({ min: 1, max: 7 }), fc.nat(4), (all, pick, size, depth) =>
      onLibrary(async (library) => {
        const agent = library.agent();
        const root = pickOne(await build(agent, all), pick);
        const whole = expected(root, depth);
        const { pages, sizes } = await pagesOf(agent, 'get_subtree', root.id, size, { depthLimit: depth });
        expect(joined(pages)).toEqual(whole);
        expect(sizes.slice(0, -1).every((count) => count === size)).toBe(true);
        expect(sizes.at(-1)).toBeGreaterThan(0);
        const seen = pages.flatMap(listed).map(({ nodeId }) => nodeId);
        expect(seen).toEqual(listed(whole).map(({ nodeId }) => nodeId));
      }),
    ),
    { numRuns: 60 * factor },
  );
});

/** Changes that another makes between pages: it adds a folder, turns the order around, and removes everything. */
const disturbances: ((other: Agent, library: Plain) => Promise<unknown>)[] = [
  (other) => other.add('library', 'folder', { name: 'new' }),
  (other, { children }) => {
    const turned = children.map(({ id, type, payload }) => ({ nodeId: id, payloadType: type, payload })).reverse();
    return merge(other, turned, 'upsert');
  },
  (other) => merge(other, [], 'replace'),
];

const merge = (agent: Agent, children: unknown[], strategy: string) =>
  agent.run('import_merge', {
    json: { nodeId: 'library', payloadType: 'library', payload: {}, children },
    strategy,
    matchBy: 'nodeId',
  });

test('T222 later pages show the tree as of the first, while another adds, reorders and removes', async () => {
  const listings = [
    { tool: 'get_view', rootNodeId: 'library', size: 'pageSize' },
    { tool: 'list_children', nodeId: 'library', size: 'limit' },
  ];
  await fc.assert(
    fc.asyncProperty(
      seeds(),
      fc.nat(2),
      fc.integer({ min: 1, max: 5 }),
      fc.constantFrom(...listings),
      (all, turn, most, listing) =>
        onLibrary(async (library) => {
          const agent = library.agent();
          const root = await build(agent, all);
          const { tool, size, ...named } = listing;
          const seen: string[] = [];
          let token: unknown;
          for (let round = turn; round === turn || token !== undefined; round++) {
            const more = token === undefined ? {} : { pageToken: token };
            const answer = await agent.run(tool, { ...named, [size]: most, ...more });
            const shown = (answer.children ?? listed(answer.view as Shown)) as Shown[];
            seen.push(...shown.map(({ nodeId }) => nodeId));
            token = answer.nextPageToken;
            await disturbances[round % disturbances.length]?.(library.agent('bob'), root);
          }
          const expectedNodes = tool === 'get_view' ? everyone(root) : root.children;
          expect(seen).toEqual(expectedNodes.map(({ id }) => id));
        }),
    ),
    { numRuns: 60 * factor },
  );
});

test('T223 a page token is bound to its agent and its query', async () => {
  await onLibrary(async (library) => {
    const agent = library.agent();
    for (const name of ['a', 'b', 'c']) await agent.add('library', 'folder', { name });
    const { nextPageToken: pageToken } = await agent.run('get_view', { rootNodeId: 'library', pageSize: 2 });
    const again = { rootNodeId: 'library', pageToken };
    expect((await library.agent('bob').fail('get_view', again)).error_type).toBe('invalid_argument');
    expect((await agent.fail('get_view', { ...again, depthLimit: 1 })).error_type).toBe('invalid_argument');
    expect((await agent.fail('get_view', { ...again, pageToken: 'made up' })).error).toContain('pageToken');
    expect((await agent.fail('get_subtree', { nodeId: 'library', paging: { pageToken } })).error).toContain(
      'pageToken',
    );
    // The size of a page may differ from page to page.
    const rest = await agent.run('get_view', { ...again, pageSize: 1 });
    expect(listed(rest.view as Shown)).toHaveLength(1);
  });
});

/** A chain below the library, or a row of children, straight into the tables. */
async function setUpMany(agent: Agent, shape: 'chain' | 'row', count: number): Promise<void> {
  const parent = shape === 'chain' ? `CASE i WHEN 1 THEN 'library' ELSE 'n' || (i - 1) END` : `'library'`;
  await agent.run('set_up_rows', {
    statements: [
      `INSERT INTO nodes (id, parent_id, rank, type, name, status, since, changed, children_changed, child_count)
       WITH RECURSIVE count (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM count WHERE i < ${count})
       SELECT 'n' || i, ${parent}, printf('a%08d', i), 'folder', 'folder ' || i, 'active', 0, 0, 0,
         ${shape === 'chain' ? `i < ${count}` : '0'} FROM count`,
      `UPDATE nodes SET child_count = ${shape === 'chain' ? 1 : count} WHERE id = 'library'`,
    ],
  });
}

test('T224 a chain of 100,000 nodes breaks nothing: answers stop at 60 levels and say so', async () => {
  await onLibrary(async (library) => {
    const agent = library.agent();
    await setUpMany(agent, 'chain', 100_000);
    await agent.run('expand_all', { rootNodeId: 'library' });
    const inside = await agent.run('get_view', { rootNodeId: 'n50000', pageSize: 200 });
    const line = listed(inside.view as Shown);
    expect(line.map(({ nodeId }) => nodeId)).toEqual(Array.from({ length: 61 }, (_, index) => `n${50_000 + index}`));
    expect(line.at(-1)).toMatchObject({ depthLimited: true, isExpanded: true, childrenCount: 1 });
    expect(line.at(-1)).not.toHaveProperty('children');
    expect(inside.nextPageToken).toBeUndefined();

    const { pages } = await pagesOf(agent, 'get_subtree', 'n99990', 3);
    expect(listed(joined(pages))).toHaveLength(11);
    const { path } = await agent.run('get_path', { nodeId: 'n100000' });
    expect(path).toHaveLength(100_001);
    expect((path as unknown[]).at(-1)).toEqual({ nodeId: 'n100000', name: 'folder 100000', depth: 100_000 });
    await agent.run('collapse_node', { nodeId: 'n50000' });
    expect((await agent.run('toggle_node', { nodeId: 'n99999' })).isExpanded).toBe(false);
    for (const tool of ['export_subtree', 'export_view']) {
      const failure = await agent.fail(tool, { [tool === 'export_view' ? 'rootNodeId' : 'nodeId']: 'n1' });
      expect(failure).toMatchObject({ error_type: 'invalid_argument', error: expect.stringContaining('60 levels') });
    }
  });
});

test('T225 a page of a node with 100,000 children reads the children of that page, not all', async () => {
  await onLibrary(async (library) => {
    const agent = library.agent();
    await setUpMany(agent, 'row', 100_000);
    const first = await agent.run('get_view', { rootNodeId: 'library', pageSize: 200 });
    expect(listed(first.view as Shown)).toHaveLength(200);
    const again = { rootNodeId: 'library', pageSize: 200, pageToken: first.nextPageToken };
    const second = await agent.run('get_view', again);
    expect(listed(second.view as Shown).map(({ nodeId }) => nodeId)).toEqual(
      Array.from({ length: 200 }, (_, index) => `n${200 + index}`),
    );
    const { rows } = await agent.run('count_rows', { rootNodeId: 'library', pageSize: 50 });
    expect(rows).toBeLessThan(100);
    const failure = await agent.fail('export_subtree', { nodeId: 'library' });
    expect(failure).toMatchObject({ error_type: 'invalid_argument', error: expect.stringContaining('10000 nodes') });
    expect(failure).toMatchObject({ instruction: expect.stringContaining('get_subtree') });
  });
});

test('T226 atVersion shows a view and a subtree as they were, page by page', async () => {
  await onLibrary(async (library) => {
    const agent = library.agent();
    await agent.add('library', 'folder', { name: 'first' });
    const id = await agent.add('library', 'folder', { name: 'second' });
    const { version: atVersion } = await agent.run('get_path', { nodeId: id });
    await agent.add(id, 'note', { name: 'later' });
    const { pages } = await pagesOf(agent, 'get_view', 'library', 2, { atVersion });
    expect(listed(joined(pages)).map(({ payload }) => payload.name)).toEqual([undefined, 'first', 'second']);
    expect(listed(joined(pages)).at(-1)).toMatchObject({ childrenCount: 0 });
    const then = await agent.run('get_subtree', { nodeId: id, atVersion });
    expect(then).toMatchObject({ version: atVersion, subtree: { childrenCount: 0, children: [] } });
    expect((await agent.run('get_subtree', { nodeId: id })).subtree).toMatchObject({ childrenCount: 1 });
    const early = await agent.fail('get_view', { rootNodeId: id, atVersion: 'r0' });
    expect(early.error_type).toBe('not_found');
  });
});

test('T227 atVersion gives what was there then, with the numbers of children, after any changes', async () => {
  await fc.assert(
    fc.asyncProperty(seeds(12), fc.array(fc.nat(2), { maxLength: 5 }), (all, rounds) =>
      onLibrary(async (library) => {
        const agent = library.agent();
        const past: Record<string, unknown>[] = [];
        const root = await build(agent, all);
        const remember = async () => past.push(await agent.run('export_subtree', { nodeId: 'library' }));
        await remember();
        for (const round of rounds) {
          await disturbances[round]?.(agent, root);
          await remember();
        }
        for (const { subtree, version } of past) {
          const input = { nodeId: 'library', atVersion: version, paging: { pageSize: 200 } };
          expect(await agent.run('get_subtree', input)).toEqual({ subtree, version });
        }
      }),
    ),
    { numRuns: 40 * factor },
  );
});
