import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parsePath, valueAt } from '../../../src/library/tree/payload.js';
import { factor } from '../../support/effort.js';
import { type Agent, onLibrary, type Shown } from './agent.js';
import { build, everyone, listed, type Plain, pickOne, seeds } from './trees.js';

const paths = fc.array(fc.constantFrom('name', 'status', 'a', 'b', 'c', 'a.b', 'b.a', 'c.a', 'd\\.e'), {
  maxLength: 3,
});
const filter = fc.record({ included: paths, excluded: paths });
type Filter = { included: string[]; excluded: string[] };

/** The paths of all that is in a payload, down to values that are no objects. */
function leaves(value: unknown, at: string[] = []): string[][] {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  const keys = isObject ? Object.entries(value) : [];
  return keys.length === 0 ? [at] : keys.flatMap(([key, member]) => leaves(member, [...at, key]));
}

/** Whether a filter lets the value at a path through, by the words of the rule: equal or under, excluded wins. */
function passes(path: string[], { included, excluded }: Filter): boolean {
  const under = (prefix: string) => parsePath(prefix, 'path').every((key, index) => path[index] === key);
  return (included.length === 0 || included.some(under)) && !excluded.some(under);
}

/** Everything that may be seen is, with its value, and nothing else. */
function expectFiltered(shown: Shown, { payload }: Plain, by: Filter): void {
  const isValue = (path: string[]) => path.length > 0 && leaves(valueAt(payload, path)).join() === '';
  const wanted = leaves(payload).filter((path) => path.length > 0 && isValue(path) && passes(path, by));
  for (const path of wanted) expect(valueAt(shown.payload, path)).toEqual(valueAt(payload, path));
  for (const path of leaves(shown.payload)) {
    const value = valueAt(shown.payload, path);
    const isEmptyObject = JSON.stringify(value) === '{}';
    if (path.length > 0 && !isEmptyObject) expect(passes(path, by), path.join()).toBe(true);
  }
}

type Preset = { scope: number | null; filter: Filter };
const presets = fc.array(fc.record<Preset>({ scope: fc.option(fc.nat(1000)), filter }), { maxLength: 4 });

async function setPresets(agent: Agent, root: Plain, all: readonly Preset[]): Promise<Map<string, Filter>> {
  const known = new Map<string, Filter>();
  for (const { scope, filter } of all) {
    const id = scope === null ? 'all' : pickOne(root, scope).id;
    await agent.run('set_filters', { scope: id, ...filter });
    known.set(id, filter);
  }
  return known;
}

/** The nearest scope wins, then `all`. */
function presetFor(node: Plain, known: Map<string, Filter>): Filter {
  for (let at: Plain | undefined = node; at; at = at.parent) {
    const own = known.get(at.id);
    if (own) return own;
  }
  return known.get('all') ?? { included: [], excluded: [] };
}

test('T230 T231 Included/Excluded properties: a view never shows a property outside its filters', async () => {
  await fc.assert(
    fc.asyncProperty(seeds(12), presets, fc.option(filter), fc.nat(1000), (all, set, asked, pick) =>
      onLibrary(async (library) => {
        const agent = library.agent();
        const root = await build(agent, all);
        const known = await setPresets(agent, root, set);
        const from = pickOne(root, pick);
        const own = asked ? { includedProperties: asked.included, excludedProperties: asked.excluded } : {};
        const { view } = await agent.run('get_view', { rootNodeId: from.id, pageSize: 200, ...own });
        const filters = asked ? { filters: asked } : {};
        const { subtree } = await agent.run('get_subtree', { nodeId: from.id, ...filters });
        for (const answer of [view, subtree] as Shown[]) {
          const nodes = everyone(from);
          for (const [index, shown] of listed(answer).entries()) {
            const node = nodes[index] as Plain;
            expectFiltered(shown, node, asked ?? presetFor(node, known));
          }
        }
        const { children } = await agent.run('list_children', { nodeId: from.id });
        for (const [index, shown] of (children as Shown[]).entries()) {
          const node = from.children[index] as Plain;
          expectFiltered(shown, node, presetFor(node, known));
        }
        // Another agent has filters of its own: none.
        const other = await library.agent('bob').run('list_children', { nodeId: from.id });
        expect((other.children as Shown[]).map(({ payload }) => payload)).toEqual(
          from.children.map((one) => one.payload),
        );
      }),
    ),
    { numRuns: 60 * factor },
  );
});

test('T232 set_filters persists filters: View filter presets hold for later reads, the nearest scope wins', async () => {
  await onLibrary(async (library) => {
    const agent = library.agent();
    const folder = await agent.add('library', 'folder', { name: 'Work' });
    const note = await agent.add(folder, 'note', { name: 'Plan', stars: 4 });
    const { version } = await agent.run('get_path', { nodeId: note });
    const set = await agent.run('set_filters', { scope: 'all', included: ['name'], excluded: [] });
    expect(set).toEqual({ nodeIds: [], version });
    const near = await agent.run('set_filters', { scope: note, included: [], excluded: ['name'] });
    expect(near).toEqual({ nodeIds: [note], version });
    const { view } = await agent.run('get_view', { rootNodeId: folder });
    expect(view).toMatchObject({ payload: { name: 'Work' }, children: [{ payload: { stars: 4 } }] });
    // A call's own filters win, each for itself.
    const own = await agent.run('get_view', { rootNodeId: note, excludedProperties: [] });
    expect((own.view as Shown).payload).toEqual({ name: 'Plan', stars: 4 });
    // An export of a subtree is whole: an import of it must lose nothing.
    const { subtree } = await agent.run('export_subtree', { nodeId: note });
    expect((subtree as Shown).payload).toEqual({ name: 'Plan', stars: 4 });
    const bad = await agent.fail('set_filters', { scope: 'all', included: ['a..b'], excluded: [] });
    expect(bad).toMatchObject({ error_type: 'invalid_argument', error: expect.stringContaining("'a..b'") });
    expect((await agent.fail('set_filters', { scope: 'no', included: [], excluded: [] })).error_type).toBe('not_found');
    const inside = await agent.run('get_view', { rootNodeId: folder, includeViewRoot: true });
    expect(inside.view).toMatchObject({ rootNodeId: folder, includedProperties: ['name'], excludedProperties: [] });
  });
});
