/** Syncs several collections, one after the other. One that fails does not keep the others from their turn. */
import { asFailure, type Failure } from '../errors.js';
import type { Source, SourceSpec } from './source.js';
import { syncCollection } from './sync.js';
import type { SyncOptions, SyncProgress, SyncResult } from './sync-run.js';

/** `alias` is its name in the project. One that is not declared as it should be has a fault, and no id. */
export type CollectionToSync = { alias: string } & (
  | { id: string; spec: SourceSpec; openSource: () => Source }
  | { fault: Failure }
);

export type CollectionResult = SyncResult & { alias: string; id: string | null };

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
    const id = 'fault' in collection ? null : collection.id;
    const result = { alias: collection.alias, id, ...(await syncOne(collection, options)) };
    onResult?.(result);
    results.push(result);
  }
  return results;
}

async function syncOne(collection: CollectionToSync, options: SyncAllOptions): Promise<SyncResult> {
  const { collections: _, onBegin: __, onResult: ___, onProgress, ...rest } = options;
  try {
    if ('fault' in collection) throw collection.fault;
    const { id, spec, openSource } = collection;
    const source = openSource();
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
