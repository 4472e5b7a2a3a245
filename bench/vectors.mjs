// @ts-check
/** Embedding, loading and scanning vectors, each against a physical limit and against what one would use instead. */
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { kernelMemory, kernelOn } from '../dist/search/embed/minilm/kernel.js';
import { minilm } from '../dist/search/embed/minilm/minilm.js';
import { emptyMatrix } from '../dist/search/vectors/matrix.js';
import { blockIds, findEmbedder, putVectors, readBlocks } from '../dist/search/vectors/store.js';
import { vectorPort } from '../dist/search/vectors/vectors.js';
import { openDatabase } from '../dist/storage/open.js';
import { inScratchFolder, machine } from './support/scratch.mjs';

const DIMENSIONS = 384;
const options = /** @type {const} */ ({
  sizes: { type: 'string', default: '1000,10000,100000' },
  rounds: { type: 'string', default: '9' },
  texts: { type: 'string', default: '24' },
});

/** @param {string[]} args */
export async function run(args) {
  const { values } = parseArgs({ args, options });
  const rounds = Number(values.rounds);
  console.log(`${rounds} rounds, best of each: ${machine()}\n`);
  await embedding(Number(values.texts), rounds);
  await searching(values.sizes.split(',').map(Number), rounds);
}

/**
 * The least of several rounds, in milliseconds: what others do at the same time only adds.
 * @param {number} rounds
 * @param {() => unknown} work
 */
async function best(rounds, work) {
  let least = Number.POSITIVE_INFINITY;
  for (let round = 0; round < rounds; round++) {
    const begin = performance.now();
    await work();
    least = Math.min(least, performance.now() - begin);
  }
  return least;
}

/**
 * The same in processor time, of all threads: what others do at the same time counts less.
 * @param {number} rounds
 * @param {() => unknown} work
 */
async function bestCpu(rounds, work) {
  let least = Number.POSITIVE_INFINITY;
  for (let round = 0; round < rounds; round++) {
    const begin = process.cpuUsage();
    await work();
    const { user, system } = process.cpuUsage(begin);
    least = Math.min(least, (user + system) / 1000);
  }
  return least;
}

const words = 'A library keeps folders and documents and every change is written down with who made it and when '.split(
  ' ',
);
/** @param {number} tokens @param {number} seed */
const textOf = (tokens, seed) =>
  Array.from({ length: tokens - 2 }, (_, at) => words[(at * 7 + seed) % words.length]).join(' ');

/** How many products of numbers a text of so many tokens takes. @param {number} tokens */
const productsOf = (tokens) => 6 * tokens * (12 * DIMENSIONS * DIMENSIONS + 2 * tokens * DIMENSIONS);

/** What the processor can do: products a millisecond of its own time, of a matrix that is in its nearest memory. @param {number} rounds */
async function peak(rounds) {
  const memory = kernelMemory(1 << 22);
  const kernel = kernelOn(memory);
  const [rows, columns, depth] = [16, 32, DIMENSIONS];
  const times = 4000;
  const work = () => {
    for (let at = 0; at < times; at++) kernel.gemm(1024, 65536, 131072, 262144, 327680, 393216, rows, columns, depth);
  };
  return (times * rows * columns * depth) / (await bestCpu(3 * rounds, work));
}

/** @param {number} count @param {number} rounds */
export async function embedding(count, rounds) {
  const limit = await peak(rounds);
  console.log('| embedding | texts a second | processor time a text | of the limit |\n| --- | ---: | ---: | ---: |');
  for (const threads of [1, 2]) {
    const embedder = minilm({ threads });
    for (const tokens of [128, 256]) {
      const texts = Array.from({ length: count }, (_, seed) => textOf(tokens, seed));
      await embedder.embed(texts.slice(0, 4));
      const ms = await best(Math.min(3, rounds), () => embedder.embed(texts));
      const cpu = (await bestCpu(Math.min(3, rounds), () => embedder.embed(texts))) / count;
      const label = `${tokens} tokens, ${threads} thread${threads > 1 ? 's' : ''}`;
      const wall = ((1000 * count) / ms).toFixed(1);
      console.log(`| ${label} | ${wall} | ${cpu.toFixed(0)} ms | ${(productsOf(tokens) / limit / cpu).toFixed(2)} |`);
    }
    await embedder.close();
  }
  console.log('\n| one question | ms | processor time | of the limit |\n| --- | ---: | ---: | ---: |');
  const embedder = minilm({ threads: 1 });
  const begin = performance.now();
  const first = await bestCpu(1, () => embedder.embedQuery('first'));
  const elapsed = (performance.now() - begin).toFixed(1);
  console.log(`| the first, with loading the model | ${elapsed} | ${first.toFixed(1)} ms | |`);
  for (const tokens of [8, 16, 32]) {
    const ms = await best(3 * rounds, () => embedder.embedQuery(textOf(tokens, 3)));
    const cpu = await bestCpu(3 * rounds, () => embedder.embedQuery(textOf(tokens, 3)));
    const share = (productsOf(tokens) / limit / cpu).toFixed(2);
    console.log(`| ${tokens} tokens | ${ms.toFixed(1)} | ${cpu.toFixed(1)} ms | ${share} |`);
  }
  await embedder.close();
  console.log();
}

