import { spawn } from 'node:child_process';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { invalidArgument } from '../../../src/errors.js';
import { claimEmbedding } from '../../../src/search/vectors/claim.js';
import { embedPending } from '../../../src/search/vectors/embed-pending.js';
import { embeddingPort } from '../../../src/search/vectors/embedding.js';
import { countTexts } from '../../../src/search/vectors/status.js';
import { putVectors } from '../../../src/search/vectors/store.js';
import { sweepVectors } from '../../../src/search/vectors/sweep.js';
import { vectorPort } from '../../../src/search/vectors/vectors.js';
import type { Database } from '../../../src/storage/sql.js';
import { runNode } from '../../support/scratch.js';
import { asEmbedded, fakeEmbedder, fakeVector, type ScratchIndex, scratchIndex } from './scratch-index.js';

const now = Date.now;
const child = path.join(import.meta.dirname, 'embed.child.mjs');
const env = { PATH: process.env.PATH, AI_ASSIST_SQLITE_DRIVER: process.env.AI_ASSIST_SQLITE_DRIVER };

type Stored = { vectors: number[]; inBlocks: number[]; blocks: number };

/** Every vector stands in exactly one block of its embedder: checked wherever something was written. */
async function stored(database: Database): Promise<Stored> {
  return database.read(async (sql) => {
    const vectors = await sql.all<{ id: number }>('SELECT id FROM text_vectors ORDER BY id');
    const blocks = await sql.all<{ ids: Uint8Array; scales: Uint8Array; count: number }>(
      'SELECT ids, scales, count FROM vector_blocks',
    );
    const inBlocks = blocks.flatMap(({ ids, scales, count }) => {
      expect([ids.byteLength, scales.byteLength]).toEqual([4 * count, 4 * count]);
      return [...new Uint32Array(new Uint8Array(ids).buffer)];
    });
    return { vectors: vectors.map(({ id }) => id), inBlocks: inBlocks.sort((a, b) => a - b), blocks: blocks.length };
  });
}

async function expectWhole(database: Database, count?: number): Promise<Stored> {
  const found = await stored(database);
  expect(found.inBlocks).toEqual(found.vectors);
  if (count !== undefined) expect(found.vectors).toHaveLength(count);
  return found;
}

const numbered = (name: string, count: number) => Array.from({ length: count }, (_, at) => `${name} ${at}`);
const pending = ({ database }: ScratchIndex, name = 'fake') => database.read((sql) => countTexts(sql, name));

test('V30 the same text is embedded once, wherever it stands', async () => {
  const index = await scratchIndex();
  await index.putAll([['a', 'b', 'a'], ['b', 'c'], numbered('n', 20), numbered('n', 20)]);
  const embedder = fakeEmbedder();
  expect(await embedPending({ database: index.database, embedder, now })).toEqual({ embedded: 23, refused: 0 });
  expect(new Set(embedder.asked).size).toBe(embedder.asked.length);

  await index.put('again.md', ['c', 'a', 'n 3']);
  expect(await embedPending({ database: index.database, embedder, now })).toEqual({ embedded: 0, refused: 0 });
  expect(embedder.asked).toHaveLength(23);
});

test('V28 when all texts have vectors, nothing is counted until a document changes', async () => {
  const index = await scratchIndex();
  const { database } = index;
  await index.putAll([['a', 'b'], ['c']]);
  const embedder = fakeEmbedder();
  await embedPending({ database, embedder, now });
  const counted = () => database.read((sql) => vectorPort(embedder).coverage(sql));
  expect(await counted()).toEqual({ chunks: 3, embedded: 3 });

  // Behind its back, so that counting would tell.
  await database.write((sql) => sql.run('DELETE FROM text_vectors'));
  expect(await counted()).toEqual({ chunks: 3, embedded: 3 });
  await index.put('more.md', ['d']);
  expect(await counted()).toEqual({ chunks: 4, embedded: 0 });
  expect(await database.read((sql) => vectorPort(fakeEmbedder('other')).coverage(sql))).toEqual({
    chunks: 4,
    embedded: 0,
  });
});

