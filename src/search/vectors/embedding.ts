/** The work of embedding as tools see it: how far it is, and bringing it to its end. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Failure } from '../../errors.js';
import { holderParts } from '../../storage/holder.js';
import type { Database, Sql } from '../../storage/sql.js';
import type { Embedder } from '../embed/embedder.js';
import { currentHolder } from './claim.js';
import { embedPending, noteIfComplete } from './embed-pending.js';
import { type CollectionCoverage, collectionCoverage, countTexts, vectorBytes } from './status.js';
import { sweepVectors } from './sweep.js';

export type IndexStatus = {
  /** The name of the embedder, or `none`. */
  readonly embedder: string;
  readonly engine: string;
  readonly chunks: number;
  readonly embedded: number;
  /** Different texts without a vector. */
  readonly pending: number;
  readonly bytes: number;
  /** The process that embeds now. */
  readonly process: number | undefined;
  /** What went wrong last, in this process. */
  readonly fault: string | undefined;
  readonly collections: readonly CollectionCoverage[];
};

export type CompleteOptions = {
  signal: AbortSignal;
  onProgress: (progress: { done: number; total: number }) => void;
};

export type EmbeddingPort = {
  /** Has one word embedded, and throws the reason if that fails. Answers false when there is no embedder. */
  probe(signal: AbortSignal): Promise<boolean>;
  status(sql: Sql): Promise<IndexStatus>;
  /** Returns when every text has a vector, made here or by another process. Answers how many were made here. */
  complete(options: CompleteOptions): Promise<{ embedded: number; refused: number }>;
};

type Parts = {
  database: Database;
  embedder: Embedder | undefined;
  /** Why there is no embedder, where there should be one. */
  problem?: Failure | undefined;
  now: () => number;
  fault: () => string | undefined;
};

const POLL_MS = 200;

export function embeddingPort({ database, embedder, problem, now, fault }: Parts): EmbeddingPort {
  return {
    probe: async (signal) => {
      if (problem) throw problem;
      return (await embedder?.embedQuery('ready', { signal })) !== undefined;
    },
    status: (sql) => statusOf(sql, embedder, now(), fault()),
    complete: async (options) => {
      await sweepVectors(database, options.signal);
      if (problem) throw problem;
      return embedder ? completeWith(database, embedder, now, options) : { embedded: 0, refused: 0 };
    },
  };
}

async function statusOf(
  sql: Sql,
  embedder: Embedder | undefined,
  now: number,
  fault: string | undefined,
): Promise<IndexStatus> {
  const collections = await collectionCoverage(sql, embedder?.name);
  const sum = (field: 'chunks' | 'embedded') => collections.reduce((total, one) => total + one[field], 0);
  const holder = embedder && (await currentHolder(sql, embedder.name, now));
  return {
    embedder: embedder?.name ?? 'none',
    engine: embedder?.engine ?? 'none',
    chunks: sum('chunks'),
    embedded: sum('embedded'),
    pending: embedder ? (await countTexts(sql, embedder.name)).pending : 0,
    bytes: embedder ? await vectorBytes(sql, embedder.name) : 0,
    process: holder === undefined ? undefined : holderParts(holder).pid,
    fault,
    collections,
  };
}

async function completeWith(
  database: Database,
  embedder: Embedder,
  now: () => number,
  { signal, onProgress }: CompleteOptions,
): Promise<{ embedded: number; refused: number }> {
  const result = { embedded: 0, refused: 0 };
  const count = () => database.read((sql) => countTexts(sql, embedder.name));
  const start = await count();
  for (let left = start.pending; left > 0; ) {
    signal.throwIfAborted();
    // Others may make vectors, or add texts, at the same time: what counts is what is left.
    const report = () => onProgress({ done: start.pending - Math.min(left, start.pending), total: start.pending });
    const made = await embedPending({
      database,
      embedder,
      signal,
      now,
      onBatch: async (done) => onProgress({ done, total: Math.max(done, start.pending) }),
    });
    if (!made) await sleep(POLL_MS, undefined, { signal });
    result.embedded += made?.embedded ?? 0;
    left = (await count()).pending;
    report();
    if (made && made.refused > 0) return { ...result, refused: made.refused };
  }
  await noteIfComplete(database, embedder.name);
  return result;
}
