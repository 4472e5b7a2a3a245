/** What a sync is asked for, what it tells while it runs, and what it answers. */
import type { Failure } from '../errors.js';
import type { Database } from '../storage/sql.js';
import type { Source, SourceSpec, SourceWarning } from './source.js';

export type ChangeKind = 'add' | 'update' | 'remove' | 'check';

export type SyncProgress = {
  /** What is being done, for people. */
  step: string;
  done: number;
  /** 0 while it is not known. */
  total: number;
  path?: string;
  /** What was done with `path`. A document that was checked and found changed is an `update`. */
  kind?: ChangeKind;
};

export type SyncOptions = {
  database: Database;
  /** Of the collection. */
  id: string;
  spec: SourceSpec;
  source: Source;
  /** Read and index everything again. */
  force?: boolean;
  /** Report what would be done, and change nothing. */
  dryRun?: boolean;
  signal?: AbortSignal;
  now?: () => number;
  onProgress?: (progress: SyncProgress) => void;
  /** How many documents are read at the same time. */
  concurrency?: number;
  /** How long to wait for another process that syncs the same collection. */
  waitMs?: number;
  maxFileBytes?: number;
};

export type SyncResult = {
  status: 'synced' | 'unchanged' | 'failed';
  /** In the collection, after the sync. */
  documents: number;
  added: string[];
  updated: string[];
  removed: string[];
  unchanged: number;
  warnings: SourceWarning[];
  /** Of the manifest. */
  name?: string;
  version?: string;
  /** Why it failed. The changes above were made before that. */
  error?: Failure;
};

export type SyncRun = Required<SyncOptions> & { result: SyncResult };
