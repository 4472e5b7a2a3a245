/**
 * The difference of two subtrees of one tree. Their nodes have different ids, so they match by
 * path: children of matching parents match by name, and those of one name by their position.
 */
import { plainFailure } from '../../../errors.js';
import { nameOf, nodeSelection, nodeTables, requireNode, type TreeNode, toNode } from '../nodes.js';
import type { Payload } from '../payload.js';
import type { Tree } from '../tree.js';
import type { TagRow } from './differences.js';
import { displaced } from './displaced.js';
import { groupedBy } from './group.js';
import { type PropertyChange, payloadChanges } from './payload-changes.js';
import { bySibling } from './siblings.js';

/** The steps from the root of a subtree down to a node; empty for the root itself. */
export type NamePath = string[];

export type LoneEntry = {
  path: NamePath;
  nodeId: string;
  payloadType: string;
  /** The step of the sibling before it, null for the first. */
  after: string | null;
  payload: Payload;
  tags: string[];
};

export type MatchedEntry = { path: NamePath; nodeId: string; matchId: string };
export type ReorderedEntry = MatchedEntry & { after: string | null };
export type ChangedEntry = MatchedEntry & {
  payloadType?: { before: string; after: string };
  changes: PropertyChange[];
  tags?: { added: string[]; removed: string[] };
};

export type SubtreeDiff = {
  added: LoneEntry[];
  removed: LoneEntry[];
  moved: never[];
  reordered: ReorderedEntry[];
  changed: ChangedEntry[];
};

type Subtree = { root: TreeNode; childrenOf(id: string): TreeNode[]; tagsOf(id: string): string[] };

const below = `WITH RECURSIVE below (id) AS (
  SELECT ? UNION ALL SELECT child.id FROM below JOIN nodes AS child ON child.parent_id = below.id
)`;

async function loadSubtree(tree: Tree, rootId: string, argument: string): Promise<Subtree> {
  const root = await requireNode(tree, rootId, argument);
  const rows = await tree.sql.all<Parameters<typeof toNode>[0]>(
    `${below} SELECT ${nodeSelection(tree)} FROM below CROSS JOIN ${nodeTables(tree)} WHERE n.id = below.id`,
    [rootId],
  );
  const tags = await tree.sql.all<TagRow>(
    `${below} SELECT tags.node_id AS nodeId, tags.tag FROM below JOIN tags ON tags.node_id = below.id ORDER BY tags.tag`,
    [rootId],
  );
  const children = groupedBy(rows.map(toNode).sort(bySibling), ({ parentId }) => parentId ?? '');
  const tagged = groupedBy(tags, ({ nodeId }) => nodeId);
  return {
    root,
    childrenOf: (id) => children.get(id) ?? [],
    tagsOf: (id) => (tagged.get(id) ?? []).map(({ tag }) => tag),
  };
}

/** A path as it grows: copied out only for what is reported, so that deep trees stay cheap. */
type Trail = { step: string; up: Trail } | undefined;

/** Paths of very deep nodes are long: beyond so many steps in all, the answer would not fit anywhere. */
const MOST_STEPS = 2_000_000;

/** Turns trails into paths, up to a limit. */
function pathWriter(): (trail: Trail) => NamePath {
  let total = 0;
  return (trail) => {
    const path: NamePath = [];
    for (let at = trail; at; at = at.up) path.push(at.step);
    total += path.length;
    if (total > MOST_STEPS) throw tooDeep();
    return path.reverse();
  };
}

const tooDeep = () =>
  plainFailure('invalid_argument', 'The subtrees differ in too many deep places').advise(
    'Compare smaller subtrees: name nodes further down.',
  );

type Comparison = { a: Subtree; b: Subtree; diff: SubtreeDiff; pathOf: (trail: Trail) => NamePath };

/** What must be done to the first subtree of the current tree to make it like the second. */
export async function diffSubtrees(tree: Tree, aId: string, bId: string): Promise<SubtreeDiff> {
  const a = await loadSubtree(tree, aId, 'aId');
  const b = await loadSubtree(tree, bId, 'bId');
  const diff: SubtreeDiff = { added: [], removed: [], moved: [], reordered: [], changed: [] };
  const comparison = { a, b, diff, pathOf: pathWriter() };
  const waiting: Matched[] = [{ trail: undefined, before: a.root, after: b.root }];
  for (let pair = waiting.pop(); pair; pair = waiting.pop()) {
    noteChange(comparison, pair);
    for (const matched of compareChildren(comparison, pair).reverse()) waiting.push(matched);
  }
  return diff;
}