test('V28 that all texts have vectors is remembered again when a document is gone', async () => {
  const index = await scratchIndex();
  const { database } = index;
  const [first] = await index.putAll([['a', 'b'], ['c']]);
  const embedder = fakeEmbedder();
  const port = embeddingPort({ database, embedder, now, fault: () => undefined });
  const complete = () => port.complete({ signal: new AbortController().signal, onProgress: () => {} });
  const isRemembered = () =>
    database.read((sql) =>
      sql.get('SELECT e.complete = c.documents AS yes FROM embedders e CROSS JOIN index_changes c WHERE e.name = ?', [
        embedder.name,
      ]),
    );
  await complete();
  expect(await isRemembered()).toEqual({ yes: 1 });
  await database.write((sql) => sql.run('DELETE FROM reference_documents WHERE id = ?', [first as number]));
  expect(await isRemembered()).toEqual({ yes: 0 });
  await complete();
  expect(await isRemembered()).toEqual({ yes: 1 });
});

test('V29 a document without text is not found by meaning', async () => {
  const index = await scratchIndex();
  await index.putAll([['a']]);
  await index.put('empty.md', ['']);
  const embedder = fakeEmbedder();
  await embedPending({ database: index.database, embedder, now });
  const hits = await index.database.read((sql) => vectorPort(embedder).nearest(sql, 'a', { limit: 10 }));
  expect(hits).toHaveLength(1);
});

test('V31 another embedder gets vectors of its own, and neither finds those of the other', async () => {
  const index = await scratchIndex();
  await index.putAll([numbered('n', 30)]);
  const [small, wide] = [fakeEmbedder('small', 32), fakeEmbedder('wide', 48)];
  await embedPending({ database: index.database, embedder: small, now });
  const found = (embedder: typeof small) =>
    index.database.read((sql) => vectorPort(embedder).nearest(sql, asEmbedded('n 7'), { limit: 3 }));

  expect(await found(wide)).toEqual([]);
  await embedPending({ database: index.database, embedder: wide, now });
  expect((await found(wide))[0]?.score).toBeCloseTo(1, 4);
  expect((await found(small))[0]?.score).toBeCloseTo(1, 4);
  await expectWhole(index.database, 60);
});

test('V32 vectors of texts that are gone are removed, and those that are still somewhere stay', async () => {
  const index = await scratchIndex();
  await index.putAll([numbered('n', 40), ['n 3', 'other']]);
  const embedders = [fakeEmbedder('one'), fakeEmbedder('two')];
  for (const embedder of embedders) await embedPending({ database: index.database, embedder, now });
  expect(await sweepVectors(index.database)).toBe(0);

  await index.remove('0.md');
  expect(await sweepVectors(index.database)).toBe(2 * 39);
  await expectWhole(index.database, 4);
  const [best] = await index.database.read((sql) =>
    vectorPort(embedders[0]).nearest(sql, asEmbedded('n 3'), { limit: 1 }),
  );
  expect(best?.score).toBeCloseTo(1, 4);

  await index.remove('1.md');
  expect(await sweepVectors(index.database)).toBe(4);
  expect((await expectWhole(index.database, 0)).blocks).toBe(0);
});

test('V37 small blocks are put together', async () => {
  const index = await scratchIndex();
  await index.putAll([numbered('n', 1100)]);
  const embedder = { ...fakeEmbedder(), batch: 64 };
  await embedPending({ database: index.database, embedder, now });
  const { blocks } = await expectWhole(index.database, 1100);
  expect(blocks).toBeLessThan(5);
  const last = await index.database.read((sql) => vectorPort(embedder).nearest(sql, asEmbedded('n 5'), { limit: 1 }));
  expect(last[0]?.score).toBeCloseTo(1, 4);
});

test('V36 a vector of another size than the others is refused', async () => {
  const index = await scratchIndex();
  const put = (hash: string, dimensions: number) =>
    index.database.write((sql) => putVectors(sql, 'fake', [{ hash, vector: fakeVector(hash, dimensions) }]));
  expect(await put('a', 32)).toBe(1);
  expect(await put('a', 32)).toBe(0);
  await expect(put('b', 48)).rejects.toThrow("The embedder 'fake' gave a vector of 48 numbers, and others have 32");
  await expectWhole(index.database, 1);
});

