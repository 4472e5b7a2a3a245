/** Undo and redo: an agent takes back its own last change, by the inverse of exactly what that change did. */
import { conflict, type Failure, plainFailure } from '../../../errors.js';
import type { Sql } from '../../../storage/sql.js';
import type { Change } from '../change.js';
import type { Node, StoredNode } from '../node.js';
import { rankAt } from '../place.js';
import { findNode, isWithin, type Sibling } from '../read.js';
import { oldestRevision } from '../tree.js';
import { currentRevision, formatVersion } from '../version.js';
import { setRank } from '../write.js';
import { type Differences, differencesBetween, inverse, isEmpty, type Pair } from './differences.js';
import { displacedChildren, isReranked } from './displaced.js';
import { groupedBy } from './group.js';
import type { RevisionKind } from './history.js';
import { obstacles } from './obstacles.js';
import { writeDifferences } from './revert.js';
import { holdersAt } from './rows.js';
import { bySibling, previousSibling, previousSiblings } from './siblings.js';
import { checkProtected, checkSeen, replacedPayloads, touchedNodes } from './touched.js';

/** What was taken back: the revision, the tool that had made it, and the nodes that it touched. */
export type Reverted = { revision: number; tool: string; nodeIds: string[]; version: string };

type Revision = { revision: number; tool: string; kind: RevisionKind };

/** Takes back the last change of the agent that has not been taken back. */
export async function undoLast(change: Change): Promise<Reverted> {
  const last = await lastWithEffect(change.sql, (before) => lastChange(change, before));
  if (!last) throw nothingTo('undo', 'no change of yours is left to take back');
  return revert(change, last, 'undo');
}

/** Takes back the last undo of the agent, unless it has made another change since. */
export async function redoLast(change: Change): Promise<Reverted> {
  const newest = await newestChange(change);
  const last = await lastWithEffect(change.sql, (before) => lastUndo(change, before));
  if (!last) throw nothingTo('redo', 'you have undone nothing that is not redone');
  if (newest > last.revision) throw nothingTo('redo', 'you have made another change since you last undid one');
  return revert(change, last, 'redo');
}

const nothingTo = (what: 'undo' | 'redo', reason: string): Failure =>
  plainFailure('invalid_argument', `Nothing to ${what}: ${reason}`).advise(
    'Use history to see who changed what. snapshot_restore brings back the tree as it was.',
  );

type Find = (before: number) => Promise<Revision | undefined>;

const lastOfKind = ({ sql, agent }: Change, kinds: string, before: number) =>
  sql.get<Revision>(
    `SELECT revision, tool, kind FROM revisions
     WHERE agent = ? AND revision < ? AND kind IN (${kinds}) AND reverted_by IS NULL ORDER BY revision DESC LIMIT 1`,
    [agent, before],
  );

const lastChange = (change: Change, before: number) => lastOfKind(change, "'change', 'redo'", before);
const lastUndo = (change: Change, before: number) => lastOfKind(change, "'undo'", before);

async function newestChange({ sql, agent }: Change): Promise<number> {
  const row = await sql.get<{ revision: number }>(
    "SELECT revision FROM revisions WHERE agent = ? AND kind = 'change' ORDER BY revision DESC LIMIT 1",
    [agent],
  );
  return row?.revision ?? 0;
}

type Done = Revision & { done: Differences };

/** The last revision that counts: a change of nothing would make an undo that nobody sees. */
async function lastWithEffect(sql: Sql, find: Find): Promise<Done | undefined> {
  const oldest = await oldestRevision(sql);
  let before = Number.MAX_SAFE_INTEGER;
  for (;;) {
    const found = await find(before);
    // What a change replaced is gone once the history before it is.
    if (!found || found.revision <= oldest) return undefined;
    const done = await differencesBetween(sql, found.revision - 1, found.revision);
    if (found.kind !== 'change' || !isEmpty(done)) return { ...found, done };
    before = found.revision;
  }
}

async function revert(change: Change, { revision, tool, done }: Done, what: 'undo' | 'redo'): Promise<Reverted> {
  const { sql } = change;
  const latest = await currentRevision(sql);
  const later = await differencesBetween(sql, revision, latest);
  const holders = await holdersAt(sql, latest, replacedPayloads(done));
  const movedSince = new Set((await displacedChildren(sql, revision, latest, later.nodes)).keys());
  const inTheWay = obstacles({ done, later, reordered: movedSince, holders });
  if (inTheWay.size > 0) throw blocked(what, revision, latest, inTheWay);

  const movedThen = new Set((await displacedChildren(sql, revision - 1, revision, done.nodes)).keys());
  const touched = touchedLists(later);
  const wanted = { ...inverse(done), nodes: wantedNodes(done, later, touched, movedThen) };
  const nodeIds = touchedNodes(wanted, holders, movedThen);
  await checkSeen(change, wanted, { nodeIds, reordered: movedThen });
  await checkProtected(change, wanted);
  await writeDifferences(change, wanted, movedThen);
  await settle(change, revision - 1, wanted.nodes, touched);
  await refuseCycles(change, wanted.nodes, () => blocked(what, revision, latest, nodeIds));
  const now = await change.revision();
  await sql.run('UPDATE revisions SET kind = ? WHERE revision = ?', [what, now]);
  await sql.run('UPDATE revisions SET reverted_by = ? WHERE revision = ?', [now, revision]);
  return { revision, tool, nodeIds: [...nodeIds], version: formatVersion(now) };
}

