/** What differs: between two snapshots, or between two subtrees. */
import { z } from 'zod';
import { diffBetween } from '../../library/tree/time/diff.js';
import { revisionOf } from '../../library/tree/time/snapshots.js';
import { diffSubtrees } from '../../library/tree/time/subtree-diff.js';
import { currentTree, versionOf } from '../../library/tree/tree.js';
import { currentVersion } from '../../library/tree/version.js';
import { defineTool } from '../define.js';
import { payload, version } from './shapes.js';

const after = z.string().nullable().describe('The sibling right before it on its side, null where it is the first.');

const content = { payloadType: z.string(), after, payload, tags: z.array(z.string()) };

const changes = z
  .array(z.object({ path: z.string(), before: z.unknown().optional(), after: z.unknown().optional() }))
  .describe('Properties that differ. No before: it is new; no after: it is gone. Lists are compared as a whole.');

const difference = {
  payloadType: z.object({ before: z.string(), after: z.string() }).optional(),
  changes,
  tags: z.object({ added: z.array(z.string()), removed: z.array(z.string()) }).optional(),
};

const bookmark = z.object({ label: z.string(), nodeId: z.string() });

const snapshotDiffShape = z.object({
  added: z.array(z.object({ nodeId: z.string(), parentId: z.string(), ...content })),
  removed: z.array(z.object({ nodeId: z.string(), parentId: z.string(), ...content })),
  moved: z.array(z.object({ nodeId: z.string(), from: z.string(), to: z.string(), after })),
  reordered: z.array(z.object({ nodeId: z.string(), parentId: z.string(), after })),
  changed: z.array(z.object({ nodeId: z.string(), ...difference })),
  bookmarks: z.object({ added: z.array(bookmark), removed: z.array(bookmark) }).optional(),
});

/** A diff lists no more than this of each kind; what is beyond is only counted. */
const MOST_ENTRIES = 5000;

const truncated = z
  .object({ added: z.number(), removed: z.number(), moved: z.number(), reordered: z.number(), changed: z.number() })
  .optional()
  .describe('There was too much to list: how many there are of each kind. Compare smaller parts, or closer snapshots.');

type Lists = Record<'added' | 'removed' | 'moved' | 'reordered' | 'changed', readonly unknown[]>;

/** The diff within its bounds, and the true counts where it was cut. */
function bounded<Diff extends Lists>(diff: Diff) {
  const { added, removed, moved, reordered, changed } = diff;
  const lists: Lists = { added, removed, moved, reordered, changed };
  if (Object.values(lists).every((list) => list.length <= MOST_ENTRIES)) return { diff };
  const each = <Value>(show: (list: readonly unknown[]) => Value) =>
    Object.fromEntries(Object.entries(lists).map(([kind, list]) => [kind, show(list)]));
  const cut = { ...diff, ...each((list) => list.slice(0, MOST_ENTRIES)) };
  return { diff: cut, truncated: each((list) => list.length) as Record<keyof Lists, number> };
}

export const snapshotDiff = defineTool({
  name: 'snapshot_diff',
  toolset: 'tree-advanced',
  summary:
    'Compare two snapshots of the library, or a snapshot with the present: what was added, removed, moved, reordered and changed on the way from a to b.',
  effect: 'read',
  input: {
    a: z.string().describe('Id of the snapshot to start from, or its label if no other has the same, or now.'),
    b: z.string().describe('The same for the snapshot to end at. now is the current library.'),
  },
  output: { diff: snapshotDiffShape, truncated, version },
  example: { input: { a: 'start', b: 'now' } },
  errors: ['invalid_argument', 'not_found'],
  run: async ({ a, b }, { sql }) => {
    const [from, to] = [await revisionOf(sql, a, 'a'), await revisionOf(sql, b, 'b')];
    return { ...bounded(await diffBetween(sql, from, to)), version: await currentVersion(sql) };
  },
});

const path = z
  .array(z.string())
  .describe(
    'Names from the root of the subtree down, without the root. Name[2] is the second of a name, <note> has none.',
  );

const matched = {
  path,
  nodeId: z.string().describe('The node in the first subtree.'),
  matchId: z.string().describe('Its match in the second subtree.'),
};

const subtreeDiffShape = z.object({
  added: z.array(z.object({ path, nodeId: z.string(), ...content })),
  removed: z.array(z.object({ path, nodeId: z.string(), ...content })),
  moved: z.array(z.never()).describe('Always empty: nodes that match by path stand at the same path.'),
  reordered: z.array(z.object({ ...matched, after })),
  changed: z.array(z.object({ ...matched, ...difference })),
});

export const diffSubtree = defineTool({
  name: 'diff_subtree',
  toolset: 'tree-advanced',
  summary:
    'Compare two subtrees of the library, such as a copy with its original. Nodes match by the path of their names, then by position; after is the name of the sibling before.',
  effect: 'read',
  input: {
    aId: z.string().describe('Id of the root of the first subtree.'),
    bId: z.string().describe('Id of the root of the second subtree.'),
  },
  output: { diff: subtreeDiffShape, truncated, version },
  example: { input: { aId: 'projects', bId: 'archive' } },
  errors: ['not_found', 'invalid_argument'],
  run: async ({ aId, bId }, { sql }) => {
    const tree = await currentTree(sql);
    return { ...bounded(await diffSubtrees(tree, aId, bId)), version: versionOf(tree) };
  },
});
