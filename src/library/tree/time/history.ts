/** Who changed what: revisions, newest first, with the nodes that each of them touched. */
import { invalidArgument, notFound } from '../../../errors.js';
import type { Sql } from '../../../storage/sql.js';
import type { Node } from '../node.js';
import { oldestRevision } from '../tree.js';
import { formatVersion } from '../version.js';
import { type Pair, type Touching, touchingByRevision } from './differences.js';
import { displacedChildren, isReranked } from './displaced.js';
import { holdersAt } from './rows.js';
import { touchedNodes } from './touched.js';

/** What a revision is: a change, or one that takes another back. */
export type RevisionKind = 'change' | 'undo' | 'redo';

export type Revision = { revision: number; at: number; agent: string; tool: string; kind: RevisionKind };

/** A revision with what it touched; undefined where the rows that would tell are no longer kept. */
export type RevisionEntry = Revision & { nodeIds: string[] | undefined };

/** Which revisions: both ends included, and only those before `before`, where a page goes on. */
export type Span = { from: number; to: number; before: number | undefined; limit: number };

const columns = 'revision, at, agent, tool, kind';

/** The newest revisions of a span. */
export async function listRevisions(sql: Sql, { from, to, before, limit }: Span): Promise<RevisionEntry[]> {
  const last = Math.min(to, (before ?? Number.MAX_SAFE_INTEGER) - 1);
  const rows = await sql.all<Revision>(
    `SELECT ${columns} FROM revisions WHERE revision >= ? AND revision <= ? ORDER BY revision DESC LIMIT ?`,
    [from, last, limit],
  );
  const oldest = await oldestRevision(sql);
  const known = rows.filter(({ revision }) => revision > oldest);
  if (known.length === 0) return rows.map((row) => ({ ...row, nodeIds: undefined }));
  const [newest, first] = [known[0] as Revision, known.at(-1) as Revision];
  const touching = await touchingByRevision(sql, first.revision, newest.revision);
  return withTouched(sql, rows, touching);
}

/** The newest revisions of a span that changed a node, its payload or its tags, or bookmarks that point to it. */
export async function listRevisionsOf(sql: Sql, nodeId: string, span: Span): Promise<RevisionEntry[]> {
  const { from, to, before = Number.MAX_SAFE_INTEGER, limit } = span;
  const all = [...(await revisionsOf(sql, nodeId))].filter((one) => one >= from && one <= to && one < before);
  const entries: RevisionEntry[] = [];
  for (const revision of all.sort((a, b) => b - a)) {
    if (entries.length === limit) break;
    const row = await sql.get<Revision>(`SELECT ${columns} FROM revisions WHERE revision = ?`, [revision]);
    const touching = await touchingByRevision(sql, revision, revision);
    const [entry] = await withTouched(sql, row ? [row] : [], touching);
    // Spreading siblings anew writes rows, but is no change of theirs.
    if (entry && (entry.nodeIds === undefined || entry.nodeIds.includes(nodeId))) entries.push(entry);
  }
  return entries;
}

async function withTouched(
  sql: Sql,
  rows: Revision[],
  touching: ReadonlyMap<number, Touching>,
): Promise<RevisionEntry[]> {
  const oldest = await oldestRevision(sql);
  const entries: RevisionEntry[] = [];
  for (const row of rows) {
    const touched = row.revision > oldest ? touching.get(row.revision) : undefined;
    entries.push({ ...row, nodeIds: touched && (await touchedBy(sql, row.revision, touched)) });
  }
  return entries;
}

async function touchedBy(sql: Sql, revision: number, touching: Touching): Promise<string[]> {
  const { nodes, replaced } = touching;
  const holders = await holdersAt(sql, revision, replaced);
  const reranked = [...nodes.values()].some((pair: Pair<Node>) => isReranked(pair));
  const reordered = reranked ? await displacedChildren(sql, revision - 1, revision, nodes) : new Map();
  return [...touchedNodes(touching, holders, new Set(reordered.keys()))];
}

type Bounds = { since: number; until: number | null };

/** Every revision in which a row of the node, of its payload, its tags or its bookmarks began or ended. */
async function revisionsOf(sql: Sql, nodeId: string): Promise<Set<number>> {
  const versions = await sql.all<Bounds & { payloadId: string | null }>(
    `SELECT since, NULL AS until, payload_id AS payloadId FROM nodes WHERE id = ?
     UNION ALL SELECT since, until, payload_id FROM node_history WHERE id = ?`,
    [nodeId, nodeId],
  );
  if (versions.length === 0) throw neverThere(nodeId);
  const labels = await sql.all<Bounds>(
    `SELECT since, NULL AS until FROM tags WHERE node_id = ?
     UNION ALL SELECT since, until FROM tag_history WHERE node_id = ?
     UNION ALL SELECT since, NULL FROM bookmarks WHERE node_id = ?
     UNION ALL SELECT since, until FROM bookmark_history WHERE node_id = ?`,
    [nodeId, nodeId, nodeId, nodeId],
  );
  const found = [...versions, ...labels].flatMap(({ since, until }) => (until === null ? [since] : [since, until]));
  for (const payloadId of new Set(versions.map((version) => version.payloadId))) {
    if (payloadId !== null) found.push(...(await replacementsOf(sql, payloadId)));
  }
  return new Set(found.filter((revision) => revision > 0));
}

async function replacementsOf(sql: Sql, payloadId: string): Promise<number[]> {
  const rows = await sql.all<{ until: number }>('SELECT until FROM payload_history WHERE id = ?', [payloadId]);
  return rows.map(({ until }) => until);
}

const neverThere = (nodeId: string) =>
  notFound`Invalid nodeId '${nodeId}': no such node is or was there`.advise(
    'Use get_view, search or list_children to find the ids of nodes, or leave nodeId out.',
  );

/** Refuses a span that ends before it begins. */
export function checkSpan(from: number, to: number): void {
  if (from <= to) return;
  throw invalidArgument`fromVersion: '${formatVersion(from)}' is later than toVersion '${formatVersion(to)}'`;
}
