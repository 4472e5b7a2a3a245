/** Random changes of nodes, run on the real tree and on the model at once, by writers with old and new versions. */
import fc from 'fast-check';
import { expect } from 'vitest';
import { type Change, openChange, touchNode } from '../../src/library/tree/change.js';
import { copySubtree } from '../../src/library/tree/copy.js';
import { addNode, parentOf, relocate, removeNode, setProperties, storedNode } from '../../src/library/tree/edit.js';
import { idSource } from '../../src/library/tree/id.js';
import { childrenAt } from '../../src/library/tree/nodes.js';
import { sortChildren } from '../../src/library/tree/sort.js';
import { addTags, removeTags, tagsOf } from '../../src/library/tree/tags.js';
import { type Tree, treeAt } from '../../src/library/tree/tree.js';
import { currentRevision } from '../../src/library/tree/version.js';
import type { Database } from '../../src/storage/sql.js';
import { type Dump, type ModelNode, type NodeModel, newNode } from './node-model.js';

export type Step = {
  kind: 'add' | 'set' | 'remove' | 'into' | 'before' | 'after' | 'copy' | 'share' | 'tag' | 'untag' | 'sort';
  pick: number;
  other: number;
  type: 'folder' | 'note';
  name: string;
  /** How many revisions ago the writer last looked. */
  lag: number;
};

export const steps = fc.array(
  fc.record<Step>({
    kind: fc.constantFrom(
      'add',
      'add',
      'add',
      'set',
      'set',
      'remove',
      'into',
      'before',
      'after',
      'copy',
      'share',
      'tag',
      'untag',
      'sort',
    ),
    pick: fc.nat(1000),
    other: fc.nat(1000),
    type: fc.constantFrom('folder', 'note'),
    name: fc.constantFrom('a', 'b', 'c'),
    lag: fc.constantFrom(0, 0, 0, 1, 2, 5),
  }),
  { minLength: 1, maxLength: 40 },
);

const newId = idSource(Date.now);

type Attempt = {
  stale: boolean;
  refused?: boolean;
  run: (change: Change) => Promise<unknown>;
  apply: (revision: number, made: unknown) => void;
};

export async function runStep(database: Database, model: NodeModel, step: Step): Promise<void> {
  const before = await database.read(currentRevision);
  const basis = Math.max(0, before - step.lag);
  const attempt = attemptOf(model, step, basis);
  if (!attempt || model.below().length > 60) return;
  const request = { agent: 'ada', tool: 'test', at: 1, newId, version: `r${basis}` };
  const outcome = await database
    .write((sql) => attempt.run(openChange({ ...request, sql })))
    .then(
      (made) => ({ made }),
      (failure: { type: string }) => ({ failure }),
    );
  const after = await database.read(currentRevision);
  const expected = attempt.refused ? 'invalid_argument' : attempt.stale ? 'conflict' : undefined;
  expect('failure' in outcome ? outcome.failure.type : undefined, step.kind).toBe(expected);
  if ('made' in outcome) attempt.apply(after, outcome.made);
  else expect(after).toBe(before);
  expect(await dumpAt(database, after)).toEqual(model.dump());
}

/** The whole tree as of a revision, read by the functions that the tools read with. */
export async function dumpAt(database: Database, revision: number): Promise<Dump[]> {
  return database.read(async (sql) => dumpBelow(await treeAt(sql, `r${revision}`), 'library'));
}

async function dumpBelow(tree: Tree, parentId: string): Promise<Dump[]> {
  const dumps: Dump[] = [];
  for (const { id, type, payload, childCount } of await childrenAt(tree, parentId, 1000)) {
    const children = await dumpBelow(tree, id);
    expect(childCount).toBe(children.length);
    dumps.push({ id, type, payload, tags: await tagsOf(tree, id), children });
  }
  return dumps;
}

function attemptOf(model: NodeModel, step: Step, basis: number): Attempt | undefined {
  const everything = model.everything();
  const nodes = model.below();
  const node = nodes[step.pick % (nodes.length || 1)];
  const other = everything[step.other % everything.length] as ModelNode;
  if (step.kind === 'add') return adding(model, other, step, basis);
  if (step.kind === 'sort') return sorting(model, other, basis);
  if (!node) return undefined;
  if (step.kind === 'set') return setting(model, node, step.name, basis);
  if (step.kind === 'tag' || step.kind === 'untag') return tagging(model, node, step.kind, step.name, basis);
  if (step.kind === 'remove') return removing(model, node, basis);
  if (step.kind === 'copy' || step.kind === 'share') return copying(model, node, other, step.kind === 'share', basis);
  return moving(model, node, other, step.kind, basis);
}

