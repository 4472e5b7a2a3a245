/** Vectors in the database: one row a text, and packed blocks of them to load from. */
import { invalidArgument } from '../../errors.js';
import type { Sql } from '../../storage/sql.js';
import type { StoredBlock } from './matrix.js';
import { paddedWidth, toKept, toScanned } from './quantise.js';

export type EmbedderRow = { readonly id: number; readonly dimensions: number };
export type NewVector = { readonly hash: string; readonly vector: Float32Array };

/** Smaller blocks are put together when they make up one of this size. */
const FULL = 1024;

/** `complete` is the count of document changes at which all texts had vectors. */
type FoundEmbedder = EmbedderRow & { readonly complete: number | null };

export function findEmbedder(sql: Sql, name: string): Promise<FoundEmbedder | undefined> {
  return sql.get<FoundEmbedder>('SELECT id, dimensions, complete FROM embedders WHERE name = ?', [name]);
}

/** The number that stands for an embedder, given to it when it is first seen. */
export async function registerEmbedder(sql: Sql, name: string): Promise<EmbedderRow> {
  await sql.run('INSERT OR IGNORE INTO embedders (name) VALUES (?)', [name]);
  return (await findEmbedder(sql, name)) as EmbedderRow;
}

export type Changes = { readonly documents: number; readonly vectors: number };

/** Counters that tell whether anything has changed. */
export async function readChanges(sql: Sql): Promise<Changes> {
  return (await sql.get<Changes>('SELECT documents, vectors FROM index_changes')) as Changes;
}

const countVectorChange = (sql: Sql) => sql.run('UPDATE index_changes SET vectors = vectors + 1');

/** The blocks of an embedder, in a stable order. */
export async function blockIds(sql: Sql, embedder: number): Promise<number[]> {
  const rows = await sql.all<{ id: number }>('SELECT id FROM vector_blocks WHERE embedder = ? ORDER BY id', [embedder]);
  return rows.map(({ id }) => id);
}

export async function readBlocks(sql: Sql, ids: readonly number[]): Promise<StoredBlock[]> {
  const rows = await sql.all<StoredBlock>(
    'SELECT id, ids, scales, vectors FROM vector_blocks WHERE id IN (SELECT value FROM json_each(?)) ORDER BY id',
    [JSON.stringify(ids)],
  );
  // The driver libsql gives blobs as bare buffers, of which typed arrays take no notice.
  return rows.map(({ id, ids, scales, vectors }) => ({
    id,
    ids: new Uint8Array(ids),
    scales: new Uint8Array(scales),
    vectors: new Uint8Array(vectors),
  }));
}

/** Writes the vectors of texts that have none yet, and answers how many those were. */
export async function putVectors(sql: Sql, name: string, vectors: readonly NewVector[]): Promise<number> {
  const embedder = await registerEmbedder(sql, name);
  const fresh = await withoutKnown(sql, embedder.id, vectors);
  if (fresh.length === 0) return 0;
  await checkDimensions(sql, name, embedder, fresh);
  const { next } = (await sql.get<{ next: number }>('SELECT coalesce(max(id), 0) + 1 AS next FROM text_vectors')) ?? {
    next: 1,
  };
  for (const [index, { hash, vector }] of fresh.entries()) {
    await sql.run('INSERT INTO text_vectors (id, embedder, text_hash, vector) VALUES (?, ?, ?, ?)', [
      next + index,
      embedder.id,
      hash,
      toKept(vector),
    ]);
  }
  await putBlock(sql, embedder.id, packed(fresh, next));
  await mergeBlocks(sql, embedder.id);
  await countVectorChange(sql);
  return fresh.length;
}

async function withoutKnown(sql: Sql, embedder: number, vectors: readonly NewVector[]): Promise<NewVector[]> {
  const byHash = new Map(vectors.map((vector) => [vector.hash, vector]));
  const known = await sql.all<{ hash: string }>(
    `SELECT text_hash AS hash FROM text_vectors
     WHERE embedder = ? AND text_hash IN (SELECT value FROM json_each(?))`,
    [embedder, JSON.stringify([...byHash.keys()])],
  );
  for (const { hash } of known) byHash.delete(hash);
  return [...byHash.values()];
}

/** A server may serve another model under the old name: its vectors would mean nothing beside the others. */
async function checkDimensions(
  sql: Sql,
  name: string,
  { id, dimensions }: EmbedderRow,
  vectors: readonly NewVector[],
): Promise<void> {
  const expected = dimensions || (vectors[0]?.vector.length ?? 0);
  const other = vectors.find(({ vector }) => vector.length !== expected);
  if (other) {
    throw invalidArgument`The embedder '${name}' gave a vector of ${other.vector.length} numbers, and others have ${expected}`.advise(
      'Name the model that is meant in the settings of search.',
    );
  }
  if (dimensions === 0) await sql.run('UPDATE embedders SET dimensions = ? WHERE id = ?', [expected, id]);
}

