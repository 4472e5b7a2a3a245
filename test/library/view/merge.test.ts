import fc from 'fast-check';
import { expect, test } from 'vitest';
import { longestRise } from '../../../src/library/tree/rise.js';
import { factor } from '../../support/effort.js';
import { type Agent, onLibrary, type Shown } from './agent.js';
import { build, everyone, listed, type Plain, pickOne, seeds } from './trees.js';

type Json = { nodeId?: string; payloadType: string; payload: Record<string, unknown>; children: Json[] };

const exported = async (agent: Agent, nodeId = 'library') =>
  (await agent.run('export_subtree', { nodeId })).subtree as Shown;

/** Random changes of a copy of the tree, as JSON: left out, renamed, turned around, and with new ones. */
const edits = fc.array(
  fc.record({ kind: fc.constantFrom('drop', 'rename', 'turn', 'new', 'hang'), pick: fc.nat(1000), to: fc.nat(1000) }),
  { maxLength: 8 },
);
type Edits = { kind: string; pick: number; to: number }[];

function edited(root: Plain, steps: Edits): Plain {
  const copy = (node: Plain, parent?: Plain): Plain => {
    const made: Plain = { ...node, payload: { ...node.payload }, parent, children: [] };
    made.children = node.children.map((child) => copy(child, made));
    return made;
  };
  const tree = copy(root);
  for (const [index, step] of steps.entries()) edit(tree, step, index);
  return tree;
}

function edit(tree: Plain, { kind, pick, to }: Edits[number], index: number): void {
  const node = pickOne(tree, pick);
  const target = pickOne(tree, to);
  const siblings = node.parent?.children;
  if (kind === 'turn') node.children.reverse();
  if (kind === 'rename' && node.type !== 'library') node.payload = { ...node.payload, name: `renamed ${index}` };
  if (kind === 'new' && (node.type === 'folder' || node.type === 'library')) {
    const payload = { name: `new ${index}`, stars: index };
    node.children.unshift({ id: `new${index}`, type: 'note', payload, parent: node, children: [] });
  }
  if (!siblings || (kind !== 'drop' && kind !== 'hang')) return;
  if (kind === 'hang' && (everyone(node).includes(target) || (target.type !== 'folder' && target.type !== 'library')))
    return;
  siblings.splice(siblings.indexOf(node), 1);
  if (kind === 'hang') {
    target.children.push(node);
    node.parent = target;
  }
}

const toJson = ({ id, type, payload, children }: Plain): Json => ({
  nodeId: id,
  payloadType: type,
  payload,
  children: children.map(toJson),
});

const idsIn = (plain: Plain) => everyone(plain).map(({ id }) => id);
const bare = ({ nodeId, payloadType, payload, children }: Shown): Json => ({
  nodeId,
  payloadType,
  payload,
  children: (children ?? []).map(bare),
});

test('T260 T261 import_merge supports strategies: replace by nodeId makes the tree what the JSON is, and reports it', async () => {
  await fc.assert(
    fc.asyncProperty(seeds(18), edits, (all, steps) =>
      onLibrary(async (library) => {
        const agent = library.agent();
        const before = await build(agent, all);
        const after = edited(before, steps);
        const input = { json: toJson(after), strategy: 'replace', matchBy: 'nodeId' };
        const answer = await agent.run('import_merge', input);
        expect(bare(await exported(agent))).toEqual(toJson(after));
        const [old, now] = [idsIn(before), idsIn(after)];
        expect(answer.created).toEqual(now.filter((id) => !old.includes(id)));
        expect(new Set(answer.removed as string[])).toEqual(new Set(old.filter((id) => !now.includes(id))));
        const stayed = [...(answer.updated as string[]), ...(answer.skipped as string[])];
        expect(new Set(stayed)).toEqual(new Set(now.filter((id) => old.includes(id))));
        const again = await agent.run('import_merge', input);
        expect(again).toMatchObject({ nodeIds: [], skipped: now, version: answer.version });
      }),
    ),
    { numRuns: 50 * factor },
  );
});

