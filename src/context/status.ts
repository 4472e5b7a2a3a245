/** Whether a collection is up to date, as far as that can be told without the network. */
import type { Sql } from '../storage/sql.js';
import { readState } from './collection-store.js';
import { countDocuments, listStored } from './document-store.js';
import type { Identified } from './identity.js';
import { planSync } from './plan.js';
import type { Source } from './source.js';

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

async function hasChanged(
  sql: Sql,
  id: string,
  source: Source,
  previous: Parameters<Source['open']>[0]['previous'],
): Promise<boolean> {
  try {
    const listing = await source.open({ previous, signal: new AbortController().signal, onStep: () => {} });
    if (!listing.changed) return false;
    const plan = planSync(listing.documents, await listStored(sql, id), { force: false });
    return plan.add.length + plan.update.length + plan.check.length + plan.remove.length > 0;
  } catch {
    // A source that is gone is not what it was.
    return true;
  } finally {
    await source.close();
  }
}