type Packed = { ids: Uint8Array; scales: Uint8Array; vectors: Uint8Array };

function packed(vectors: readonly NewVector[], firstId: number): Packed {
  const width = paddedWidth(vectors[0]?.vector.length ?? 0);
  const ids = Uint32Array.from(vectors, (_, index) => firstId + index);
  const scales = new Float32Array(vectors.length);
  const values = new Int8Array(vectors.length * width);
  for (const [index, { vector }] of vectors.entries()) {
    const scanned = toScanned(vector);
    scales[index] = scanned.scale;
    values.set(scanned.values, index * width);
  }
  return { ids: bytesOf(ids), scales: bytesOf(scales), vectors: bytesOf(values) };
}

const bytesOf = ({ buffer }: { buffer: ArrayBufferLike }): Uint8Array => new Uint8Array(buffer);

async function putBlock(sql: Sql, embedder: number, { ids, scales, vectors }: Packed): Promise<void> {
  await sql.run('INSERT INTO vector_blocks (embedder, count, ids, scales, vectors) VALUES (?, ?, ?, ?, ?)', [
    embedder,
    ids.byteLength / 4,
    ids,
    scales,
    vectors,
  ]);
}

async function mergeBlocks(sql: Sql, embedder: number): Promise<void> {
  const small = await sql.all<{ id: number; count: number }>(
    `SELECT id, count FROM vector_blocks WHERE embedder = ? AND count < ${FULL}`,
    [embedder],
  );
  if (small.reduce((sum, { count }) => sum + count, 0) < FULL) return;
  const blocks = await readBlocks(
    sql,
    small.map(({ id }) => id),
  );
  await deleteBlocks(sql, blocks);
  await putBlock(sql, embedder, {
    ids: Buffer.concat(blocks.map(({ ids }) => ids)),
    scales: Buffer.concat(blocks.map(({ scales }) => scales)),
    vectors: Buffer.concat(blocks.map(({ vectors }) => vectors)),
  });
}

async function deleteBlocks(sql: Sql, blocks: readonly { id: number }[]): Promise<void> {
  await sql.run('DELETE FROM vector_blocks WHERE id IN (SELECT value FROM json_each(?))', [
    JSON.stringify(blocks.map(({ id }) => id)),
  ]);
}

/** Those of these vectors whose text no chunk has any more. */
export async function deadVectors(sql: Sql, block: number): Promise<number[]> {
  const [found] = await sql.all<{ ids: Uint8Array }>('SELECT ids FROM vector_blocks WHERE id = ?', [block]);
  if (!found) return [];
  const rows = await sql.all<{ id: number }>(
    `SELECT v.id FROM text_vectors v WHERE v.id IN (SELECT value FROM json_each(?))
     AND NOT EXISTS (SELECT 1 FROM reference_document_chunks c WHERE c.text_hash = v.text_hash)`,
    [JSON.stringify([...new Uint32Array(new Uint8Array(found.ids).buffer)])],
  );
  return rows.map(({ id }) => id);
}

/** Removes the dead vectors of a block, which is written anew without them. */
export async function sweepBlock(sql: Sql, embedder: EmbedderRow, id: number): Promise<number> {
  const dead = new Set(await deadVectors(sql, id));
  const [block] = await readBlocks(sql, [id]);
  if (!block || dead.size === 0) return 0;
  await sql.run('DELETE FROM text_vectors WHERE id IN (SELECT value FROM json_each(?))', [JSON.stringify([...dead])]);
  await deleteBlocks(sql, [block]);
  const left = without(block, dead, paddedWidth(embedder.dimensions));
  if (left.ids.byteLength > 0) await putBlock(sql, embedder.id, left);
  await countVectorChange(sql);
  return dead.size;
}

function without(block: StoredBlock, dead: ReadonlySet<number>, width: number): Packed {
  const ids = new Uint32Array(new Uint8Array(block.ids).buffer);
  const kept = [...ids.keys()].filter((place) => !dead.has(ids[place] as number));
  const parts = (bytes: Uint8Array, size: number) =>
    Buffer.concat(kept.map((place) => bytes.subarray(place * size, (place + 1) * size)));
  return { ids: parts(block.ids, 4), scales: parts(block.scales, 4), vectors: parts(block.vectors, width) };
}

export async function markSwept(sql: Sql, embedder: number, documents: number): Promise<void> {
  await sql.run('UPDATE embedders SET swept = ? WHERE id = ?', [documents, embedder]);
}

export async function markComplete(sql: Sql, embedder: number, documents: number): Promise<void> {
  // Never back: another process may have noted a later state.
  await sql.run('UPDATE embedders SET complete = max(coalesce(complete, 0), ?) WHERE id = ?', [documents, embedder]);
}

/** The embedders whose vectors have not been compared with the documents as they are now. */
export function unswept(sql: Sql, documents: number): Promise<EmbedderRow[]> {
  return sql.all<EmbedderRow>('SELECT id, dimensions FROM embedders WHERE swept <> ?', [documents]);
}
