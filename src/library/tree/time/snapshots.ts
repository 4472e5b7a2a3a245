/** Snapshots: labels on revisions. Nothing is copied; what a snapshot needs is kept for as long as it exists. */
import { type Failure, invalidArgument, notFound } from '../../../errors.js';
import type { Sql } from '../../../storage/sql.js';
import type { Change } from '../change.js';
import { currentRevision } from '../version.js';
import { differencesBetween, isEmpty } from './differences.js';
import { displacedChildren } from './displaced.js';
import { writeDifferences } from './revert.js';
import { holdersAt } from './rows.js';
import { checkProtected, checkSeen, replacedPayloads, touchedNodes } from './touched.js';

export type Snapshot = { id: string; label: string; revision: number; at: number; agent: string };

/** Stands for the current tree where a snapshot is asked for. */
export const NOW = 'now';

export async function createSnapshot(change: Change, label: string): Promise<Snapshot> {
  const { sql, agent, at } = change;
  const snapshot = { id: change.newId(), label, revision: await currentRevision(sql), at, agent };
  await sql.run('INSERT INTO snapshots (id, label, revision, at, agent) VALUES (?, ?, ?, ?, ?)', [
    snapshot.id,
    label,
    snapshot.revision,
    at,
    agent,
  ]);
  return snapshot;
}

const columns = 'id, label, revision, at, agent';

/** All snapshots, oldest first. */
export async function listSnapshots(sql: Sql): Promise<Snapshot[]> {
  return sql.all<Snapshot>(`SELECT ${columns} FROM snapshots ORDER BY revision, at, id`);
}

/** The snapshot of an id, or of a label that only one has. `argument` names it in failures. */
async function requireSnapshot(sql: Sql, key: string, argument: string): Promise<Snapshot> {
  const known = await sql.get<Snapshot>(`SELECT ${columns} FROM snapshots WHERE id = ?`, [key]);
  if (known) return known;
  const labelled = await sql.all<Snapshot>(`SELECT ${columns} FROM snapshots WHERE label = ? ORDER BY revision, id`, [
    key,
  ]);
  const [only] = labelled;
  if (only && labelled.length === 1) return only;
  throw only ? severalSnapshots(argument, key, labelled) : noSnapshot(argument, key);
}

/** Removes a snapshot, and answers its id. */
export async function removeSnapshot(sql: Sql, key: string, argument: string): Promise<string> {
  const { id } = await requireSnapshot(sql, key, argument);
  await sql.run('DELETE FROM snapshots WHERE id = ?', [id]);
  return id;
}

const noSnapshot = (argument: string, key: string): Failure =>
  notFound`Invalid ${argument} '${key}': snapshot not found`.advise(
    'Use snapshot_list to find the ids of snapshots, or snapshot_create to make one.',
  );

function severalSnapshots(argument: string, label: string, snapshots: readonly Snapshot[]): Failure {
  const snapshotIds = snapshots.slice(0, 20).map(({ id }) => id);
  return invalidArgument`Invalid ${argument} '${label}': ${snapshots.length} snapshots have this label: ${snapshotIds.join(', ')}`
    .with({ snapshotIds })
    .advise('Name one of them by its id.');
}

/** The revision that a snapshot stands for, or the current one for `now`. */
export async function revisionOf(sql: Sql, key: string, argument: string): Promise<number> {
  return key === NOW ? currentRevision(sql) : (await requireSnapshot(sql, key, argument)).revision;
}

export type Restored = { safetySnapshotId: string; nodeIds: string[] };

/** Makes the tree exactly what it was. What it is now is kept in a snapshot of its own. */
export async function restoreSnapshot(change: Change, key: string, argument: string): Promise<Restored> {
  const { sql } = change;
  const snapshot = await requireSnapshot(sql, key, argument);
  const latest = await currentRevision(sql);
  const wanted = await differencesBetween(sql, latest, snapshot.revision);
  const reordered = new Set((await displacedChildren(sql, latest, snapshot.revision, wanted.nodes)).keys());
  const holders = await holdersAt(sql, latest, replacedPayloads(wanted));
  const nodeIds = touchedNodes(wanted, holders, reordered);
  await checkSeen(change, wanted, { nodeIds, reordered });
  await checkProtected(change, wanted);
  const safety = await createSnapshot(change, `before restore of ${snapshot.label}`);
  if (!isEmpty(wanted)) await writeDifferences(change, wanted, reordered);
  return { safetySnapshotId: safety.id, nodeIds: [...nodeIds] };
}
