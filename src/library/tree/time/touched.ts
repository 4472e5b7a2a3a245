/** Whom differences concern: the nodes that they touch, and whether a caller has seen their latest state. */
import { conflict, plainFailure } from '../../../errors.js';
import type { Change } from '../change.js';
import type { Node } from '../node.js';
import { equalJson, formatPath, type Payload, valueAt } from '../payload.js';
import { oldestRevision } from '../tree.js';
import { findType, parseProtected } from '../types.js';
import { currentRevision, formatVersion } from '../version.js';
import { type Differences, differencesBetween, type Pair } from './differences.js';
import { isReranked } from './displaced.js';
import { growthOf } from './revert.js';
import { holdersAt } from './rows.js';

/** Whether the pair differs in more than a rank that spreading gave. */
const isReal = (pair: Pair<Node>, reordered: ReadonlySet<string>): boolean =>
  !isReranked(pair) ||
  reordered.has(pair.after.parentId ?? '') ||
  JSON.stringify({ ...pair.before, rank: '' }) !== JSON.stringify({ ...pair.after, rank: '' });

/** The nodes that differ themselves, in their payloads or tags, or in what bookmarks point to them: by id. */
export function touchedNodes(
  { nodes, tags, bookmarks }: Omit<Differences, 'payloads'>,
  holders: readonly { id: string }[],
  reordered: ReadonlySet<string>,
): Set<string> {
  const real = [...nodes].filter(([, pair]) => isReal(pair, reordered));
  const labels = [...tags.values(), ...bookmarks.values()].flatMap(({ before, after }) => [before, after]);
  const ids = [
    ...real.map(([id]) => id),
    ...holders.map(({ id }) => id),
    ...labels.flatMap((row) => (row ? [row.nodeId] : [])),
  ];
  return new Set(ids.sort());
}

/** The payloads that both sides have, and that differ. */
export const replacedPayloads = ({ payloads }: Differences): string[] =>
  [...payloads].flatMap(([id, { before, after }]) => (before && after ? [id] : []));

export type Touch = { nodeIds: Set<string>; reordered: ReadonlySet<string> };

/** Refuses when anything that these differences touch has changed after the version that the caller had seen. */
export async function checkSeen(change: Change, wanted: Differences, { nodeIds, reordered }: Touch): Promise<void> {
  const { sql, basis } = change;
  const latest = await currentRevision(sql);
  if (basis === undefined || basis >= latest) return;
  const lists = [...growthOf(wanted.nodes, reordered).keys()];
  const stale = await sql.get<{ id: string }>(
    `SELECT id FROM nodes WHERE id IN (SELECT value FROM json_each(?)) AND changed > ?
     UNION ALL
     SELECT id FROM nodes WHERE id IN (SELECT value FROM json_each(?)) AND max(changed, children_changed) > ?
     LIMIT 1`,
    [JSON.stringify([...nodeIds]), basis, JSON.stringify(lists), basis],
  );
  const hit = stale?.id ?? (await changedAway(change, wanted, basis, latest, reordered));
  if (hit === undefined) return;
  throw conflict`Version '${formatVersion(basis)}' is out of date: '${hit}' has changed since`.with({
    currentVersion: formatVersion(latest),
    nodeIds: [hit],
  });
}

/** What is gone now bears no mark: it is found by comparing what the caller saw with what there is. */
async function changedAway(
  { sql }: Change,
  wanted: Differences,
  basis: number,
  latest: number,
  reordered: ReadonlySet<string>,
): Promise<string | undefined> {
  const oldest = await oldestRevision(sql);
  if (basis < oldest) return 'library';
  const since = await differencesBetween(sql, basis, latest);
  const node = [...since.nodes].find(([id, pair]) => wanted.nodes.has(id) && isReal(pair, reordered));
  const bookmark = [...since.bookmarks].find(([label]) => wanted.bookmarks.has(label));
  return node?.[0] ?? (bookmark && (bookmark[1].before ?? bookmark[1].after)?.nodeId);
}

/** Refuses to change a protected property for someone who may not. */
export async function checkProtected(change: Change, wanted: Differences): Promise<void> {
  if (change.mayChangeProtected) return;
  const ids = replacedPayloads(wanted);
  const now = await holdersAt(change.sql, await currentRevision(change.sql), ids);
  const rows = [...wanted.nodes.values()].flatMap(({ before, after }) => [before, after]);
  const types = new Map([...rows, ...now].flatMap((row) => (row?.payloadId ? [[row.payloadId, row.type]] : [])));
  for (const id of ids) await checkPaths(change, types.get(id) ?? '', wanted.payloads.get(id));
}

async function checkPaths({ sql }: Change, typeName: string, pair: Pair<{ data: string }> | undefined): Promise<void> {
  const type = await findType(sql, typeName);
  const parse = (row: { data: string } | undefined) => JSON.parse(row?.data ?? '{}') as Payload;
  const [before, after] = [parse(pair?.before), parse(pair?.after)];
  const paths = parseProtected(type?.protectedPaths ?? []);
  const hit = paths.find((path) => !equalJson(valueAt(before, path), valueAt(after, path)));
  if (!hit) return;
  throw plainFailure('forbidden', `Property '${formatPath(hit)}' of a '${typeName}' is protected`).advise(
    'Only an owner changes it, also by restoring or undoing. Ask an owner.',
  );
}
