/** Gives every text a vector: batch after batch, each written in a transaction of its own. */
import { Failure } from '../../errors.js';
import type { Database } from '../../storage/sql.js';
import type { Embedder } from '../embed/embedder.js';
import { type ClaimSettings, claimEmbedding, type EmbedClaim } from './claim.js';
import { type PendingText, pendingTexts } from './pending.js';
import { countTexts } from './status.js';
import { findEmbedder, markComplete, type NewVector, putVectors, readChanges } from './store.js';

export type EmbedRun = ClaimSettings & {
  database: Database;
  embedder: Embedder;
  signal?: AbortSignal | undefined;
  /** After each batch: how many texts got a vector in this run. */
  onBatch?: ((done: number) => Promise<void>) | undefined;
};

export type EmbedResult = {
  /** Texts that got a vector. */
  readonly embedded: number;
  /** Texts that the embedder refused. */
  readonly refused: number;
};

/** Undefined while another process embeds: it does not wait for that one. */
export async function embedPending(run: EmbedRun): Promise<EmbedResult | undefined> {
  const claim = await claimEmbedding(run.database, run.embedder.name, run);
  if (!claim) return undefined;
  try {
    return await embedAll(run, claim);
  } finally {
    await claim.release().catch(() => {});
  }
}

type Batch = { texts: readonly PendingText[]; vectors: Promise<NewVector[]> };

/** While a batch is written, the next one is computed already. */
async function embedAll(run: EmbedRun, claim: EmbedClaim): Promise<EmbedResult> {
  const { database, embedder, signal, onBatch } = run;
  const total = { embedded: 0, refused: 0 };
  const store = async ({ texts, vectors }: Batch) => {
    const made = await vectors;
    const kept = await database.write(async (sql) => {
      if (!(await claim.keep(sql))) throw taken;
      return putVectors(sql, embedder.name, made);
    });
    total.embedded += kept;
    total.refused += texts.length - made.length;
    await onBatch?.(total.embedded);
  };

  let computing: Batch | undefined;
  for (let after = 0; ; ) {
    signal?.throwIfAborted();
    const page = await database.read((sql) => pendingTexts(sql, embedder.name, after, embedder.batch));
    const known = new Set(computing?.texts.map(({ hash }) => hash));
    const texts = page.texts.filter(({ hash }) => !known.has(hash));
    const next = page.texts.length > 0 ? { texts, vectors: compute(embedder, texts, signal) } : undefined;
    // It is awaited a moment later: until then its failure is nobody's.
    next?.vectors.catch(() => {});
    if (computing) await store(computing);
    if (!next) {
      await noteIfComplete(database, embedder.name);
      return total;
    }
    computing = next;
    after = page.last;
  }
}

/** Remembered with the state of the documents that it is true of: a search then need not count. */
export async function noteIfComplete(database: Database, name: string): Promise<void> {
  const found = await database.read(async (sql) => {
    const [embedder, { documents }] = [await findEmbedder(sql, name), await readChanges(sql)];
    if (!embedder || embedder.complete === documents) return undefined;
    return (await countTexts(sql, name)).pending === 0 ? { id: embedder.id, documents } : undefined;
  });
  if (found) await database.write((sql) => markComplete(sql, found.id, found.documents));
}

const taken = new Error('Another process has taken over the embedding.');

/** Where a batch is refused, its texts are tried one by one: one bad text must not keep the others from theirs. */
async function compute(
  embedder: Embedder,
  texts: readonly PendingText[],
  signal: AbortSignal | undefined,
): Promise<NewVector[]> {
  try {
    const vectors = await embedder.embed(
      texts.map(({ text }) => text),
      { signal },
    );
    return texts.map(({ hash }, index) => ({ hash, vector: vectors[index] as Float32Array }));
  } catch (thrown) {
    if (!isRefusal(thrown)) throw thrown;
    if (texts.length === 1) return [];
    const each = [];
    for (const text of texts) each.push(...(await compute(embedder, [text], signal)));
    return each;
  }
}

const isRefusal = (thrown: unknown): boolean => thrown instanceof Failure && thrown.type === 'invalid_argument';
