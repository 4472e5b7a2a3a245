/**
 * Making rows hold again: writes differences as a change like any other, with the rows that it
 * replaces kept, and with the marks by which writers and counts know of it.
 */
import type { Change } from '../change.js';
import type { Node } from '../node.js';
import type { Payload } from '../payload.js';
import { addTags, dropBookmark, removeTags, setBookmark } from '../tags.js';
import { insertRow, keepVersion, markChildrenChanged, replacePayload } from '../write.js';
import type { Differences, Pair } from './differences.js';
import { isReranked } from './displaced.js';

/**
 * Writes what stands on the `after` side of the differences; `before` is what holds now.
 * `reordered` has the parents whose children take another order: elsewhere a new rank is no
 * change that a writer must have seen.
 */
export async function writeDifferences(
  change: Change,
  wanted: Differences,
  reordered: ReadonlySet<string>,
): Promise<void> {
  await dropLabels(change, wanted);
  for (const pair of wanted.nodes.values()) await writeNode(change, pair, reordered);
  await markParents(change, wanted, reordered);
  for (const [id, { before, after }] of wanted.payloads) {
    // A payload that nobody held on the wanted side stays: the history still points to it.
    if (before && after) await replacePayload(change, id, JSON.parse(after.data) as Payload);
  }
  await addLabels(change, wanted);
}

async function dropLabels(change: Change, { tags, bookmarks }: Differences): Promise<void> {
  for (const { before, after } of tags.values()) {
    if (before && !after) await removeTags(change, before.nodeId, [before.tag]);
  }
  for (const { before, after } of bookmarks.values()) if (before && !after) await dropBookmark(change, before.label);
}

async function addLabels(change: Change, { tags, bookmarks }: Differences): Promise<void> {
  for (const { before, after } of tags.values()) if (after && !before) await addTags(change, after.nodeId, [after.tag]);
  for (const { after } of bookmarks.values()) if (after) await setBookmark(change, after);
}

async function writeNode(change: Change, { before, after }: Pair<Node>, reordered: ReadonlySet<string>): Promise<void> {
  if (before) await keepVersion(change, before.id);
  if (!after) await change.sql.run('DELETE FROM nodes WHERE id = ?', [before?.id ?? null]);
  else if (!before) await insertRow(change, after);
  else await updateRow(change, after, isQuiet(before, after, reordered));
}

async function updateRow(change: Change, node: Node, quiet: boolean): Promise<void> {
  const { parentId, rank, type, name, status, payloadId, id } = node;
  const now = await change.revision();
  await change.sql.run(
    `UPDATE nodes SET parent_id = ?, rank = ?, type = ?, name = ?, status = ?, payload_id = ?, since = ?,
       changed = CASE WHEN ? THEN changed ELSE ? END WHERE id = ?`,
    [parentId, rank, type, name, status, payloadId, now, quiet ? 1 : 0, now, id],
  );
}

/** Whether the node has another rank and nothing else: spread anew, in the order that it had. */
const isQuiet = (before: Node, after: Node, reordered: ReadonlySet<string>): boolean =>
  isReranked({ before, after }) &&
  !reordered.has(after.parentId ?? '') &&
  JSON.stringify({ ...before, rank: after.rank }) === JSON.stringify(after);

/** The lists of children that have changed: how many more or fewer each parent has now. */
async function markParents(change: Change, { nodes }: Differences, reordered: ReadonlySet<string>): Promise<void> {
  for (const [parentId, growth] of growthOf(nodes, reordered)) await markChildrenChanged(change, parentId, growth);
}

/** The parents whose lists of children differ, each with how many more it has on the `after` side. */
export function growthOf(nodes: ReadonlyMap<string, Pair<Node>>, reordered: ReadonlySet<string>): Map<string, number> {
  const growth = new Map([...reordered].map((parentId) => [parentId, 0]));
  const add = (parentId: string | null | undefined, count: number) => {
    if (parentId) growth.set(parentId, (growth.get(parentId) ?? 0) + count);
  };
  for (const { before, after } of nodes.values()) {
    if (before?.parentId === after?.parentId) continue;
    add(before?.parentId, -1);
    add(after?.parentId, 1);
  }
  return growth;
}