type Matched = { trail: Trail; before: TreeNode; after: TreeNode };

/** Notes what differs between the children of a matching pair, and answers the pairs among them. */
function compareChildren({ a, b, diff, pathOf }: Comparison, { trail, before, after }: Matched): Matched[] {
  const then = steps(a.childrenOf(before.id));
  const now = steps(b.childrenOf(after.id));
  const moved = new Set(displaced([...then.keys()], [...now.keys()]));
  const matched: Matched[] = [];
  let previous: string | null = null;
  for (const [step, node] of now) {
    const match = then.get(step);
    const at = { step, up: trail };
    if (match) matched.push({ trail: at, before: match, after: node });
    else noteLone(diff.added, b, { node, trail: at, after: previous }, pathOf);
    if (match && moved.has(step)) {
      diff.reordered.push({ path: pathOf(at), nodeId: match.id, matchId: node.id, after: previous });
    }
    previous = step;
  }
  noteRemoved({ a, b, diff, pathOf }, trail, then, now);
  return matched;
}

function noteRemoved(
  { a, diff, pathOf }: Comparison,
  trail: Trail,
  then: Map<string, TreeNode>,
  now: Map<string, TreeNode>,
): void {
  let previous: string | null = null;
  for (const [step, node] of then) {
    if (!now.has(step)) noteLone(diff.removed, a, { node, trail: { step, up: trail }, after: previous }, pathOf);
    previous = step;
  }
}

const NUMBERED = /\[\d+\]$/;

/**
 * Children by their steps: the name, with a number in brackets from the second of a name on, and
 * where the name itself looks like that. A node without a name is called by its type: <note>.
 */
function steps(children: TreeNode[]): Map<string, TreeNode> {
  const counts = new Map<string, number>();
  const named = new Map<string, TreeNode>();
  for (const child of children) {
    const name = nameOf(child) ?? `<${child.type}>`;
    const count = (counts.get(name) ?? 0) + 1;
    counts.set(name, count);
    named.set(count === 1 && !NUMBERED.test(name) ? name : `${name}[${count}]`, child);
  }
  return named;
}

type Lone = { node: TreeNode; trail: Trail; after: string | null };

/** A node that only one side has, and all below it: parents come first. */
function noteLone(entries: LoneEntry[], side: Subtree, root: Lone, pathOf: (trail: Trail) => NamePath): void {
  const waiting = [root];
  for (let at = waiting.pop(); at; at = waiting.pop()) {
    const { node, trail, after } = at;
    const { id: nodeId, type: payloadType, payload } = node;
    entries.push({ path: pathOf(trail), nodeId, payloadType, after, payload, tags: side.tagsOf(nodeId) });
    const named = [...steps(side.childrenOf(nodeId))];
    const children = named.map(([step, child], index) => ({
      node: child,
      trail: { step, up: trail },
      after: named[index - 1]?.[0] ?? null,
    }));
    for (const child of children.reverse()) waiting.push(child);
  }
}

function noteChange({ a, b, diff, pathOf }: Comparison, { trail, before, after }: Matched): void {
  const changes = payloadChanges(before.payload, after.payload);
  const [then, now] = [new Set(a.tagsOf(before.id)), new Set(b.tagsOf(after.id))];
  const tags = { added: [...now].filter((tag) => !then.has(tag)), removed: [...then].filter((tag) => !now.has(tag)) };
  const isTagged = tags.added.length + tags.removed.length > 0;
  const payloadType = before.type !== after.type && { before: before.type, after: after.type };
  if (changes.length === 0 && !isTagged && !payloadType) return;
  const entry = { path: pathOf(trail), nodeId: before.id, matchId: after.id, changes };
  diff.changed.push({ ...entry, ...(payloadType && { payloadType }), ...(isTagged && { tags }) });
}
