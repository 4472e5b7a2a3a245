/** The rows of collections: what they are, how their last sync went, and how to drop them with all they hold. */
import { removeCollectionWords } from '../search/keyword-index.js';
import type { Sql } from '../storage/sql.js';
import type { SourceSpec, SourceState } from './source.js';
import { publicUrl } from './url.js';

/** A collection as it is stored. Times are ISO 8601. */
export type CollectionRecord = {
  id: string;
  type: SourceSpec['type'];
  path: string | null;
  glob: string | null;
  url: string | null;
  name: string | null;
  version: string | null;
  lastSyncAt: string | null;
  createdAt: string;
  updatedAt: string;
  /** Whether the last sync got every document. */
  complete: boolean;
  /** What went wrong in the last sync. */
  lastError: string | null;
  state: SourceState;
};

const toTime = (now: number): string => new Date(now).toISOString();

/** Makes the row of a collection, unless it is there. */
export async function ensureCollection(sql: Sql, id: string, spec: SourceSpec, now: number): Promise<void> {
  const [path, glob, url] = spec.type === 'file' ? [spec.path, spec.glob, null] : [null, null, publicUrl(spec.url)];
  await sql.run(
    `INSERT INTO collections (id, type, path, glob, url, created_at, updated_at) VALUES (?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (id) DO NOTHING`,
    [id, spec.type, path, glob, url, toTime(now), toTime(now)],
  );
}

type Row = Omit<CollectionRecord, 'complete' | 'state'> & SourceState & { complete: number };

const columns = `id, type, path, glob, url, name, version, last_sync_at AS lastSyncAt, created_at AS createdAt,
  updated_at AS updatedAt, complete, last_error AS lastError, manifest_hash AS manifestHash,
  bundle_hash AS bundleHash, etag, last_modified AS lastModified`;

function toRecord({ complete, manifestHash, bundleHash, etag, lastModified, ...rest }: Row): CollectionRecord {
  return { ...rest, complete: complete === 1, state: { manifestHash, bundleHash, etag, lastModified } };
}

/** What is known of a collection, or undefined if it was never synced. */
export async function readState(sql: Sql, id: string): Promise<CollectionRecord | undefined> {
  const row = await sql.get<Row>(`SELECT ${columns} FROM collections WHERE id = ?`, [id]);
  return row && toRecord(row);
}

/** All collections with the number of their documents, in the order of their ids. */
export async function listCollections(sql: Sql): Promise<(CollectionRecord & { documents: number })[]> {
  const rows = await sql.all<Row & { documents: number }>(
    `SELECT ${columns}, (SELECT count(*) FROM reference_documents d WHERE d.collection = collections.id) AS documents
     FROM collections ORDER BY id`,
  );
  return rows.map(({ documents, ...row }) => ({ ...toRecord(row), documents }));
}

export type Outcome = {
  state: SourceState;
  name?: string | undefined;
  version?: string | undefined;
  complete: boolean;
  error: string | null;
};

/** Records a sync that came to its end. */
export async function saveOutcome(sql: Sql, id: string, outcome: Outcome, now: number): Promise<void> {
  const { state, name = null, version = null, complete, error } = outcome;
  await sql.run(
    `UPDATE collections SET manifest_hash = ?, bundle_hash = ?, etag = ?, last_modified = ?, name = ?, version = ?,
       complete = ?, last_error = ?, last_sync_at = ?, updated_at = ? WHERE id = ?`,
    [
      state.manifestHash,
      state.bundleHash,
      state.etag,
      state.lastModified,
      name,
      version,
      complete ? 1 : 0,
      error,
      toTime(now),
      toTime(now),
      id,
    ],
  );
}

/** Records that the source could not be had. What was synced before stays as it is. */
export async function saveError(sql: Sql, id: string, error: string, now: number): Promise<void> {
  await sql.run('UPDATE collections SET last_error = ?, updated_at = ? WHERE id = ?', [error, toTime(now), id]);
}

/** From here on documents change: until the sync has ended, the source must not count as unchanged. */
export async function markIncomplete(sql: Sql, id: string): Promise<void> {
  await sql.run('UPDATE collections SET complete = 0 WHERE id = ?', [id]);
}

/** Removes a collection with its documents, chunks and index entries. Answers whether it was there. */
export async function dropCollection(sql: Sql, id: string): Promise<boolean> {
  await removeCollectionWords(sql, id);
  await sql.run(
    'DELETE FROM reference_document_chunks WHERE document_id IN (SELECT id FROM reference_documents WHERE collection = ?)',
    [id],
  );
  await sql.run('DELETE FROM reference_documents WHERE collection = ?', [id]);
  await sql.run('DELETE FROM document_marks WHERE collection = ?', [id]);
  return (await sql.run('DELETE FROM collections WHERE id = ?', [id])) > 0;
}

/** When each collection was last synced, by id. */
export async function syncTimes(sql: Sql): Promise<ReadonlyMap<string, string>> {
  const rows = await sql.all<{ id: string; at: string | null }>('SELECT id, last_sync_at AS at FROM collections');
  return new Map(rows.map(({ id, at }) => [id, at ?? '']));
}
