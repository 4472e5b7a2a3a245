/** The calls that the model knows in full: what they do, and when they are refused. */
import { expect } from 'vitest';
import { type Answer, type Attempt, basisOf, type Scene, type Step } from './calls.js';
import { type ModelNode, type NodeModel, newNode } from './node-model.js';

/** Kinds of steps; a kind that is listed twice comes twice as often. */
export const nodeKinds: readonly string[] = [
  ...['add', 'add', 'add', 'set', 'set', 'patch', 'remove', 'into', 'before', 'after'],
  ...['copy', 'share', 'share', 'clone', 'tag', 'untag', 'sort', 'bookmark', 'unbookmark', 'view'],
];

/** Steps that make a small tree of folders and notes, so that there is something to work on. */
export const firstSteps: readonly Step[] = [0, 1, 2, 0, 4, 3, 1, 6].map((other, index) => ({
  kind: 'add',
  agent: index % 2 === 0 ? 'ada' : 'bob',
  pick: 0,
  other,
  type: index < 4 ? 'folder' : 'note',
  name: 'abc'[index % 3] as string,
  lag: 0,
}));

/** What a step picks from the model, and the revision that its agent has seen. */
type Turn = { model: NodeModel; step: Step; basis: number; node: ModelNode; other: ModelNode };

const plans: Record<string, (turn: Turn) => Attempt | undefined> = {
  set: (turn) => setting(turn, 'update_payload_property', { propertyName: 'name', newValue: turn.step.name }),
  patch: (turn) => setting(turn, 'update_payload', { patch: { name: turn.step.name } }),
  remove: removing,
  into: (turn) => moving(turn, 'into'),
  before: (turn) => moving(turn, 'before'),
  after: (turn) => moving(turn, 'after'),
  copy: (turn) => copying(turn, 'duplicate'),
  share: (turn) => copying(turn, 'reference'),
  clone: cloning,
  tag: (turn) => tagging(turn, true),
  untag: (turn) => tagging(turn, false),
  bookmark: bookmarking,
  view: viewing,
};

/** What a step does, or undefined where there is nothing that it could do it to. */
export function nodeAttempt(scene: Scene, step: Step): Attempt | undefined {
  const { model } = scene;
  const everything = model.everything();
  const nodes = model.below();
  if (nodes.length > 60) return undefined;
  const other = everything[step.other % everything.length] as ModelNode;
  const turn = { model, step, basis: basisOf(scene, step), other };
  if (step.kind === 'add') return adding(turn);
  if (step.kind === 'sort') return sorting(turn);
  if (step.kind === 'bulk') return updatingMany(turn);
  if (step.kind === 'unbookmark') return unbookmarking(turn);
  const node = nodes[step.pick % (nodes.length || 1)];
  return node && plans[step.kind]?.({ ...turn, node });
}

type Placed = Omit<Turn, 'node'>;

/** A refusal by the rules comes before one by the version. */
const outcome = (isStale: boolean, isRefused = false): [string | undefined] => [
  isRefused ? 'invalid_argument' : isStale ? 'conflict' : undefined,
];

/** Folders stand below folders and the library only. */
const fits = (type: string, parent: ModelNode) => type !== 'folder' || parent.type !== 'note';

function adding({ model, step: { type, name }, basis, other: parent }: Placed): Attempt {
  const value = type === 'folder' ? { name, status: 'active' } : { name };
  return {
    tool: 'add_child',
    input: { parentNodeId: parent.id, payloadType: type, payloadProps: { name } },
    outcomes: outcome(model.isStale(basis, { lists: [parent] }), !fits(type, parent)),
    apply: ({ answer, after: { revision } }) =>
      model.put(newNode(answer.nodeId as string, type, { value }, revision), parent, parent.children.length, revision),
  };
}

function setting({ model, node, step: { name }, basis }: Turn, tool: string, input: Answer): Attempt {
  return {
    tool,
    input: { nodeId: node.id, ...input },
    outcomes: outcome(model.isStale(basis, { node })),
    apply: ({ after: { revision } }) => model.set(node, 'name', name, revision),
  };
}

function tagging({ model, node, step: { name }, basis }: Turn, adds: boolean): Attempt {
  return {
    tool: adds ? 'tag_node' : 'untag_node',
    input: { nodeId: node.id, tags: [name] },
    outcomes: outcome(model.isStale(basis, { node })),
    apply: ({ after: { revision } }) => {
      if (node.tags.has(name) === adds) return;
      if (adds) node.tags.add(name);
      else node.tags.delete(name);
      node.changed = revision;
    },
  };
}

function removing({ model, node, basis }: Turn): Attempt {
  return {
    tool: 'remove_node',
    input: { nodeId: node.id },
    outcomes: outcome(model.isStale(basis, { subtree: node, lists: [model.parentOf(node)] })),
    apply: ({ after: { revision } }) => model.remove(node, revision),
  };
}

function copying({ model, node, other: target, basis }: Turn, mode: 'duplicate' | 'reference'): Attempt {
  const isRefused = model.contains(node, target) || !fits(node.type, target);
  return {
    tool: 'copy_subtree',
    input: { sourceId: node.id, targetParentId: target.id, mode },
    outcomes: outcome(model.isStale(basis, { lists: [target] }), isRefused),
    apply: ({ answer: { nodeIds }, after: { revision } }) => {
      const copied = model.copy(node, nodeIds as string[], mode === 'reference', revision);
      model.put(copied, target, target.children.length, revision);
    },
  };
}