test('V15 a text that is refused does not keep others from their vectors', async () => {
  const index = await scratchIndex();
  await index.putAll([['good', 'bad', 'better'], numbered('n', 20)]);
  const fake = fakeEmbedder();
  const embedder = {
    ...fake,
    embed: async (texts: readonly string[]) => {
      if (texts.some((text) => text.includes('bad'))) throw invalidArgument`Too long`;
      return fake.embed(texts);
    },
  };
  expect(await embedPending({ database: index.database, embedder, now })).toEqual({ embedded: 22, refused: 1 });
  expect(await pending(index)).toMatchObject({ pending: 1 });
});

test('V33 of several processes one embeds, and no text is embedded twice', async () => {
  const index = await scratchIndex();
  await index.putAll([numbered('n', 60), numbered('m', 60)]);
  const runs = await Promise.all([1, 2, 3].map(() => runNode([child, index.file, 'until-done'], env)));
  expect(runs.map(({ code, stderr }) => [code, stderr])).toEqual([1, 2, 3].map(() => [0, '']));
  const asked = runs.flatMap(({ stdout }) => stdout.split('\n').filter((line) => line !== ''));
  expect(asked).toHaveLength(120);
  expect(new Set(asked).size).toBe(120);
  await expectWhole(index.database, 120);
});

test('V34 killed at any moment, the index is consistent, and the next run does the rest', async () => {
  const index = await scratchIndex();
  await index.putAll([numbered('n', 200)]);
  for (const afterLines of [1, 9, 30]) {
    await killedAfter(index.file, afterLines);
    const { vectors } = await expectWhole(index.database);
    expect(await pending(index)).toEqual({ texts: 200, pending: 200 - vectors.length });
  }
  const { vectors } = await stored(index.database);
  const embedder = fakeEmbedder();
  await embedPending({ database: index.database, embedder, now });
  expect(embedder.asked).toHaveLength(200 - vectors.length);
  await expectWhole(index.database, 200);
});

/** Starts a process that embeds, and kills it after so many texts. */
function killedAfter(file: string, lines: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const process = spawn(globalThis.process.execPath, [child, file, 'slowly'], { env });
    let seen = 0;
    process.stdout.setEncoding('utf8').on('data', (text: string) => {
      seen += text.split('\n').length - 1;
      if (seen >= lines) process.kill('SIGKILL');
    });
    process.on('error', reject);
    process.on('close', () => resolve());
  });
}

test('V35 a claim of a process that is gone, or that ran out, is taken over', async () => {
  const { database } = await scratchIndex();
  const first = await claimEmbedding(database, 'fake', { now });
  expect(first).toBeDefined();
  expect(await claimEmbedding(database, 'fake', { now })).toBeUndefined();
  expect(await claimEmbedding(database, 'another', { now })).toBeDefined();

  const dead = await claimEmbedding(database, 'fake', { now, isAlive: () => false });
  expect(dead).toBeDefined();
  expect(await database.write((sql) => first?.keep(sql) ?? Promise.resolve(true))).toBe(false);
  const later = await claimEmbedding(database, 'fake', { now: () => Date.now() + 60_000 });
  expect(later).toBeDefined();
  await later?.release();
  expect(await claimEmbedding(database, 'fake', { now })).toBeDefined();
  await first?.release();
  await dead?.release();
});

test('V35 who lost the claim writes nothing more', async () => {
  const index = await scratchIndex();
  await index.putAll([numbered('n', 40)]);
  const fake = fakeEmbedder();
  const embedder = {
    ...fake,
    embed: async (texts: readonly string[]) => {
      await index.database.write((sql) => sql.run("UPDATE embedders SET claimed_by = 'other/1/x'"));
      await sleep(0);
      return fake.embed(texts);
    },
  };
  await expect(embedPending({ database: index.database, embedder, now })).rejects.toThrow('taken over');
  await expectWhole(index.database, 0);
});
