/** Syncs several collections, one after the other. One that fails does not keep the others from their turn. */
import { asFailure } from '../errors.js';
import type { Source, SourceSpec } from './source.js';
import { syncCollection } from './sync.js';
import type { SyncOptions, SyncProgress, SyncResult } from './sync-run.js';

export type CollectionToSync = {
  /** Its name in the project. */
  alias: string;
  id: string;
  spec: SourceSpec;
  openSource: () => Source;
};

export type CollectionResult = SyncResult & { alias: string; id: string };

export type SyncAllOptions = Omit<SyncOptions, 'id' | 'spec' | 'source' | 'onProgress'> & {
  collections: readonly CollectionToSync[];
  onBegin?: (collection: CollectionToSync) => void;
  onProgress?: (progress: SyncProgress, collection: CollectionToSync) => void;
  onResult?: (result: CollectionResult) => void;
};

export async function syncAll(options: SyncAllOptions): Promise<CollectionResult[]> {
  const { collections, onBegin, onResult } = options;
  const results: CollectionResult[] = [];
  for (const collection of collections) {
    options.signal?.throwIfAborted();
    onBegin?.(collection);
    const result = { alias: collection.alias, id: collection.id, ...(await syncOne(collection, options)) };
    onResult?.(result);
    results.push(result);
  }
  return results;
}

async function syncOne(collection: CollectionToSync, options: SyncAllOptions): Promise<SyncResult> {
  const { collections: _, onBegin: __, onResult: ___, onProgress, ...rest } = options;
  const { id, spec } = collection;
  try {
    const source = collection.openSource();
    return await syncCollection({
      ...rest,
      id,
      spec,
      source,
      ...(onProgress && { onProgress: (progress: SyncProgress) => onProgress(progress, collection) }),
    });
  } catch (thrown) {
    rest.signal?.throwIfAborted();
    const nothing = { documents: 0, added: [], updated: [], removed: [], unchanged: 0, warnings: [] };
    return { status: 'failed', ...nothing, error: asFailure(thrown) };
  }
}
