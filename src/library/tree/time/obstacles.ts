/** What stands in the way of taking a change back: everything of it that has been changed again since. */
import type { Node } from '../node.js';
import type { Differences, Pair } from './differences.js';
import { isReranked } from './displaced.js';
import { groupedBy } from './group.js';

const hasMoved = ({ before, after }: Pair<Node>): boolean =>
  before?.parentId !== after?.parentId || before?.rank !== after?.rank;

/** Whether the node holds something else: its own properties, its type, or another payload. */
const holdsOther = ({ before, after }: Pair<Node>): boolean =>
  before?.type !== after?.type ||
  before?.name !== after?.name ||
  before?.status !== after?.status ||
  before?.payloadId !== after?.payloadId;

const isGone = (pair: Pair<unknown> | undefined): boolean => pair !== undefined && pair.after === undefined;

/** What is known when a change is to be taken back. */
export type Situation = {
  /** What the change did, and what has changed since. */
  done: Differences;
  later: Differences;
  /** The parents whose children have since taken another order. */
  reordered: ReadonlySet<string>;
  /** The nodes that now hold a payload which the change replaced. */
  holders: readonly { id: string; payloadId: string }[];
};

/** The nodes that are in the way of undoing a change. */
export function obstacles(situation: Situation): Set<string> {
  const { done, later, reordered } = situation;
  const claims = claimsOf(done, later);
  const found = new Set<string>([...payloadObstacles(situation), ...labelObstacles(situation)]);
  for (const [id, pair] of done.nodes) {
    if (isChangedAgain(pair, later.nodes.get(id), reordered)) found.add(id);
    if (!pair.before) for (const claimant of claims(pair.after as Node)) found.add(claimant);
    const parentId = pair.before?.parentId ?? null;
    if (parentId !== null && !existsAfter(parentId, situation)) found.add(parentId);
  }
  return found;
}

/** Place and content are two things: whoever has since changed the one does not block the other. */
function isChangedAgain(done: Pair<Node>, later: Pair<Node> | undefined, reordered: ReadonlySet<string>): boolean {
  if (!later) return false;
  if (!later.before || !later.after) return true;
  const isSpread = isReranked(later) && !reordered.has(later.after.parentId ?? '');
  if (!done.before) return holdsOther(later) || (hasMoved(later) && !isSpread);
  return (holdsOther(done) && holdsOther(later)) || (hasMoved(done) && hasMoved(later) && !isSpread);
}

/** A node that was made goes away again: what others have hung on it since would go with it. */
function claimsOf(done: Differences, later: Differences): (node: Node) => string[] {
  const staying = [...later.nodes.values()].flatMap(({ after }) => {
    const pair = after && done.nodes.get(after.id);
    return after && (!pair || pair.before?.parentId === after.parentId) ? [after] : [];
  });
  const children = groupedBy(staying, ({ parentId }) => parentId);
  const labels = [...later.tags.values(), ...later.bookmarks.values()];
  const labelled = new Set(labels.flatMap(({ after }) => (after ? [after.nodeId] : [])));
  return ({ id, payloadId }) => {
    const rewritten = payloadId !== null && later.payloads.has(payloadId);
    return [...(children.get(id) ?? []).map((child) => child.id), ...(labelled.has(id) || rewritten ? [id] : [])];
  };
}

/** Whether a node that was there before the change is there once it is undone. */
const existsAfter = (id: string, { done, later }: Situation): boolean =>
  done.nodes.get(id)?.before !== undefined || !isGone(later.nodes.get(id));

/** Payloads that were written again, or that nobody holds any more. */
function payloadObstacles(situation: Situation): string[] {
  const { done, later, holders } = situation;
  const replaced = [...done.payloads].filter(([, { before, after }]) => before && after).map(([id]) => id);
  const again = new Set(replaced.filter((id) => later.payloads.has(id)));
  const returning = [...done.nodes.values()].map(({ before }) => before?.payloadId);
  const held = new Set([...holders.map(({ payloadId }) => payloadId), ...returning]);
  const lost = new Set(replaced.filter((id) => !held.has(id)));
  const gone = [...later.nodes.values()].flatMap(({ before }) =>
    before && lost.has(before.payloadId ?? '') ? [before.id] : [],
  );
  return [...gone, ...holders.flatMap(({ id, payloadId }) => (again.has(payloadId) ? [id] : []))];
}

/** Tags and bookmarks that were set again, or whose node is gone. */
function labelObstacles(situation: Situation): string[] {
  const { done, later } = situation;
  const isLost = (row: { nodeId: string } | undefined) => row !== undefined && !existsAfter(row.nodeId, situation);
  const tags = [...done.tags].filter(([key, { before }]) => later.tags.has(key) || isLost(before));
  const marks = [...done.bookmarks].filter(([label, { before }]) => later.bookmarks.has(label) || isLost(before));
  return [...tags, ...marks].flatMap(([, { before, after }]) => (before ?? after)?.nodeId ?? []);
}
