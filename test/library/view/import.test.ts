import fc from 'fast-check';
import { expect, test } from 'vitest';
import { factor } from '../../support/effort.js';
import { type Agent, onLibrary, type Shown } from './agent.js';
import { build, pickOne, seeds } from './trees.js';

const folder = (nodeId: string, children: unknown[] = []) => ({
  nodeId,
  payloadType: 'folder',
  payload: { name: nodeId.toUpperCase() },
  children,
});

const bring = (agent: Agent, viewJson: unknown, rootLookupStrategy: string, payloadTypes = {}) =>
  agent.run('import_view', { viewJson, payloadTypes, rootLookupStrategy });

const refuse = (agent: Agent, viewJson: unknown, rootLookupStrategy = 'byId', payloadTypes = {}) =>
  agent.fail('import_view', { viewJson, payloadTypes, rootLookupStrategy });

const versionNow = async (agent: Agent) => (await agent.run('get_path', { nodeId: 'library' })).version;

/** A view carries no children of collapsed nodes, so that their number is 0 where it is imported. */
const withoutHidden = (node: Shown): Shown =>
  node.children
    ? { ...node, children: node.children.map(withoutHidden) }
    : { ...node, childrenCount: node.isExpanded === false ? 0 : node.childrenCount };

type Collapse = { pick: number; reach: number | null; expanded: boolean };
const collapses = fc.array(
  fc.record<Collapse>({ pick: fc.nat(1000), reach: fc.option(fc.nat(2)), expanded: fc.boolean() }),
  { maxLength: 6 },
);

test('T240 T241 export, import into an empty tree and export again give the same JSON, for views and subtrees, wrapped and bare', async () => {
  await fc.assert(
    fc.asyncProperty(
      seeds(20),
      collapses,
      fc.nat(1000),
      fc.record({ isView: fc.boolean(), includeViewRoot: fc.boolean(), asText: fc.boolean(), filtered: fc.boolean() }),
      (all, steps, pick, { isView, includeViewRoot, asText, filtered }) =>
        onLibrary((library) =>
          onLibrary(async (empty) => {
            const [agent, other] = [library.agent(), empty.agent()];
            const root = await build(agent, all);
            for (const { pick: which, reach, expanded } of steps) {
              const maxDepth = reach === null ? {} : { maxDepth: reach };
              await agent.run('set_expansion_recursive', { nodeId: pickOne(root, which).id, expanded, ...maxDepth });
            }
            if (filtered) await agent.run('set_filters', { scope: 'all', included: [], excluded: ['a', 'b.a'] });
            const from = pickOne(root, pick);
            const tool = isView ? 'export_view' : 'export_subtree';
            const input = { [isView ? 'rootNodeId' : 'nodeId']: from.id, includeViewRoot };
            const first = await agent.run(tool, input);
            const json = first.view ?? first.subtree;
            await bring(other, asText ? JSON.stringify(json) : json, from.id === 'library' ? 'byId' : 'create');
            const second = await other.run(tool, input);
            const wrapped = json as { root: Shown };
            const expected = includeViewRoot
              ? { ...wrapped, root: withoutHidden(wrapped.root) }
              : withoutHidden(json as Shown);
            expect(second.view ?? second.subtree).toEqual(expected);
            expect(JSON.stringify(second.view ?? second.subtree)).toBe(JSON.stringify(expected));
          }),
        ),
    ),
    { numRuns: 60 * factor },
  );
});

test('T242 byId restores what has changed since: payloads, places, order and nodes, and removes nothing', async () => {
  await fc.assert(
    fc.asyncProperty(seeds(15), seeds(6), fc.nat(1000), (all, added, pick) =>
      onLibrary(async (library) => {
        const agent = library.agent();
        const root = await build(agent, all);
        const { subtree } = await agent.run('export_subtree', { nodeId: 'library' });
        // Turns every order around, and hangs one child of the root below another where that can be.
        const turned = (node: Shown): Shown => ({ ...node, children: (node.children ?? []).map(turned).reverse() });
        const merge = { strategy: 'upsert', matchBy: 'nodeId' };
        await agent.run('import_merge', { json: turned(subtree as Shown), ...merge });
        const victim = pickOne(root, pick);
        const emptied = { nodeId: victim.id, payloadType: victim.type, payload: victim.payload, children: [] };
        await agent.run('import_merge', { json: emptied, ...merge, strategy: 'replace' });
        const answer = await bring(agent, subtree, 'byId');
        expect((await agent.run('export_subtree', { nodeId: 'library' })).subtree).toEqual(subtree);
        expect(answer.rootNodeId).toBe('library');
        // Once more changes nothing at all.
        const before = await versionNow(agent);
        expect(await bring(agent, subtree, 'byId')).toMatchObject({ nodeIds: [], version: before });
        for (const { name } of added) await agent.add('library', 'folder', { name });
        await bring(agent, subtree, 'byId');
        const after = (await agent.run('export_subtree', { nodeId: 'library' })).subtree as Shown;
        expect(after.childrenCount).toBe((subtree as Shown).childrenCount + added.length);
      }),
    ),
    { numRuns: 40 * factor },
  );
});

