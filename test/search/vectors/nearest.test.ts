import fc from 'fast-check';
import { expect, test } from 'vitest';
import { bestOf } from '../../../src/search/vectors/best.js';
import { embedPending } from '../../../src/search/vectors/embed-pending.js';
import { dot, fromKept, toKept, unit } from '../../../src/search/vectors/quantise.js';
import { sweepVectors } from '../../../src/search/vectors/sweep.js';
import { vectorPort } from '../../../src/search/vectors/vectors.js';
import { asEmbedded, fakeEmbedder, fakeVector, type ScratchIndex, scratchIndex } from './scratch-index.js';

const now = Date.now;

async function embeddedIndex(documents: readonly (readonly string[])[]) {
  const index = await scratchIndex();
  const ids = await index.putAll(documents);
  const embedder = fakeEmbedder();
  await embedPending({ database: index.database, embedder, now });
  return { index, embedder, ids, vectors: vectorPort(embedder) };
}

/** All chunks by plain arithmetic, best first. */
async function byHand(index: ScratchIndex, query: Float32Array, documents?: ReadonlySet<number>) {
  return (await index.chunks())
    .filter(({ document }) => !documents || documents.has(document))
    .map(({ id, text }) => ({ chunk: id, score: dot(fakeVector(asEmbedded(text)), query) }))
    .sort((one, other) => other.score - one.score || one.chunk - other.chunk);
}

const hundred = (name: string, count = 100) => Array.from({ length: count }, (_, at) => `${name} ${at}`);

test('V20 the best by scan and rescore are the best by plain arithmetic', async () => {
  const { index, vectors } = await embeddedIndex([hundred('a', 400), hundred('b', 400)]);
  for (const question of ['one', 'two', 'three']) {
    const wanted = (await byHand(index, fakeVector(question))).slice(0, 20);
    const found = await index.database.read((sql) => vectors.nearest(sql, question, { limit: 20 }));
    expect(found.map(({ chunk }) => chunk)).toEqual(wanted.map(({ chunk }) => chunk));
    for (const [at, { score }] of found.entries()) expect(score).toBeCloseTo(wanted[at]?.score as number, 4);
  }
});

test('V20 the greatest of many scores, in their order', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: -5, max: 5 })), fc.nat({ max: 30 }), (numbers, count) => {
      const places = [...numbers.keys()].sort((a, b) => (numbers[b] as number) - (numbers[a] as number) || a - b);
      expect(bestOf(Float32Array.from(numbers), count)).toEqual(places.slice(0, count));
      const even = (place: number) => place % 2 === 0;
      expect(bestOf(Float32Array.from(numbers), count, even)).toEqual(places.filter(even).slice(0, count));
    }),
  );
});

test('V20 a vector that was stored is nearly the same', () => {
  const number = fc.float({ noNaN: true, noDefaultInfinity: true, min: -1000, max: 1000 });
  fc.assert(
    fc.property(fc.array(number, { minLength: 1, maxLength: 64 }), (numbers) => {
      const vector = unit(Float32Array.from(numbers));
      if (vector) expect(dot(vector, fromKept(toKept(vector)))).toBeCloseTo(1, 3);
    }),
  );
});

test('V21 the best inside a scope are found, in a small one and in a wide one', async () => {
  const documents = Array.from({ length: 620 }, (_, at) => [`only ${at}`, `also ${at}`]);
  const { index, vectors, ids } = await embeddedIndex(documents);
  const scopes = [ids.slice(0, 1), ids.slice(100, 140), ids.slice(0, 560), ids];
  for (const scope of scopes.map((some) => new Set(some))) {
    const wanted = (await byHand(index, fakeVector('question'), scope)).slice(0, 10);
    const want = { documents: scope, limit: 10 };
    const found = await index.database.read((sql) => vectors.nearest(sql, 'question', want));
    expect(found.map(({ chunk }) => chunk)).toEqual(wanted.map(({ chunk }) => chunk));
  }
  const nothing = { documents: new Set<number>(), limit: 10 };
  expect(await index.database.read((sql) => vectors.nearest(sql, 'question', nothing))).toEqual([]);
});

test('V22 chunks with the same text are all found, with one score', async () => {
  const { index, vectors, embedder } = await embeddedIndex([['same', 'x'], ['same'], ['y', 'same']]);
  const found = await index.database.read((sql) => vectors.nearest(sql, asEmbedded('same'), { limit: 3 }));
  expect(found).toHaveLength(3);
  expect(new Set(found.map(({ score }) => score)).size).toBe(1);
  expect(found[0]?.score).toBeCloseTo(1, 4);
  expect(embedder.asked.filter((text) => text === asEmbedded('same'))).toHaveLength(2);
});

