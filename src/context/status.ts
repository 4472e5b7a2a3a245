/** Whether a collection is up to date, as far as that can be told without the network. */
import type { Sql } from '../storage/sql.js';
import { readState } from './collection-store.js';
import { countDocuments } from './document-store.js';
import { fetchDocument } from './fetch-document.js';
import type { Identified } from './identity.js';
import { listStored } from './marks.js';
import { planSync, type Stored } from './plan.js';
import { defaultLimits, type Source, type SourceDocument, type SourceState } from './source.js';

export type CollectionStatus = {
  status: 'synced' | 'not synced' | 'stale' | 'error';
  documents: number;
  lastSyncAt: string | null;
  /** Of the manifest. */
  version: string | null;
  error: string | null;
};

/** `openLocal` gives the source where it is on this machine, else undefined. */
export async function statusOf(
  sql: Sql,
  { id }: Identified,
  openLocal: () => Source | undefined,
): Promise<CollectionStatus> {
  const record = await readState(sql, id);
  const known = {
    documents: await countDocuments(sql, id),
    lastSyncAt: record?.lastSyncAt ?? null,
    version: record?.version ?? null,
    error: record?.lastError ?? null,
  };
  if (known.error !== null) return { ...known, status: 'error' };
  if (!record?.lastSyncAt) return { ...known, status: 'not synced' };
  const source = openLocal();
  const isStale = !record.complete || (source !== undefined && (await hasChanged(sql, id, source, record.state)));
  return { ...known, status: isStale ? 'stale' : 'synced' };
}

const signal = new AbortController().signal;

async function hasChanged(sql: Sql, id: string, source: Source, previous: SourceState | undefined): Promise<boolean> {
  try {
    const listing = await source.open({ previous, signal, onStep: () => {} });
    if (!listing.changed) return false;
    const stored = await listStored(sql, id);
    const { add, update, check, remove } = planSync(listing.documents, stored, { force: false });
    if (update.length + remove.length > 0) return true;
    return (await someOf(check, stored, ['changed'])) || (await someOf(add, stored, ['changed', 'failed']));
  } catch {
    // A source that is gone is not what it was.
    return true;
  } finally {
    await source.close();
  }
}

type Kind = Awaited<ReturnType<typeof fetchDocument>>['kind'];

/**
 * Whether one of the documents turns out to be of these kinds. They are read, as a sync would: a file that was
 * touched may be as it was, and one that a sync refuses is never stored.
 */
async function someOf(
  documents: readonly SourceDocument[],
  stored: ReadonlyMap<string, Stored>,
  kinds: readonly Kind[],
): Promise<boolean> {
  const options = { force: false, signal, now: Date.now, maxBytes: defaultLimits.maxFileBytes };
  for (const document of documents) {
    const { kind } = await fetchDocument(document, { ...options, stored: stored.get(document.path) });
    if (kinds.includes(kind)) return true;
  }
  return false;
}
