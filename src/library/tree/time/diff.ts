/**
 * The difference of the tree as of two revisions, as agents see it. Whoever takes out what was
 * removed, moved or reordered, puts what was added, moved or reordered right behind its `after`,
 * and applies the changes, has turned the one side into the other.
 */
import type { Sql } from '../../../storage/sql.js';
import type { Node } from '../node.js';
import type { Payload } from '../payload.js';
import type { Sibling } from '../read.js';
import type { Bookmark } from '../tags.js';
import { type Differences, differencesBetween, type Pair, type TagRow } from './differences.js';
import { displacedChildren } from './displaced.js';
import { groupedBy } from './group.js';
import { type PropertyChange, payloadChanges } from './payload-changes.js';
import { holdersAt, payloadsAt } from './rows.js';
import { bySibling, placeAt, previousSiblings } from './siblings.js';

/** A node on the one side that the other does not have. `after` is the sibling before it, null for the first. */
export type LoneNode = {
  nodeId: string;
  payloadType: string;
  parentId: string;
  after: string | null;
  payload: Payload;
  tags: string[];
};

export type MovedNode = { nodeId: string; from: string; to: string; after: string | null };
export type ReorderedNode = { nodeId: string; parentId: string; after: string | null };

export type ChangedNode = {
  nodeId: string;
  payloadType?: { before: string; after: string };
  changes: PropertyChange[];
  tags?: { added: string[]; removed: string[] };
};

export type Diff = {
  added: LoneNode[];
  removed: LoneNode[];
  moved: MovedNode[];
  reordered: ReorderedNode[];
  changed: ChangedNode[];
  bookmarks?: { added: Bookmark[]; removed: Bookmark[] };
};

type Side = 'before' | 'after';

/** All that the parts of a diff are made from. */
type Sources = {
  sql: Sql;
  differences: Differences;
  revisions: Record<Side, number>;
  payloadOf(node: Node, side: Side): Payload;
  tagsOf(nodeId: string, side: Side): string[];
};

export async function diffBetween(sql: Sql, from: number, to: number): Promise<Diff> {
  const differences = await differencesBetween(sql, from, to);
  const sources = await sourcesOf(sql, differences, { before: from, after: to });
  const bookmarks = bookmarksOf(differences);
  return {
    added: await loneNodes(sources, 'after'),
    removed: await loneNodes(sources, 'before'),
    moved: await movedNodes(sources),
    reordered: await reorderedNodes(sources),
    changed: await changedNodes(sources),
    ...(bookmarks && { bookmarks }),
  };
}

async function sourcesOf(sql: Sql, differences: Differences, revisions: Record<Side, number>): Promise<Sources> {
  const { nodes, payloads, tags } = differences;
  const rows = [...nodes.values()].flatMap(({ before, after }) => [before, after]);
  const same = new Set(rows.flatMap((row) => (row?.payloadId && !payloads.has(row.payloadId) ? [row.payloadId] : [])));
  // A payload that does not differ can be read from either side.
  const texts = await payloadsAt(sql, revisions.after, same);
  const tagged = { before: tagsBy(tags.values(), 'before'), after: tagsBy(tags.values(), 'after') };
  return {
    sql,
    differences,
    revisions,
    payloadOf: ({ payloadId, name, status }, side) => {
      if (payloadId === null) return name === null ? {} : { name, status };
      const text = payloads.get(payloadId)?.[side]?.data ?? texts.get(payloadId);
      return JSON.parse(text ?? '{}') as Payload;
    },
    tagsOf: (nodeId, side) => (tagged[side].get(nodeId) ?? []).map(({ tag }) => tag).sort(),
  };
}

const rowsOn = <Row>(pairs: Iterable<Pair<Row>>, side: Side): Row[] =>
  [...pairs].flatMap((pair) => (pair[side] === undefined ? [] : [pair[side]]));

const tagsBy = (pairs: Iterable<Pair<TagRow>>, side: Side) => groupedBy(rowsOn(pairs, side), ({ nodeId }) => nodeId);

/** The nodes of one side that differ, in order below their parents. */
function childrenOn({ differences }: Sources, side: Side): Map<string, Node[]> {
  const below = groupedBy(rowsOn(differences.nodes.values(), side), ({ parentId }) => parentId ?? '');
  for (const children of below.values()) children.sort(bySibling);
  return below;
}

/** The nodes that only one side has, in the order of the tree as far as they hang together: parents come first. */
async function loneNodes(sources: Sources, side: Side): Promise<LoneNode[]> {
  const { nodes } = sources.differences;
  const below = childrenOn(sources, side);
  const isLone = (id: string) => isOnly(nodes.get(id), side);
  const parents = [...below.keys()].filter((id) => !isLone(id)).sort();
  const loneBelow = (id: string) => (below.get(id) ?? []).filter((child) => isLone(child.id)).reverse();
  const waiting = parents.reverse().flatMap(loneBelow);
  const previous = await previousOn(sources, side, waiting, below);
  const found: LoneNode[] = [];
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    found.push(loneNode(sources, side, node, previous(node)));
    for (const child of loneBelow(node.id)) waiting.push(child);
  }
  return found;
}

const isOnly = (pair: Pair<Node> | undefined, side: Side): boolean =>
  pair !== undefined && pair[side] !== undefined && pair[side === 'after' ? 'before' : 'after'] === undefined;

function loneNode(sources: Sources, side: Side, node: Node, after: string | null): LoneNode {
  return {
    nodeId: node.id,
    payloadType: node.type,
    parentId: node.parentId as string,
    after,
    payload: sources.payloadOf(node, side),
    tags: sources.tagsOf(node.id, side),
  };
}

