/** Snapshots of the library: make one, list them, go back to one. */
import { z } from 'zod';
import { invalidArgument } from '../../errors.js';
import {
  createSnapshot,
  listSnapshots,
  NOW,
  removeSnapshot,
  restoreSnapshot,
} from '../../library/tree/time/snapshots.js';
import { currentVersion, formatVersion } from '../../library/tree/version.js';
import { defineTool } from '../define.js';
import { changed, changedMany, touched, version } from './shapes.js';

const snapshotId = z.string().describe('Id of the snapshot.');

export const snapshotCreate = defineTool({
  name: 'snapshot_create',
  toolset: 'tree-advanced',
  summary:
    'Take a snapshot of the library under a label, to compare with it or to go back to it. It copies nothing, whatever the size.',
  effect: 'write',
  versionRule: 'required',
  input: { label: z.string().min(1).max(200).describe('Label of the snapshot. Several may have the same one.') },
  output: { snapshotId, ...changed },
  example: { input: { label: 'Before the clean-up' } },
  errors: ['invalid_argument', 'conflict'],
  run: async ({ label }, { change }) => {
    if (label === NOW)
      throw invalidArgument`label: '${label}' stands for the current library`.advise('Choose another.');
    const { id } = await createSnapshot(change, label);
    return { snapshotId: id, nodeIds: [], version: await change.version() };
  },
});

export const snapshotList = defineTool({
  name: 'snapshot_list',
  toolset: 'tree-advanced',
  summary: 'List the snapshots of the library, oldest first: labels, ids, versions, when and by whom they were taken.',
  effect: 'read',
  input: {},
  output: {
    snapshots: z.array(
      z.object({
        snapshotId,
        label: z.string(),
        version: z.string().describe('The version that it holds: read it with atVersion.'),
        at: z.string().describe('When it was taken, as ISO 8601.'),
        agent: z.string(),
      }),
    ),
    version,
  },
  example: { input: {} },
  errors: [],
  run: async (_, { sql }) => {
    const snapshots = (await listSnapshots(sql)).map(({ id, label, revision, at, agent }) => ({
      snapshotId: id,
      label,
      version: formatVersion(revision),
      at: new Date(at).toISOString(),
      agent,
    }));
    return { snapshots, version: await currentVersion(sql) };
  },
});

export const snapshotRestore = defineTool({
  name: 'snapshot_restore',
  toolset: 'tree-advanced',
  summary:
    'Restore the library to a snapshot: nodes, order, payloads, tags and bookmarks become exactly what they were. A safety snapshot of the present is taken first; undo takes the restore back.',
  effect: 'write',
  versionRule: 'required',
  input: { snapshotId: z.string().describe('Id of the snapshot, or its label if no other has the same.') },
  output: { safetySnapshotId: z.string().describe('Snapshot of the library as it was before.'), ...changedMany },
  example: { input: { snapshotId: 'start' } },
  errors: ['invalid_argument', 'not_found', 'conflict', 'forbidden'],
  run: async ({ snapshotId }, { change }) => {
    const { safetySnapshotId, nodeIds } = await restoreSnapshot(change, snapshotId, 'snapshotId');
    return { safetySnapshotId, ...touched(nodeIds), version: await change.version() };
  },
});

export const snapshotRemove = defineTool({
  name: 'snapshot_remove',
  toolset: 'tree-advanced',
  summary: 'Remove a snapshot. The library stays as it is; history that only this snapshot kept may be dropped later.',
  effect: 'destroy',
  versionRule: 'required',
  input: { snapshotId: z.string().describe('Id of the snapshot, or its label if no other has the same.') },
  output: { snapshotId, ...changed },
  example: { input: { snapshotId: 'start' } },
  errors: ['invalid_argument', 'not_found', 'conflict'],
  run: async ({ snapshotId }, { change }) => {
    const removed = await removeSnapshot(change.sql, snapshotId, 'snapshotId');
    return { snapshotId: removed, nodeIds: [], version: await change.version() };
  },
});