/** Folders stand below folders and the library only. */
const fits = (type: string, parent: ModelNode) => type !== 'folder' || parent.type !== 'note';

function adding(model: NodeModel, parent: ModelNode, { type, name }: Step, basis: number): Attempt {
  const value = type === 'folder' ? { name, status: 'active' } : { name };
  return {
    refused: !fits(type, parent),
    stale: model.isStale(basis, { lists: [parent] }),
    run: async (change) =>
      addNode(change, { parent: await storedNode(change, parent.id), edge: 'last' }, type, { name }),
    apply: (revision, id) =>
      model.put(newNode(id as string, type, { value }, revision), parent, parent.children.length, revision),
  };
}

function setting(model: NodeModel, node: ModelNode, name: string, basis: number): Attempt {
  return {
    stale: model.isStale(basis, { node }),
    run: (change) => setProperties(change, node.id, [{ path: ['name'], value: name }]),
    apply: (revision) => model.set(node, 'name', name, revision),
  };
}

function tagging(model: NodeModel, node: ModelNode, kind: 'tag' | 'untag', tag: string, basis: number): Attempt {
  const act = kind === 'tag' ? addTags : removeTags;
  return {
    stale: model.isStale(basis, { node }),
    run: async (change) => {
      await touchNode(change, await storedNode(change, node.id));
      await act(change, node.id, [tag]);
    },
    apply: (revision) => {
      if (node.tags.has(tag) === (kind === 'tag')) return;
      if (kind === 'tag') node.tags.add(tag);
      else node.tags.delete(tag);
      node.changed = revision;
    },
  };
}

function removing(model: NodeModel, node: ModelNode, basis: number): Attempt {
  return {
    stale: model.isStale(basis, { subtree: node, lists: [model.parentOf(node)] }),
    run: (change) => removeNode(change, node.id),
    apply: (revision) => model.take(node, revision),
  };
}

function copying(model: NodeModel, source: ModelNode, target: ModelNode, share: boolean, basis: number): Attempt {
  return {
    refused: model.contains(source, target) || !fits(source.type, target),
    stale: model.isStale(basis, { lists: [target] }),
    run: async (change) => {
      const [from, to] = [await storedNode(change, source.id), await storedNode(change, target.id)];
      return copySubtree(change, from, to, share ? 'reference' : 'duplicate');
    },
    apply: (revision, ids) => {
      model.put(model.copy(source, ids as string[], share, revision), target, target.children.length, revision);
    },
  };
}

function moving(
  model: NodeModel,
  node: ModelNode,
  other: ModelNode,
  kind: 'into' | 'before' | 'after',
  basis: number,
): Attempt | undefined {
  if (kind !== 'into' && other === model.library) return undefined;
  const parent = kind === 'into' ? other : model.parentOf(other);
  return {
    refused: other === node || model.contains(node, parent) || !fits(node.type, parent),
    stale: model.isStale(basis, { subtree: node, lists: [model.parentOf(node), parent] }),
    run: async (change) => {
      const stored = await storedNode(change, other.id);
      if (kind === 'into') return relocate(change, node.id, { parent: stored, edge: 'last' });
      return relocate(change, node.id, { parent: await parentOf(change, stored), sibling: stored, side: kind });
    },
    apply: (revision) => {
      model.take(node, revision);
      const index =
        kind === 'into' ? parent.children.length : parent.children.indexOf(other) + (kind === 'after' ? 1 : 0);
      model.put(node, parent, index, revision);
      node.changed = revision;
    },
  };
}

function sorting(model: NodeModel, parent: ModelNode, basis: number): Attempt {
  const nameOf = (node: ModelNode) => String(node.payload.value.name);
  const order = parent.children.toSorted((a, b) => (nameOf(a) < nameOf(b) ? -1 : nameOf(a) > nameOf(b) ? 1 : 0));
  return {
    stale: model.isStale(basis, { lists: [parent] }),
    run: async (change) => sortChildren(change, await storedNode(change, parent.id), ['name'], 'asc'),
    apply: (revision) => {
      if (order.every((child, index) => child === parent.children[index])) return;
      parent.children = order;
      parent.childrenChanged = revision;
    },
  };
}
