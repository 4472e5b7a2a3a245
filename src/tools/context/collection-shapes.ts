/** What the tools answer about collections. */
import { z } from 'zod';
import type { CollectionResult } from '../../context/sync-all.js';
import { collectionNamed, type ProjectConfig } from '../../project/schema.js';

export const shownCollection = z.object({
  name: z.string(),
  type: z.string().describe('file, pkg or group.'),
  source: z.string().describe('Where it comes from. Of a group: its categories.'),
  status: z.enum(['synced', 'not synced', 'stale', 'error']),
  documents: z.number(),
  lastSyncAt: z.string().nullable(),
  version: z.string().nullable().describe('Of the manifest.'),
  error: z.string().nullable().describe('What went wrong last.'),
  description: z.string().optional(),
  categories: z.array(z.string()).optional().describe('Of a group.'),
  id: z.string().nullable().describe('None for a group, and for a collection that is not declared as it should be.'),
});

/** Lists of paths name no more than this. */
const MOST_PATHS = 1000;
const paths = z.array(z.string());

export const syncResult = z.object({
  name: z.string(),
  type: z.string().describe('file or pkg.'),
  status: z.enum(['synced', 'unchanged', 'failed']),
  documents: z.number(),
  added: paths,
  updated: paths,
  removed: paths,
  counts: z.object({ added: z.number(), updated: z.number(), removed: z.number(), unchanged: z.number() }),
  warnings: z.array(z.object({ path: z.string(), message: z.string() })),
  error: z.string().optional(),
  instruction: z.string().optional().describe('What to do about the error.'),
  id: z.string().nullable().describe('None for one that is not declared as it should be.'),
});

export function shownResult(config: ProjectConfig, result: CollectionResult) {
  const { alias, id, status, documents, added, updated, removed, unchanged, warnings, error } = result;
  return {
    name: alias,
    type: collectionNamed(config, alias)?.type ?? '',
    status,
    documents,
    added: added.slice(0, MOST_PATHS),
    updated: updated.slice(0, MOST_PATHS),
    removed: removed.slice(0, MOST_PATHS),
    counts: { added: added.length, updated: updated.length, removed: removed.length, unchanged },
    warnings: warnings.slice(0, MOST_PATHS),
    ...(error && { error: error.message, instruction: error.instruction }),
    id,
  };
}