function blocked(what: 'undo' | 'redo', revision: number, latest: number, nodeIds: Iterable<string>): Failure {
  return conflict`Cannot ${what} '${formatVersion(revision)}': what it changed has been changed since`
    .with({ currentVersion: formatVersion(latest), nodeIds: [...nodeIds].slice(0, 100) })
    .advise('Look at nodeIds and make the change that you want by hand, with the version that the read returns.');
}

/** The parents whose lists of children have changed since. */
function touchedLists({ nodes }: Differences): Set<string> {
  const pairs = [...nodes.values()].filter(
    (pair) => pair.before?.parentId !== pair.after?.parentId || isReranked(pair),
  );
  return new Set(pairs.flatMap(({ before, after }) => [before?.parentId ?? '', after?.parentId ?? '']));
}

/** The rows to write: as they were before the change, but for the places and contents that it did not touch. */
function wantedNodes(
  done: Differences,
  later: Differences,
  touched: ReadonlySet<string>,
  reordered: ReadonlySet<string>,
): Map<string, Pair<Node>> {
  const wanted = new Map<string, Pair<Node>>();
  for (const [id, pair] of done.nodes) {
    const now = later.nodes.has(id) ? later.nodes.get(id)?.after : pair.after;
    const row = pair.before && pair.after && now ? merged(pair.before, pair.after, now) : pair.before;
    const parentId = row?.parentId ?? '';
    // Where others have worked in the list since, ranks that spreading gave must stay.
    const stays = isReranked(pair) && touched.has(parentId) && !reordered.has(parentId);
    const after = row && now && stays ? { ...row, rank: now.rank } : row;
    if (JSON.stringify(now) !== JSON.stringify(after)) wanted.set(id, { before: now, after });
  }
  return wanted;
}

/** The row of now with what the change had replaced: its place, its content, or both. */
function merged(before: Node, after: Node, now: Node): Node {
  const moved = before.parentId !== after.parentId || before.rank !== after.rank;
  const place = moved ? before : now;
  const { type, name, status, payloadId } = sameContent(before, after) ? now : before;
  return { id: now.id, parentId: place.parentId, rank: place.rank, type, name, status, payloadId };
}

const contentOf = ({ type, name, status, payloadId }: Node) => JSON.stringify([type, name, status, payloadId]);
const sameContent = (one: Node, other: Node): boolean => contentOf(one) === contentOf(other);

/**
 * Old ranks mean nothing in a list that others have changed since. There, each node that came back
 * goes right behind the nearest sibling that stood before it then and still does.
 */
async function settle(
  change: Change,
  then: number,
  nodes: ReadonlyMap<string, Pair<Node>>,
  touched: ReadonlySet<string>,
): Promise<void> {
  const placed = [...nodes.values()].filter(
    ({ before, after }) =>
      after && touched.has(after.parentId ?? '') && (before?.parentId !== after.parentId || before.rank !== after.rank),
  );
  const nodesBelow = groupedBy(
    placed.map(({ after }) => after as Node),
    ({ parentId }) => parentId as string,
  );
  for (const [parentId, children] of nodesBelow) {
    const parent = (await findNode(change.sql, parentId)) as StoredNode;
    const previous = await previousSiblings(change.sql, then, parentId, children);
    for (const node of children.sort(bySibling)) {
      const sibling = await standingFrom(change, then, parentId, previous.get(node.id));
      const place = sibling ? { parent, sibling, side: 'after' as const } : { parent, edge: 'first' as const };
      await setRank(change, node.id, await rankAt(change, place, node.id));
    }
  }
}

/** The first that still stands below the parent, from a sibling of then towards the front. */
async function standingFrom(
  { sql }: Change,
  then: number,
  parentId: string,
  start: Sibling | undefined,
): Promise<StoredNode | undefined> {
  for (let at = start; at; at = await previousSibling(sql, then, parentId, at)) {
    const sibling = await findNode(sql, at.id);
    if (sibling?.parentId === parentId) return sibling;
  }
  return undefined;
}

/** Others may have moved the old parent below the node that goes back to it. */
async function refuseCycles(
  { sql }: Change,
  nodes: ReadonlyMap<string, Pair<Node>>,
  refusal: () => Failure,
): Promise<void> {
  for (const { before, after } of nodes.values()) {
    const moved = before && after?.parentId && before.parentId !== after.parentId;
    if (moved && (await isWithin(sql, after.parentId as string, after.id))) throw refusal();
  }
}