test('T243 create keeps ids that are free and makes new ones where they are taken', async () => {
  await onLibrary(async (library) => {
    const agent = library.agent();
    const json = folder('a', [folder('b'), folder('c')]);
    expect(await bring(agent, json, 'create')).toMatchObject({ rootNodeId: 'a', created: ['a', 'b', 'c'] });
    const again = await bring(agent, folder('d', [folder('b')]), 'create');
    const [root, copy] = again.created as [string, string];
    expect(root).toBe('d');
    expect(copy).not.toBe('b');
    expect((await agent.run('get_path', { nodeId: copy })).path).toMatchObject([
      { nodeId: 'library', depth: 0 },
      { nodeId: 'd', name: 'D', depth: 1 },
      { nodeId: copy, name: 'B', depth: 2 },
    ]);
    const refused = await refuse(agent, { nodeId: 'library', payloadType: 'library', payload: {} }, 'create');
    expect(refused).toMatchObject({ error_type: 'invalid_argument', instruction: expect.stringContaining('byId') });
  });
});

test('T244 byPath finds the root by path, or by a name that only one node has', async () => {
  await onLibrary(async (library) => {
    const agent = library.agent();
    const work = await agent.add('library', 'folder', { name: 'Work' });
    const home = await agent.add('library', 'folder', { name: 'Home' });
    const plans = await agent.add(work, 'folder', { name: 'Plans' });
    const json = (name: string, more = {}) => ({
      root: { payloadType: 'folder', payload: { name }, children: [{ payloadType: 'note', payload: { name: 'x' } }] },
      ...more,
    });
    expect(await bring(agent, json('Plans'), 'byPath')).toMatchObject({ rootNodeId: plans });
    await agent.add(home, 'folder', { name: 'Plans' });
    const failure = await refuse(agent, json('Plans'), 'byPath');
    expect(failure).toMatchObject({ error_type: 'invalid_argument', error: expect.stringContaining("'Plans' stands") });
    const path = ['Work', 'Plans'];
    expect(await bring(agent, json('Plans', { path }), 'byPath')).toMatchObject({ rootNodeId: plans });
    expect((await refuse(agent, json('None'), 'byPath')).error_type).toBe('not_found');
    expect((await refuse(agent, json('x', { path: ['No', 'Way'] }), 'byPath')).error).toContain("'No > Way'");
    const all = { payloadType: 'library', payload: {}, children: [folder('new')] };
    expect(await bring(agent, all, 'byPath')).toMatchObject({ rootNodeId: 'library', created: ['new'] });
    const nameless = { payloadType: 'free', payload: {} };
    expect((await refuse(agent, nameless, 'byPath')).error).toContain('viewJson.payload.name');
  });
});

test('T245 payloadTypes maps the names of types; unknown types are refused', async () => {
  await onLibrary(async (library) => {
    const agent = library.agent();
    const json = { nodeId: 'a', payloadType: 'Memo', payload: { name: 'A' }, children: [folder('b')] };
    const unknown = await refuse(agent, json, 'create');
    expect(unknown).toMatchObject({ error_type: 'invalid_argument', error: expect.stringContaining("'Memo'") });
    expect(unknown.error).toContain('viewJson.payloadType');
    const wrong = await refuse(agent, json, 'create', { Other: 'nothing' });
    expect(wrong.error).toContain("payloadTypes.Other 'nothing'");
    const parent = await refuse(agent, json, 'create', { Memo: 'note' });
    expect(parent.error).toContain('viewJson.children.0: ');
    await bring(agent, { ...json, children: [] }, 'create', { Memo: 'note' });
    expect((await agent.run('get_subtree', { nodeId: 'a' })).subtree).toMatchObject({ payloadType: 'note' });
    const other = await refuse(agent, { ...json, payloadType: 'free', children: [] });
    expect(other.error).toContain("'a' is a 'note' and cannot become a 'free'");
  });
});

