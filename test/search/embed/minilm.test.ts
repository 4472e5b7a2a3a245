import { readFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { threadsFor } from '../../../src/search/embed/choose.js';
import { kernelMemory } from '../../../src/search/embed/minilm/kernel.js';
import { layoutFor } from '../../../src/search/embed/minilm/layout.js';
import { loadWeights } from '../../../src/search/embed/minilm/load.js';
import { minilm } from '../../../src/search/embed/minilm/minilm.js';
import { findModel } from '../../../src/search/embed/minilm/model.js';
import { findRuntime, type Runtime } from '../../../src/search/embed/minilm/onnx/runtime.js';
import { startThreads } from '../../../src/search/embed/minilm/threads.js';
import { openWeights } from '../../../src/search/embed/minilm/weights.js';
import { loadTokenizer } from '../../../src/search/embed/minilm/wordpiece.js';
import { dot } from '../../../src/search/vectors/quantise.js';

type Reference = { text: string; ids: number[]; vector: string };

const reference = JSON.parse(
  readFileSync(path.join(import.meta.dirname, 'reference.json'), 'utf8'),
) as readonly Reference[];
const vectorOf = ({ vector }: Reference) => new Float32Array(new Uint8Array(Buffer.from(vector, 'base64')).buffer);

const embedder = minilm({ threads: 2 });
afterAll(() => embedder.close());

test('V1 vectors agree with the reference, for texts of every length and script', async () => {
  const vectors = await embedder.embed(reference.map(({ text }) => text));
  for (const [index, vector] of vectors.entries()) {
    const entry = reference[index] as Reference;
    expect(dot(vector, vectorOf(entry)), entry.text.slice(0, 40)).toBeGreaterThan(0.999);
  }
});

test('V1 the vector of a question is that of the same text', async () => {
  for (const entry of reference.filter(({ ids }) => ids.length < 60)) {
    expect(dot(await embedder.embedQuery(entry.text), vectorOf(entry)), entry.text).toBeGreaterThan(0.999);
  }
});

test('V2 the tokenizer gives the numbers of the reference', async () => {
  const { encode } = loadTokenizer((await findModel()).tokenizerPath);
  for (const { text, ids } of reference) expect(encode(text, 256), text.slice(0, 40)).toEqual(ids);
});

test('V2 small letters are made one by one, and ideographs beyond the first plane stand alone', async () => {
  const { encode } = loadTokenizer((await findModel()).tokenizerPath);
  expect(encode('ΟΔΟΣ', 256)).toEqual(encode('οδοσ', 256));
  expect(encode('\u{20000}\u{20001}', 256)).toHaveLength(4);
  expect(encode(' '.repeat(1_000_000), 256)).toEqual(encode('', 256));
  expect(encode('a b '.repeat(1_000_000), 256)).toHaveLength(256);
});

test('V3 any text has 384 finite numbers of length one, from every thread the same', async () => {
  const anything = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 80 }),
    fc.string({ unit: 'grapheme', maxLength: 40 }),
    fc.uint16Array({ maxLength: 40 }).map((units) => String.fromCharCode(...units)),
  );
  await fc.assert(
    fc.asyncProperty(anything, async (text) => {
      const [one, other] = await embedder.embed([text, text]);
      const query = await embedder.embedQuery(text);
      expect(one).toHaveLength(384);
      expect(one?.every(Number.isFinite)).toBe(true);
      expect(dot(query, query)).toBeCloseTo(1, 4);
      expect(other).toEqual(one);
      expect(query).toEqual(one);
    }),
    { numRuns: 25 },
  );
});

test('V3 what an earlier text left behind does not matter', async () => {
  const before = await embedder.embedQuery('a short one');
  await embedder.embed(['word '.repeat(300), '字'.repeat(300)]);
  expect(await embedder.embedQuery('a short one')).toEqual(before);
});

test('V4 a text that waits can be taken back, and closing fails what is under way', async () => {
  const closing = minilm({ threads: 1 });
  const stop = new AbortController();
  const texts = Array.from({ length: 20 }, (_, at) => `text ${at} ${'word '.repeat(200)}`);
  await closing.embed(['first']);
  const stopped = closing.embed(texts, { signal: stop.signal });
  stop.abort(new Error('enough'));
  await expect(stopped).rejects.toThrow('enough');

  const cut = closing.embed(texts);
  cut.catch(() => {});
  await closing.embedQuery('now');
  await closing.close();
  await expect(cut).rejects.toThrow('closed');
  await expect(closing.embed(['after'])).rejects.toThrow('closed');
});

test('V6 threads fit the machine', () => {
  expect([1, 2, 4, 64].map((cores) => threadsFor(cores, true))).toEqual([1, 1, 2, 8]);
  expect([1, 2, 4, 64].map((cores) => threadsFor(cores, false))).toEqual([1, 2, 4, 8]);
});

test('V5 a thread that ends fails its own text only', async () => {
  const files = await findModel();
  const layout = layoutFor(2);
  const memory = kernelMemory(layout.bytes);
  loadWeights(memory, layout, openWeights(files.weightsPath));
  // The first thread finds no weights and ends; the next one starts when they are named rightly.
  const start = { memory, layout, files: { ...files, weightsPath: '/nowhere' } };
  const threads = startThreads(1, start);
  await expect(threads.embed('first', undefined)).rejects.toThrow('/nowhere');
  start.files.weightsPath = files.weightsPath;
  expect(await threads.embed('second', undefined)).toHaveLength(384);
  await threads.close();
});

/** Not the runtime: it remembers what it is given, and answers with a direction. */
function fakeRuntime() {
  const fed: bigint[][] = [];
  let model: Uint8Array = new Uint8Array();
  const runtime: Runtime = {
    Tensor: class {
      values: bigint[];
      constructor(_type: 'int64', values: BigInt64Array) {
        this.values = [...values];
      }
    },
    InferenceSession: {
      create: async (bytes) => {
        model = bytes;
        return {
          run: async ({ ids, positions }) => {
            fed.push((ids as { values: bigint[] }).values, (positions as { values: bigint[] }).values);
            return { mean: { data: new Float32Array(384).fill(2) } };
          },
        };
      },
    },
  };
  return { runtime, fed, size: () => model.byteLength };
}

test('V7 where onnxruntime is installed it embeds texts, and the kernel still answers questions', async () => {
  const { runtime, fed, size } = fakeRuntime();
  const native = minilm({ threads: 1, runtime: async () => runtime });
  const [vector] = await native.embed(['hello']);
  expect(native.engine).toBe('onnxruntime');
  expect(fed).toEqual([
    [101n, 7592n, 102n],
    [0n, 1n, 2n],
  ]);
  expect(vector?.[0]).toBeCloseTo(1 / Math.sqrt(384), 6);
  // All weights are in the model, as 16-bit floats.
  expect(size()).toBeGreaterThan(44_000_000);
  expect((await native.embedQuery('hello'))[0]).not.toBe(vector?.[0]);
  await native.close();
});

test('V7 a runtime that is missing or does not start leaves the work to the kernel', async () => {
  const { runtime } = fakeRuntime();
  const broken = { ...runtime, InferenceSession: { create: () => Promise.reject(new Error('wrong machine')) } };
  for (const found of [undefined, broken]) {
    const native = minilm({ threads: 1, runtime: async () => found });
    expect((await native.embed(['hello']))[0]).toHaveLength(384);
    expect(native.engine).toBe('wasm');
    await native.close();
  }
  expect(() => findRuntime()).not.toThrow();
});