/** @param {readonly number[]} sizes @param {number} rounds */
async function searching(sizes, rounds) {
  console.log('| vectors | load | reading such a file | scan | reading the bytes | plain JavaScript | nearest 10 |');
  console.log('| ---: | ---: | ---: | ---: | ---: | ---: | ---: |');
  for (const size of sizes) await inScratchFolder((folder) => searchIn(folder, size, rounds));
}

/** @param {string} folder @param {number} size @param {number} rounds */
async function searchIn(folder, size, rounds) {
  const database = await openDatabase({ location: path.join(folder, 'index.db') });
  const vectors = await fill(database, size);
  const embedder = minilm({ threads: 1 });
  const query = /** @type {Float32Array} */ (vectors.subarray(0, DIMENSIONS));
  const blob = path.join(folder, 'blob');
  writeFileSync(blob, Buffer.alloc(size * DIMENSIONS));

  let matrix = emptyMatrix(DIMENSIONS);
  const load = () =>
    database.read(async (sql) => {
      matrix = emptyMatrix(DIMENSIONS);
      const row = await findEmbedder(sql, embedder.name);
      const ids = await blockIds(sql, row?.id ?? 0);
      matrix.refresh(await readBlocks(sql, ids), ids);
    });
  const bytes = new Float64Array((size * DIMENSIONS) / 8);
  const copy = new Float64Array(bytes.length);
  const port = vectorPort(embedder);
  const measured = [
    await best(rounds, load),
    await best(rounds, () => readFileSync(blob)),
    await best(3 * rounds, () => matrix.scan(query)),
    await best(3 * rounds, () => copy.set(bytes)),
    await best(Math.min(3, rounds), () => plainScan(vectors, query)),
    await best(rounds, () => database.read((sql) => port.nearestTo(sql, [1], { limit: 10 }))),
  ];
  console.log(`| ${size.toLocaleString('en')} | ${measured.map((ms) => `${ms.toFixed(2)} ms`).join(' | ')} |`);
  await database.close();
}

/** @param {Float32Array} vectors @param {Float32Array} query */
function plainScan(vectors, query) {
  const scores = new Float32Array(vectors.length / DIMENSIONS);
  for (let at = 0, from = 0; at < scores.length; at++, from += DIMENSIONS) {
    let sum = 0;
    for (let d = 0; d < DIMENSIONS; d++)
      sum += /** @type {number} */ (vectors[from + d]) * /** @type {number} */ (query[d]);
    scores[at] = sum;
  }
  return scores;
}

/**
 * One document with as many chunks, each with a vector.
 * @param {import('../dist/storage/sql.js').Database} database
 * @param {number} size
 */
async function fill(database, size) {
  const all = new Float32Array(size * DIMENSIONS).map(() => Math.random() - 0.5);
  await database.write(async (sql) => {
    await sql.run("INSERT INTO collections (id, type, created_at, updated_at) VALUES ('file:bench', 'file', '', '')");
    await sql.run(
      "INSERT INTO reference_documents (id, collection, path, hash, title, bytes, content, indexed_at) VALUES (1, 'file:bench', 'a.md', '', '', 0, '', '')",
    );
    for (let from = 0; from < size; from += 1024) {
      const batch = [];
      for (let at = from; at < Math.min(size, from + 1024); at++) {
        const hash = createHash('sha256').update(String(at)).digest('hex');
        await sql.run(
          `INSERT INTO reference_document_chunks (id, document_id, position, headings, start_line, end_line, start_byte, end_byte, text_hash)
           VALUES (?, 1, ?, '[]', 1, 1, 0, 0, ?)`,
          [at + 1, at, hash],
        );
        batch.push({ hash, vector: all.subarray(at * DIMENSIONS, (at + 1) * DIMENSIONS) });
      }
      await putVectors(sql, 'minilm-l6-v2', batch);
    }
  });
  return all;
}