test('T247 protected properties stay: the same value is fine, another needs an owner', async () => {
  await onLibrary(async (library) => {
    const owner = library.agent('olga', 'owner');
    const agent = library.agent();
    await owner.run('set_up_type', { name: 'signed', schema: null, protectedPaths: ['by.name'], allowedParents: null });
    const id = await agent.add('library', 'signed', { by: { name: 'Ada' }, text: 'one' });
    const json = (name: string, content: string) => ({
      nodeId: id,
      payloadType: 'signed',
      payload: { by: { name }, text: content },
    });
    expect(await bring(agent, json('Ada', 'two'), 'byId')).toMatchObject({ updated: [id] });
    const failure = await refuse(agent, json('Eve', 'three'));
    expect(failure).toMatchObject({
      error_type: 'forbidden',
      error: expect.stringContaining('viewJson.payload.by.name'),
    });
    const merge = { json: { nodeId: id, payloadType: 'signed', payload: {} }, strategy: 'replace', matchBy: 'nodeId' };
    expect((await agent.fail('import_merge', merge)).error_type).toBe('forbidden');
    await owner.run('set_up_type', { name: 'sealed', schema: null, protectedPaths: ['by'], allowedParents: null });
    const sealed = await agent.add('library', 'sealed', { by: { name: 'Ada', at: 1 }, text: 'one' });
    const turned = { nodeId: sealed, payloadType: 'sealed', payload: { text: 'two', by: { at: 1, name: 'Ada' } } };
    expect(await agent.run('import_merge', { json: turned, strategy: 'replace', matchBy: 'nodeId' })).toMatchObject({
      updated: [sealed],
    });
    expect(await bring(owner, json('Eve', 'three'), 'byId')).toMatchObject({ updated: [id] });
  });
});

test('T248 an import is refused where what it touches has changed since, and allowed where not', async () => {
  await onLibrary(async (library) => {
    const agent = library.agent();
    await bring(agent, folder('a', [folder('b')]), 'create');
    await bring(agent, folder('x'), 'create');
    const seen = await versionNow(agent);
    await agent.add('b', 'folder', { name: 'new' });
    const input = { payloadTypes: {}, rootLookupStrategy: 'byId', version: seen };
    const below = { ...input, viewJson: folder('b', [folder('c')]) };
    expect(await agent.fail('import_view', below)).toMatchObject({
      error_type: 'conflict',
      currentVersion: await versionNow(agent),
    });
    await agent.run('import_view', { ...input, viewJson: folder('x', [folder('y')]) });
    const moved = { ...input, viewJson: folder('a', [folder('b'), folder('d')]) };
    await agent.run('import_view', moved);
    const taken = { ...input, viewJson: folder('a', [folder('x')]) };
    expect((await agent.fail('import_view', taken)).error_type).toBe('conflict');
    const above = await refuse(agent, folder('b', [folder('a')]));
    expect(above).toMatchObject({ error_type: 'invalid_argument', error: expect.stringContaining('stands above') });
  });
});

test('T249 import_view restores expansion, filters and default for its agent alone', async () => {
  await onLibrary(async (library) => {
    const agent = library.agent();
    const json = {
      rootNodeId: 'a',
      includedProperties: ['name'],
      excludedProperties: [],
      defaultExpanded: false,
      root: {
        ...folder('a', [
          { ...folder('b'), isExpanded: false },
          { ...folder('c', [folder('d')]), isExpanded: true },
        ]),
        isExpanded: true,
      },
    };
    await bring(agent, json, 'create');
    const { view } = await agent.run('get_view', { rootNodeId: 'a', includeViewRoot: true });
    expect(view).toMatchObject({
      defaultExpanded: false,
      includedProperties: ['name'],
      root: {
        payload: { name: 'A' },
        isExpanded: true,
        children: [{ isExpanded: false }, { isExpanded: true, children: [{ isExpanded: false }] }],
      },
    });
    // The default of the view is what toggle_node flips.
    expect((await agent.run('toggle_node', { nodeId: 'd' })).isExpanded).toBe(true);
    const other = (await library.agent('bob').run('get_view', { rootNodeId: 'a', includeViewRoot: true })).view;
    expect(other).toMatchObject({
      defaultExpanded: true,
      includedProperties: [],
      root: { children: [{ isExpanded: true }, {}] },
    });
  });
});
