/** Removes the vectors of texts that are no longer there, block by block, in short transactions. */
import type { Database } from '../../storage/sql.js';
import { blockIds, deadVectors, type EmbedderRow, markSwept, readChanges, sweepBlock, unswept } from './store.js';

/** Answers how many were removed. Nothing is looked at when no document has changed since the last time. */
export async function sweepVectors(database: Database, signal?: AbortSignal): Promise<number> {
  const { changes, due } = await database.read(async (sql) => {
    const changes = await readChanges(sql);
    return { changes, due: await unswept(sql, changes.documents) };
  });
  let removed = 0;
  for (const embedder of due) {
    removed += await sweepEmbedder(database, embedder, signal);
    await database.write((sql) => markSwept(sql, embedder.id, changes.documents));
  }
  return removed;
}

/** Goes on until every block was looked at: another process may put blocks together meanwhile. */
async function sweepEmbedder(database: Database, embedder: EmbedderRow, signal?: AbortSignal): Promise<number> {
  const seen = new Set<number>();
  let removed = 0;
  for (;;) {
    const blocks = await database.read((sql) => blockIds(sql, embedder.id));
    const block = blocks.find((id) => !seen.has(id));
    if (block === undefined) return removed;
    signal?.throwIfAborted();
    seen.add(block);
    const dead = await database.read((sql) => deadVectors(sql, block));
    if (dead.length > 0) removed += await database.write((sql) => sweepBlock(sql, embedder, block));
  }
}