test('T262 upsert changes and adds but removes nothing; skip only adds', async () => {
  await fc.assert(
    fc.asyncProperty(seeds(15), edits, fc.constantFrom('upsert', 'skip'), (all, steps, strategy) =>
      onLibrary(async (library) => {
        const agent = library.agent();
        const before = await build(agent, all);
        const untouched = new Map(listed(await exported(agent)).map((node) => [node.nodeId, node]));
        const after = edited(before, steps);
        const answer = await agent.run('import_merge', { json: toJson(after), strategy, matchBy: 'nodeId' });
        expect(answer.removed).toEqual([]);
        const shown = new Map(listed(await exported(agent)).map((node) => [node.nodeId, node]));
        expect(new Set(shown.keys())).toEqual(new Set([...idsIn(before), ...idsIn(after)]));
        for (const { id, payload } of everyone(after)) {
          const kept = strategy === 'skip' ? untouched.get(id)?.payload : undefined;
          expect(shown.get(id)?.payload).toEqual(kept ?? payload);
        }
        if (strategy === 'upsert') expectOrder(shown, after);
        else expect(answer.updated).toEqual([]);
      }),
    ),
    { numRuns: 50 * factor },
  );
});

/** The children that the JSON names stand in its order. */
function expectOrder(shown: Map<string, Shown>, after: Plain): void {
  for (const { id, children } of everyone(after)) {
    const wanted = children.map((child) => child.id);
    const ids = (shown.get(id)?.children ?? []).map(({ nodeId }) => nodeId);
    expect(ids.filter((one) => wanted.includes(one))).toEqual(wanted);
  }
}

test('T263 by path, siblings match by name and type, the first unused: a merge of the same names adds nothing', async () => {
  await fc.assert(
    fc.asyncProperty(seeds(15), (all) =>
      onLibrary((library) =>
        onLibrary(async (other) => {
          const [agent, twin] = [library.agent(), other.agent()];
          await build(agent, all);
          await build(twin, all);
          const json = bare(await exported(twin));
          for (const strategy of ['skip', 'upsert', 'replace']) {
            const answer = await agent.run('import_merge', { json, strategy, matchBy: 'path' });
            expect(answer).toMatchObject({ created: [], removed: [], nodeIds: [] });
          }
          const withoutIds = ({ nodeId: _, ...node }: Json): Json => ({
            ...node,
            children: node.children.map(withoutIds),
          });
          expect(withoutIds(bare(await exported(agent)))).toEqual(withoutIds(json));
        }),
      ),
    ),
    { numRuns: 25 * factor },
  );
});

test('T264 by path the root is found at path, below the library, or by a name that one node has; else it is added', async () => {
  await onLibrary(async (library) => {
    const agent = library.agent();
    const work = await agent.add('library', 'folder', { name: 'Work' });
    const home = await agent.add('library', 'folder', { name: 'Home' });
    const plans = await agent.add(work, 'folder', { name: 'Plans' });
    const merge = (json: object) => agent.run('import_merge', { json, strategy: 'upsert', matchBy: 'path' });
    const json = (name: string, stars: number) => ({
      payloadType: 'folder',
      payload: { name },
      children: [{ payloadType: 'note', payload: { name: 'Note', stars } }],
    });
    const first = await merge(json('Plans', 1));
    expect(first).toMatchObject({ created: [expect.any(String)], skipped: [plans] });
    expect(await merge(json('Plans', 2))).toMatchObject({ created: [], updated: first.created });
    const homePlans = await agent.add(home, 'folder', { name: 'Plans' });
    const input = { json: json('Plans', 3), strategy: 'upsert', matchBy: 'path' };
    expect(await agent.fail('import_merge', input)).toMatchObject({
      error_type: 'invalid_argument',
      matchingIds: expect.arrayContaining([plans, homePlans]),
    });
    expect(await merge({ ...json('Plans', 3), path: ['Home', 'Plans'] })).toMatchObject({ skipped: [homePlans] });
    const added = await merge(json('Elsewhere', 1));
    expect(added.created).toHaveLength(2);
    const { path } = await agent.run('get_path', { nodeId: (added.created as string[])[0] });
    expect(path).toMatchObject([{ nodeId: 'library' }, { name: 'Elsewhere', depth: 1 }]);
  });
});