/** Tells the id of the sibling before a node. All children of a lone parent are among the differences themselves. */
async function previousOn(
  { sql, differences, revisions }: Sources,
  side: Side,
  nodes: readonly Node[],
  below: ReadonlyMap<string, Node[]>,
): Promise<(node: Node) => string | null> {
  const known = new Map<string, string | null>();
  for (const [parentId, places] of groupedBy(nodes, (node) => node.parentId as string)) {
    if (isOnly(differences.nodes.get(parentId), side)) continue;
    const previous = await previousSiblings(sql, revisions[side], parentId, places);
    for (const [id, sibling] of previous) known.set(id, sibling?.id ?? null);
  }
  return (node) => {
    const before = known.get(node.id);
    if (before !== undefined) return before;
    const differing = below.get(node.parentId as string) ?? [];
    return differing[placeIn(differing, node) - 1]?.id ?? null;
  };
}

/** Where a node stands in a list that is in order. */
function placeIn(list: readonly Node[], node: Node): number {
  let [low, high] = [0, list.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (bySibling(list[middle] as Node, node) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The pairs that both sides have, in the order of their new places. */
function commonPairs({ differences }: Sources): { before: Node; after: Node }[] {
  const common = [...differences.nodes.values()].filter((pair) => pair.before && pair.after);
  const pairs = common as { before: Node; after: Node }[];
  const parent = ({ parentId }: Node) => parentId ?? '';
  return pairs.sort((a, b) =>
    a.after.parentId === b.after.parentId ? bySibling(a.after, b.after) : parent(a.after) < parent(b.after) ? -1 : 1,
  );
}

async function movedNodes(sources: Sources): Promise<MovedNode[]> {
  const pairs = commonPairs(sources).filter(({ before, after }) => before.parentId !== after.parentId);
  const nodes = pairs.map(({ after }) => after);
  const previous = await previousOn(sources, 'after', nodes, childrenOn(sources, 'after'));
  return pairs.map(({ before, after }) => {
    const [from, to] = [before.parentId as string, after.parentId as string];
    return { nodeId: after.id, from, to, after: previous(after) };
  });
}

async function reorderedNodes(sources: Sources): Promise<ReorderedNode[]> {
  const { sql, differences, revisions } = sources;
  const lists = await displacedChildren(sql, revisions.before, revisions.after, differences.nodes);
  const reordered: ReorderedNode[] = [];
  for (const [parentId, ids] of [...lists].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const places: Sibling[] = [];
    // A sibling whose own row is as it was can be among them: the others changed places around it.
    for (const id of ids) places.push(differences.nodes.get(id)?.after ?? (await placeAt(sql, revisions.after, id)));
    const previous = await previousSiblings(sql, revisions.after, parentId, places);
    reordered.push(...ids.map((nodeId) => ({ nodeId, parentId, after: previous.get(nodeId)?.id ?? null })));
  }
  return reordered;
}

async function changedNodes(sources: Sources): Promise<ChangedNode[]> {
  const { nodes, tags } = sources.differences;
  const shared = await sharedChanges(sources);
  const tagged = [...tags.values()].map(({ before, after }) => (before ?? after)?.nodeId as string);
  const ids = new Set([...nodes.keys(), ...shared.keys(), ...tagged]);
  return [...ids].sort().flatMap((id) => changedNode(sources, id, shared.get(id) ?? []));
}

/** Changes of payloads, for every node that held the payload on both sides. */
async function sharedChanges({ sql, differences, revisions }: Sources): Promise<Map<string, PropertyChange[]>> {
  const { nodes, payloads } = differences;
  const both = [...payloads].filter(([, { before, after }]) => before && after);
  const changes = new Map(both.map(([id, { before, after }]) => [id, payloadChanges(parse(before), parse(after))]));
  const holders = await holdersAt(sql, revisions.after, changes.keys());
  const throughout = holders.filter(({ id, payloadId }) => {
    const pair = nodes.get(id);
    return !pair || pair.before?.payloadId === payloadId;
  });
  return new Map(throughout.map(({ id, payloadId }) => [id, changes.get(payloadId) ?? []]));
}

const parse = (row: { data: string } | undefined): Payload => JSON.parse(row?.data ?? '{}') as Payload;

function changedNode(sources: Sources, id: string, shared: PropertyChange[]): ChangedNode[] {
  const pair = sources.differences.nodes.get(id);
  if (pair && !(pair.before && pair.after)) return [];
  const { before, after } = pair ?? {};
  const own = before && after && (before.payloadId === null || before.payloadId !== after.payloadId);
  const changes = own ? payloadChanges(sources.payloadOf(before, 'before'), sources.payloadOf(after, 'after')) : shared;
  const tags = { added: sources.tagsOf(id, 'after'), removed: sources.tagsOf(id, 'before') };
  const isTagged = tags.added.length + tags.removed.length > 0;
  const payloadType = before && after && before.type !== after.type && { before: before.type, after: after.type };
  if (changes.length === 0 && !isTagged && !payloadType) return [];
  return [{ nodeId: id, ...(payloadType && { payloadType }), changes, ...(isTagged && { tags }) }];
}

function bookmarksOf({ bookmarks }: Differences): Diff['bookmarks'] {
  if (bookmarks.size === 0) return undefined;
  const pairs = [...bookmarks.values()].sort((a, b) => (labelOf(a) < labelOf(b) ? -1 : 1));
  return { added: rowsOn(pairs, 'after'), removed: rowsOn(pairs, 'before') };
}

const labelOf = ({ before, after }: Pair<Bookmark>): string => (before ?? after)?.label ?? '';