function cloning({ model, node, other: target, basis }: Turn): Attempt {
  return {
    tool: 'clone_node',
    input: { nodeId: node.id, targetParentId: target.id },
    outcomes: outcome(model.isStale(basis, { lists: [target] }), !fits(node.type, target)),
    apply: ({ answer: { nodeId }, after: { revision } }) => {
      const copied = newNode(nodeId as string, node.type, { value: { ...node.payload.value } }, revision);
      model.put(copied, target, target.children.length, revision);
    },
  };
}

function moving({ model, node, other, basis }: Turn, kind: 'into' | 'before' | 'after'): Attempt | undefined {
  if (kind !== 'into' && other === model.library) return undefined;
  const parent = kind === 'into' ? other : model.parentOf(other);
  const isRefused = other === node || model.contains(node, parent) || !fits(node.type, parent);
  const isStale = model.isStale(basis, { subtree: node, lists: [model.parentOf(node), parent] });
  const tool = { into: 'move_node', before: 'move_before', after: 'move_after' }[kind];
  return {
    tool,
    input: { nodeId: node.id, [kind === 'into' ? 'newParentId' : 'siblingId']: other.id },
    outcomes: outcome(isStale, isRefused),
    apply: ({ after: { revision } }) => {
      model.take(node, revision);
      const { children } = parent;
      const index = kind === 'into' ? children.length : children.indexOf(other) + (kind === 'after' ? 1 : 0);
      model.put(node, parent, index, revision);
      node.changed = revision;
    },
  };
}

function sorting({ model, other: parent, step: { pick }, basis }: Placed): Attempt {
  const direction = pick % 3 === 0 ? 'desc' : 'asc';
  const sign = direction === 'asc' ? 1 : -1;
  const nameOf = (node: ModelNode) => String(node.payload.value.name);
  const order = parent.children.toSorted(
    (a, b) => sign * (Number(nameOf(a) > nameOf(b)) - Number(nameOf(a) < nameOf(b))),
  );
  return {
    tool: 'sort_children',
    input: { parentId: parent.id, byProp: 'name', direction },
    outcomes: outcome(model.isStale(basis, { lists: [parent] })),
    apply: ({ after: { revision } }) => {
      if (order.every((child, index) => child === parent.children[index])) return;
      parent.children = order;
      parent.childrenChanged = revision;
    },
  };
}

const isLabelStale = ({ model, step: { name }, basis }: Placed) => (model.labelled.get(name) ?? 0) > basis;

function bookmarking(turn: Turn): Attempt {
  const { model, node, step } = turn;
  return {
    tool: 'bookmark',
    input: { nodeId: node.id, label: step.name },
    outcomes: outcome(isLabelStale(turn)),
    apply: ({ after: { revision } }) => model.mark(step.name, node.id, revision),
  };
}

function unbookmarking(turn: Placed): Attempt {
  const { model, step } = turn;
  return {
    tool: 'remove_bookmark',
    input: { label: step.name },
    outcomes: model.bookmarks.has(step.name) ? outcome(isLabelStale(turn)) : ['not_found'],
    apply: ({ after: { revision } }) => model.unmark(step.name, revision),
  };
}

/** What an agent sees is none of the tree; the calls are refused like others all the same. */
function viewing({ model, node, step: { pick }, basis }: Turn): Attempt {
  const nodeId = node.id;
  const calls: [string, Answer][] = [
    ['expand_node', { nodeId }],
    ['collapse_node', { nodeId }],
    ['toggle_node', { nodeId }],
    ['expand_all', { rootNodeId: nodeId }],
    ['collapse_all', { rootNodeId: nodeId }],
    ['set_expansion_recursive', { nodeId, expanded: true, maxDepth: 1 }],
    ['set_filters', { scope: nodeId, included: ['name'], excluded: [] }],
  ];
  const [tool, input] = calls[pick % calls.length] as [string, Answer];
  return { tool, input, outcomes: outcome(model.isStale(basis, { node })), apply: () => {} };
}

/** Every match by itself: what is stale, or takes no such property, is left out, and the others are set. */
function updatingMany({ model, step: { name, type, other, pick }, basis }: Placed): Attempt {
  const [property, value] = type === 'folder' ? ['name', 'abc'[other % 3]] : ['stars', pick % 3];
  const matches = model.below().filter(({ payload }) => payload.value.name === name);
  return {
    tool: 'update_nodes',
    input: { filter: { path: 'name', op: 'eq', value: name }, patch: { [property as string]: value } },
    outcomes: [undefined],
    apply: ({ answer, after: { revision } }) => {
      const failed = new Map<string, string>();
      const written = new Set<unknown>();
      for (const node of matches.sort((a, b) => (a.id < b.id ? -1 : 1))) {
        if (written.has(node.payload)) continue;
        if (node.type === 'folder' && property === 'stars') failed.set(node.id, 'invalid_argument');
        else if (model.isStale(basis, { node })) failed.set(node.id, 'conflict');
        else {
          model.set(node, property as string, value, revision);
          written.add(node.payload);
        }
      }
      expectPartly(
        answer,
        matches.map(({ id }) => id),
        failed,
      );
    },
  };
}

function expectPartly({ updated, failed }: Answer, matches: string[], expected: Map<string, string>): void {
  expect(updated).toEqual(matches.filter((id) => !expected.has(id)));
  const refusals = failed as { nodeId: string; error_type: string }[];
  expect(refusals.map(({ nodeId, error_type }) => [nodeId, error_type])).toEqual([...expected]);
}
