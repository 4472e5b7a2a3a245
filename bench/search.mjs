// @ts-check
/**
 * Searches of 1,000 to 100,000 chunks: for each mode in-process, through MCP and as a cold command, beside minisearch
 * and Orama on the same texts. Vectors of chunks are random ones: the time of a search does not depend on what they
 * mean. Queries are embedded by the model itself.
 */
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { ensureCollection } from '../dist/context/collection-store.js';
import { putDocument } from '../dist/context/document-store.js';
import { minilm } from '../dist/search/embed/minilm/minilm.js';
import { search } from '../dist/search/search.js';
import { embedPending } from '../dist/search/vectors/embed-pending.js';
import { putVectors } from '../dist/search/vectors/store.js';
import { vectorPort } from '../dist/search/vectors/vectors.js';
import { chooseDriver } from '../dist/storage/drivers/choose.js';
import { openDatabase } from '../dist/storage/open.js';
import { markdown } from './support/growth.mjs';
import { chance, cutInto, markdownIn, questionsAbout } from './support/markdown-texts.mjs';
import { stdioClient } from './support/mcp.mjs';
import { quantile } from './support/measure.mjs';
import { inScratchFolder, machine, scratchEnv } from './support/scratch.mjs';
import { byMiniSearch, byOrama } from './support/search-contestants.mjs';

/** @typedef {import('../dist/storage/sql.js').Database} Database */
/** @typedef {import('../dist/search/embed/embedder.js').Embedder} Embedder */
/** @typedef {import('./support/markdown-texts.mjs').Cut} Cut */
/** @typedef {(query: string) => unknown} Find */

const options = /** @type {const} */ ({
  sizes: { type: 'string', default: '1000,10000,100000' },
  queries: { type: 'string', default: '100' },
  folder: { type: 'string', default: path.join(import.meta.dirname, '..', 'node_modules') },
  driver: { type: 'string', default: process.env.AI_ASSIST_SQLITE_DRIVER || 'auto' },
});
const DIMENSIONS = 384;
const ID = 'pkg:https://bench.test/manifest.json';
/** Queries before the count begins: by then the code is compiled and the pages are at hand. */
const WARMUP = 60;
const COLD_RUNS = 21;
const main = path.join(import.meta.dirname, '..', 'dist', 'cli', 'main.cjs');
const embedOnce = path.join(import.meta.dirname, 'support', 'embed-once.child.mjs');
/** @type {readonly ('keyword' | 'vector' | 'hybrid')[]} */
const modes = ['keyword', 'vector', 'hybrid'];

/** @param {string[]} args */
export async function run(args) {
  const { values } = parseArgs({ args, options });
  const driver = /** @type {'auto' | 'node' | 'libsql'} */ (values.driver);
  console.log(`${machine(chooseDriver(driver).name)}\n`);
  const files = markdownIn(values.folder);
  for (const size of values.sizes.split(',').map(Number)) {
    const documents = cutInto(files, size);
    const queries = questionsAbout(documents, WARMUP + Number(values.queries));
    await inScratchFolder(async (folder) => {
      const rows = await compare(folder, documents, queries, driver);
      console.log(
        markdown([
          [`${size} chunks, ${documents.length} documents`, 'p50, ms', 'p95, ms', 'p50 of processor time, ms'],
          ...rows,
        ]),
        '\n',
      );
    });
  }
}

/** @param {string} folder @param {Cut[]} documents @param {string[]} queries @param {'auto' | 'node' | 'libsql'} driver */
async function compare(folder, documents, queries, driver) {
  const embedder = minilm({ threads: 1, runtime: undefined });
  const file = path.join(folder, 'bench.db');
  const env = { ...scratchEnv(folder), AI_ASSIST_DATABASE: file, AI_ASSIST_LIMITS_CALLS_PER_MINUTE: '0' };
  const database = await openDatabase({ location: file, driver });
  await store(database, documents, embedder);
  /** @type {Map<string, Float32Array>} */
  const known = new Map();
  const embed = async (/** @type {string} */ query) => known.set(query, await embedder.embedQuery(query));
  const embedded = ['embedding the query', ...(await timesOf(embed, queries))];
  const prepared = {
    ...embedder,
    embedQuery: async (/** @type {string} */ text) => known.get(text) ?? embedder.embedQuery(text),
  };
  const client = stdioClient('library', env);
  const texts = documents.flatMap(({ path, title, chunks }) =>
    chunks.map(({ text }, at) => ({ id: `${path}#${at}`, title, text })),
  );
  /** @type {[string, Find][]} */
  const contestants = [
    ...inProcess(database, prepared),
    ...modes.map(
      (mode) =>
        /** @type {[string, Find]} */ ([`through MCP, ${mode}`, (query) => client.call('ref_search', { query, mode })]),
    ),
    ['minisearch', byMiniSearch(texts)],
    ['Orama', await byOrama(texts)],
  ];
  const rows = [embedded];
  for (const [label, find] of contestants) {
    const [p50 = '', p95 = '', processor = ''] = await timesOf(find, queries);
    // The work of a server is not in this process.
    rows.push([label, p50, p95, label.startsWith('through') ? '' : processor]);
  }
  client.close();
  await embedder.close();
  await database.close();
  return [...rows, ...cold(queries, env)];
}