test('T265 replace leaves the children of a node alone where the JSON does not list any, and wants an unchanged subtree', async () => {
  await onLibrary(async (library) => {
    const agent = library.agent();
    const a = await agent.add('library', 'folder', { name: 'a' });
    const b = await agent.add(a, 'folder', { name: 'b' });
    const { version } = await agent.run('get_path', { nodeId: b });
    await agent.add(b, 'note', { name: 'kept' });
    const json = {
      nodeId: a,
      payloadType: 'folder',
      payload: { name: 'a' },
      children: [{ nodeId: b, payloadType: 'folder', payload: { name: 'b' } }],
    };
    const input = { json, strategy: 'replace', matchBy: 'nodeId' };
    expect((await agent.fail('import_merge', { ...input, version })).error_type).toBe('conflict');
    expect(await agent.run('import_merge', input)).toMatchObject({ removed: [], nodeIds: [] });
  });
});

test('T266 an import is bounded by no batch limit: 2,000 nodes in one call, in order', async () => {
  await onLibrary(async (library) => {
    const agent = library.agent();
    const children = Array.from({ length: 2000 }, (_, index) => ({
      nodeId: `n${index}`,
      payloadType: 'note',
      payload: { name: String(index) },
    }));
    const json = { nodeId: 'library', payloadType: 'library', payload: {}, children };
    const answer = await agent.run('import_merge', { json, strategy: 'upsert', matchBy: 'nodeId' });
    expect(answer.created).toHaveLength(2000);
    const between = [children[0], { nodeId: 'middle', payloadType: 'note', payload: { name: 'm' } }, children[1]];
    await agent.run('import_merge', { json: { ...json, children: between }, strategy: 'upsert', matchBy: 'nodeId' });
    const { children: first } = await agent.run('list_children', { nodeId: 'library', limit: 4 });
    expect((first as Shown[]).map(({ nodeId }) => nodeId)).toEqual(['n0', 'middle', 'n1', 'n2']);
  });
});

test('T267 the fewest children move: the longest run in order stays', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f')), (ranks) => {
      const rising = [...longestRise(ranks)].sort((a, b) => a - b).map((position) => ranks[position] as string);
      expect(rising.every((rank, index) => index === 0 || (rising[index - 1] as string) < rank)).toBe(true);
      const longest: number[] = ranks.map(() => 1);
      for (const [index, rank] of ranks.entries()) {
        for (let before = 0; before < index; before++) {
          if ((ranks[before] as string) < rank)
            longest[index] = Math.max(longest[index] ?? 1, (longest[before] ?? 0) + 1);
        }
      }
      expect(rising).toHaveLength(Math.max(0, ...longest));
    }),
    { numRuns: 200 * factor },
  );
});

test('T268 two values for one payload that nodes share are refused; the same value is fine', async () => {
  await onLibrary(async (library) => {
    const agent = library.agent();
    const a = await agent.add('library', 'note', { name: 'one' });
    const b = await agent.add('library', 'note', { name: 'one' });
    const share = `UPDATE nodes SET payload_id = (SELECT payload_id FROM nodes WHERE id = '${a}') WHERE id = '${b}'`;
    await agent.run('set_up_rows', { statements: [share] });
    const input = (first: string, second: string) => ({
      json: {
        nodeId: 'library',
        payloadType: 'library',
        children: [
          { nodeId: a, payloadType: 'note', payload: { name: first } },
          { nodeId: b, payloadType: 'note', payload: { name: second } },
        ],
      },
      strategy: 'upsert',
      matchBy: 'nodeId',
    });
    expect(await agent.fail('import_merge', input('two', 'three'))).toMatchObject({
      error_type: 'invalid_argument',
      error: expect.stringContaining('json.children.1.payload: '),
    });
    expect(await agent.run('import_merge', input('two', 'two'))).toMatchObject({ updated: [a, b] });
  });
});