test('V23 what is near to stored chunks is found without these themselves', async () => {
  const { index, vectors, embedder } = await embeddedIndex([['same', 'other'], ['same', 'far'], hundred('z')]);
  const [first, second, third] = await index.chunks();
  const before = embedder.asked.length;
  const near = (chunks: readonly number[]) =>
    index.database.read((sql) => vectors.nearestTo(sql, chunks, { limit: 5 }));

  expect((await near([first?.id as number]))[0]).toMatchObject({ chunk: third?.id });
  const middle = await near([first?.id as number, second?.id as number]);
  expect(middle[0]?.chunk).toBe(third?.id);
  expect(middle.map(({ chunk }) => chunk)).not.toContain(second?.id);
  expect(middle).toHaveLength(5);
  expect(await near([])).toEqual([]);
  expect(await near([987_654])).toEqual([]);
  expect(embedder.asked).toHaveLength(before);
});

test('V24 coverage counts chunks and vectors, of all documents or some', async () => {
  const { index, vectors, ids, embedder } = await embeddedIndex([['a', 'b'], ['c']]);
  const coverage = (documents?: ReadonlySet<number>) => index.database.read((sql) => vectors.coverage(sql, documents));
  expect(await coverage()).toEqual({ chunks: 3, embedded: 3 });
  expect(await coverage(new Set(ids.slice(0, 1)))).toEqual({ chunks: 2, embedded: 2 });

  const late = await index.put('late.md', ['a', 'new', 'newer']);
  expect(await coverage()).toEqual({ chunks: 6, embedded: 4 });
  expect(await coverage(new Set([late]))).toEqual({ chunks: 3, embedded: 1 });
  await index.remove('0.md');
  expect(await coverage()).toEqual({ chunks: 4, embedded: 2 });
  await embedPending({ database: index.database, embedder, now });
  expect(await coverage(new Set([late]))).toEqual({ chunks: 3, embedded: 3 });
});

test('V25 an index without vectors asks for none', async () => {
  const index = await scratchIndex();
  await index.put('a.md', ['text']);
  const embedder = fakeEmbedder();
  const vectors = vectorPort(embedder);
  expect(await index.database.read((sql) => vectors.nearest(sql, 'question', { limit: 5 }))).toEqual([]);
  expect(embedder.asked).toEqual([]);
});

test('V14 without an embedder nothing is found by meaning', async () => {
  const { index } = await embeddedIndex([['text']]);
  const none = vectorPort(undefined);
  const { database } = index;
  expect(await database.read((sql) => none.nearest(sql, asEmbedded('text'), { limit: 5 }))).toEqual([]);
  expect(await database.read((sql) => none.nearestTo(sql, [1], { limit: 5 }))).toEqual([]);
  expect(await database.read((sql) => none.coverage(sql))).toEqual({ chunks: 1, embedded: 0 });
});

test('V26 what another connection adds or removes is seen by the next search', async () => {
  const { index, vectors, embedder } = await embeddedIndex([hundred('a')]);
  const found = async (text: string) => {
    const [best] = await index.database.read((sql) => vectors.nearest(sql, asEmbedded(text), { limit: 1 }));
    return (best?.score ?? 0) > 0.999;
  };
  expect(await found('a 7')).toBe(true);

  const other = await scratchIndex(index.file);
  await other.put('new.md', ['fresh']);
  await embedPending({ database: other.database, embedder, now });
  expect(await found('fresh')).toBe(true);

  await other.remove('new.md');
  expect(await found('fresh')).toBe(false);
  await sweepVectors(other.database);
  expect(await found('fresh')).toBe(false);
  expect(await found('a 7')).toBe(true);
});

test('V27 when the embedder fails, the search is empty and the fault is told', async () => {
  const { index, embedder } = await embeddedIndex([['text']]);
  const faults: string[] = [];
  const failing = { ...embedder, embedQuery: () => Promise.reject(new Error('no server')) };
  const vectors = vectorPort(failing, ({ message }) => faults.push(message));
  expect(await index.database.read((sql) => vectors.nearest(sql, 'question', { limit: 5 }))).toEqual([]);
  expect(faults).toEqual(['no server']);
});
