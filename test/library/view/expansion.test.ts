import fc from 'fast-check';
import { expect, test } from 'vitest';
import { factor } from '../../support/effort.js';
import { type Agent, onLibrary, type Shown } from './agent.js';
import { build, everyone, type Plain, pickOne, seeds } from './trees.js';

/** What an agent sees, written out: one state for each node. */
type Seen = Map<string, boolean>;

type Act = {
  kind: 'expand_node' | 'collapse_node' | 'toggle_node' | 'expand_all' | 'collapse_all' | 'set_expansion_recursive';
  pick: number;
  expanded: boolean;
  maxDepth: number | null;
  agent: 'ann' | 'bob';
};

const acts = fc.array(
  fc.record<Act>({
    kind: fc.constantFrom(
      'expand_node',
      'collapse_node',
      'toggle_node',
      'expand_all',
      'collapse_all',
      'set_expansion_recursive',
    ),
    pick: fc.nat(1000),
    expanded: fc.boolean(),
    maxDepth: fc.option(fc.nat(3)),
    agent: fc.constantFrom('ann', 'bob'),
  }),
  { maxLength: 15 },
);

const within = (root: Plain, levels: number): Plain[] => [
  root,
  ...(levels > 0 ? root.children.flatMap((child) => within(child, levels - 1)) : []),
];

/** Runs an act for real and on the naive states. Without a state, a node is expanded. */
async function act(agent: Agent, seen: Seen, root: Plain, { kind, pick, expanded, maxDepth }: Act): Promise<void> {
  const node = pickOne(root, pick);
  const before = (await agent.run('get_path', { nodeId: 'library' })).version;
  const set = (nodes: readonly Plain[], state: boolean) => {
    for (const { id } of nodes) seen.set(id, state);
  };
  if (kind === 'expand_all' || kind === 'collapse_all') {
    const answer = await agent.run(kind, { rootNodeId: node.id });
    expect(answer).toEqual({ nodeIds: [node.id], version: before });
    return set(everyone(node), kind === 'expand_all');
  }
  if (kind === 'set_expansion_recursive') {
    const depth = maxDepth === null ? {} : { maxDepth };
    const answer = await agent.run(kind, { nodeId: node.id, expanded, ...depth });
    expect(answer).toEqual({ nodeIds: [node.id], version: before });
    return set(within(node, maxDepth ?? Number.POSITIVE_INFINITY), expanded);
  }
  const state = kind === 'toggle_node' ? !(seen.get(node.id) ?? true) : kind === 'expand_node';
  const answer = await agent.run(kind, { nodeId: node.id });
  expect(answer).toEqual({ nodeIds: [node.id], version: before, isExpanded: state });
  set([node], state);
}

const expectedView = ({ id, type, payload, children }: Plain, seen: Seen, byDefault: boolean): Shown => {
  const isExpanded = seen.get(id) ?? byDefault;
  return {
    nodeId: id,
    payloadType: type,
    payload,
    isExpanded,
    childrenCount: children.length,
    ...(isExpanded && { children: children.map((child) => expectedView(child, seen, byDefault)) }),
  };
};

test('T210 T211 Expand and collapse operations: the latest that reaches a node decides, for each agent alone', async () => {
  await fc.assert(
    fc.asyncProperty(seeds(15), acts, fc.nat(1000), fc.boolean(), (all, steps, pick, defaultExpanded) =>
      onLibrary(async (library) => {
        const agents = { ann: library.agent('ann'), bob: library.agent('bob') };
        const seen: Record<'ann' | 'bob', Seen> = { ann: new Map(), bob: new Map() };
        const root = await build(agents.ann, all);
        for (const step of steps) await act(agents[step.agent], seen[step.agent], root, step);
        const from = pickOne(root, pick);
        for (const name of ['ann', 'bob'] as const) {
          const input = { rootNodeId: from.id, pageSize: 200 };
          const { view } = await agents[name].run('get_view', { ...input, defaultExpanded });
          expect(view).toEqual(expectedView(from, seen[name], defaultExpanded));
          const exported = await agents[name].run('export_view', { rootNodeId: from.id });
          expect(exported.view).toEqual(expectedView(from, seen[name], true));
        }
      }),
    ),
    { numRuns: 60 * factor },
  );
});

test('T212 set_expansion_recursive with depth: Recursive view expansion control goes so many levels down', async () => {
  await onLibrary(async (library) => {
    const agent = library.agent();
    const a = await agent.add('library', 'folder', { name: 'a' });
    const b = await agent.add(a, 'folder', { name: 'b' });
    const c = await agent.add(b, 'folder', { name: 'c' });
    await agent.add(c, 'folder', { name: 'd' });
    await agent.run('set_expansion_recursive', { nodeId: a, expanded: false });
    await agent.run('set_expansion_recursive', { nodeId: a, expanded: true, maxDepth: 1 });
    const { view } = await agent.run('get_view', { rootNodeId: a });
    expect(view).toMatchObject({
      isExpanded: true,
      children: [{ isExpanded: true, children: [{ nodeId: c, isExpanded: false, childrenCount: 1 }] }],
    });
    // A node that is added later below is reached as well.
    await agent.add(a, 'folder', { name: 'later' });
    const later = (await agent.run('get_view', { rootNodeId: a })).view as Shown;
    expect(later.children?.map(({ isExpanded }) => isExpanded)).toEqual([true, true]);
  });
});

test('T213 expansion needs a version, refuses a stale one and an unknown node, and changes no version', async () => {
  await onLibrary(async (library) => {
    const agent = library.agent();
    const { version } = await agent.run('get_path', { nodeId: 'library' });
    const id = await agent.add('library', 'folder', { name: 'a' });
    expect(await agent.fail('expand_node', { nodeId: id, version: undefined })).toMatchObject({
      error_type: 'conflict',
      currentVersion: expect.any(String),
    });
    expect((await agent.fail('collapse_node', { nodeId: id, version })).error_type).toBe('conflict');
    expect((await agent.fail('toggle_node', { nodeId: 'nowhere' })).error_type).toBe('not_found');
    expect((await agent.fail('expand_all', { rootNodeId: 'nowhere' })).error).toContain("rootNodeId 'nowhere'");
    expect((await library.agent('eve', 'reader').fail('expand_node', { nodeId: id })).error_type).toBe('forbidden');
  });
});