/** @param {Database} database @param {Embedder} embedder @returns {[string, Find][]} */
function inProcess(database, embedder) {
  const vectors = vectorPort(embedder);
  return modes.map((mode) => [
    mode === 'keyword' ? 'in-process, keyword' : `in-process, ${mode}, besides embedding the query`,
    (query) => database.read((sql) => search(sql, vectors, { query, mode, limit: 10 })),
  ]);
}

/** @param {Find} find @param {readonly string[]} queries */
async function timesOf(find, queries) {
  /** @type {number[]} */
  const times = [];
  /** @type {number[]} */
  const processor = [];
  for (const query of queries) {
    const [start, used] = [process.hrtime.bigint(), process.cpuUsage()];
    await find(query);
    times.push(Number(process.hrtime.bigint() - start) / 1e6);
    const { user, system } = process.cpuUsage(used);
    processor.push((user + system) / 1000);
  }
  return [...shown(times.slice(WARMUP)), quantile(processor.slice(WARMUP), 0.5).toFixed(2)];
}

/** @param {number[]} times */
const shown = (times) => /** @type {[string, string]} */ ([0.5, 0.95].map((part) => quantile(times, part).toFixed(2)));

/**
 * Whole processes, one of each kind in turn, all with the same environment. Ratios are medians over the rounds. What a process spends on the vector of its
 * question, the model included, is measured inside of it.
 * @param {readonly string[]} queries @param {NodeJS.ProcessEnv} env
 */
function cold(queries, env) {
  const kinds = [
    { label: 'bare node -e 0', args: () => ['-e', '0'] },
    ...modes.map((mode) => ({
      label: `cold command, ${mode}`,
      args: (/** @type {string} */ query) => [main, 'ref', 'search', query, '--mode', mode],
    })),
    {
      label: 'embedding the query, in a new process',
      args: (/** @type {string} */ query) => [embedOnce, query],
      tells: true,
    },
  ].map((kind) => ({ tells: false, ...kind, times: /** @type {number[]} */ ([]) }));
  for (let round = -1; round < COLD_RUNS; round++) {
    for (const { args, tells, times } of kinds) {
      const { ms, stdout } = spawned(args(queries[round + 1] ?? 'how'), env);
      // The first round is for the caches.
      if (round >= 0) times.push(tells ? Number(stdout) : ms);
    }
  }
  const [bare = [], keyword = [], vector = [], hybrid = [], embedding = []] = kinds.map(({ times }) => times);
  const inBareNodes = (/** @type {number[]} */ whole, /** @type {number[]} */ without = []) => {
    const rounds = whole.map((time, round) => (time - (without[round] ?? 0)) / /** @type {number} */ (bare[round]));
    return [quantile(rounds, 0.5).toFixed(2), '', ''];
  };
  return [
    ...kinds.map(({ label, times }) => [label, ...shown(times), '']),
    ['cold keyword, in bare nodes', ...inBareNodes(keyword)],
    ['cold vector without the embedding, in bare nodes', ...inBareNodes(vector, embedding)],
    ['cold hybrid without the embedding, in bare nodes', ...inBareNodes(hybrid, embedding)],
  ];
}

/** @param {string[]} args @param {NodeJS.ProcessEnv} env */
function spawned(args, env) {
  const start = process.hrtime.bigint();
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { env, encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
  return { ms: Number(process.hrtime.bigint() - start) / 1e6, stdout };
}

const AT_ONCE = 200;

/** @param {Database} database @param {readonly Cut[]} documents @param {Embedder} embedder */
async function store(database, documents, embedder) {
  await database.write((sql) => ensureCollection(sql, ID, { type: 'pkg', url: 'https://bench.test/manifest.json' }, 0));
  for (let from = 0; from < documents.length; from += AT_ONCE) {
    await database.write(async (sql) => {
      for (const { chunks, ...document } of documents.slice(from, from + AT_ONCE)) {
        const bytes = Buffer.byteLength(document.content);
        await putDocument(sql, ID, { ...document, hash: document.path, bytes }, chunks, 0);
      }
    });
  }
  const rows = await database.read((sql) =>
    sql.all('SELECT DISTINCT text_hash AS hash FROM reference_document_chunks'),
  );
  const vectors = /** @type {{ hash: string }[]} */ (rows).map(({ hash }, at) => ({ hash, vector: randomVector(at) }));
  for (let from = 0; from < vectors.length; from += 1000) {
    await database.write((sql) => putVectors(sql, embedder.name, vectors.slice(from, from + 1000)));
  }
  // Nothing is left to embed, which is noted.
  await embedPending({ database, embedder, now: Date.now });
}

/** @param {number} seed */
function randomVector(seed) {
  const next = chance(seed);
  const vector = Float32Array.from({ length: DIMENSIONS }, () => next() - 0.5);
  const length = Math.hypot(...vector);
  return vector.map((value) => value / length);
}
