// @ts-check
/**
 * Searches of 1,000 to 100,000 chunks: in-process for each mode, through MCP, and as a cold command, beside minisearch
 * and Orama on the same texts. Vectors are random ones: the time of a search does not depend on what they mean.
 */
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { search } from '../dist/search/search.js';
import { putVectors } from '../dist/search/vectors/store.js';
import { vectorPort } from '../dist/search/vectors/vectors.js';
import { chooseDriver } from '../dist/storage/drivers/choose.js';
import { markdown } from './support/growth.mjs';
import { indexSet } from './support/indexed-set.mjs';
import { stdioClient } from './support/mcp.mjs';
import { quantile } from './support/measure.mjs';
import { inScratchFolder, machine, scratchEnv } from './support/scratch.mjs';
import { byMiniSearch, byOrama } from './support/search-contestants.mjs';

/** @typedef {import('../dist/storage/sql.js').Database} Database */
/** @typedef {{ id: string, title: string, text: string }} Text */

const options = /** @type {const} */ ({
  sizes: { type: 'string', default: '1000,10000,100000' },
  queries: { type: 'string', default: '60' },
  driver: { type: 'string', default: process.env.AI_ASSIST_SQLITE_DRIVER || 'auto' },
});
const DIMENSIONS = 384;
const EMBEDDER = 'bench';
const main = path.join(import.meta.dirname, '..', 'dist', 'cli', 'main.js');

/** @param {string[]} args */
export async function run(args) {
  const { values } = parseArgs({ args, options });
  const driver = /** @type {'auto' | 'node' | 'libsql'} */ (values.driver);
  console.log(`${machine(chooseDriver(driver).name)}\n`);
  for (const size of values.sizes.split(',').map(Number)) {
    await inScratchFolder((folder) => compare({ folder, size, driver, count: Number(values.queries) }));
  }
}

/** @param {{ folder: string, size: number, driver: 'auto' | 'node' | 'libsql', count: number }} wanted */
async function compare({ folder, size, driver, count }) {
  const texts = Array.from({ length: size }, (_, at) => page(at));
  const queries = Array.from({ length: count }, (_, at) => question(at));
  const file = path.join(folder, 'bench.db');
  const database = await indexSet(file, driver, texts);
  await giveVectors(database);
  const vectors = vectorPort(embedder);
  /** @type {[string, (query: string) => unknown][]} */
  const contestants = ['keyword', 'vector', 'hybrid'].map((mode) => [
    `in-process, ${mode}`,
    (query) =>
      database.read((sql) =>
        search(sql, vectors, { query, mode: /** @type {'keyword' | 'vector' | 'hybrid'} */ (mode), limit: 10 }),
      ),
  ]);
  const client = stdioClient('library', {
    ...scratchEnv(folder),
    AI_ASSIST_DATABASE: file,
    AI_ASSIST_LIMITS_CALLS_PER_MINUTE: '0',
  });
  contestants.push(['through MCP, keyword', (query) => client.call('ref_search', { query, mode: 'keyword' })]);
  contestants.push(['minisearch', byMiniSearch(texts)], ['Orama', await byOrama(texts)]);
  const rows = [];
  for (const [label, find] of contestants) rows.push([label, ...(await timesOf(find, queries))]);
  client.close();
  await database.close();
  rows.push(['cold command, keyword', ...cold(file, folder)], ['bare node -e 0', ...bare()]);
  console.log(markdown([[`${size} chunks`, 'p50, ms', 'p95, ms'], ...rows]), '\n');
}

/** @param {(query: string) => unknown} find @param {readonly string[]} queries */
async function timesOf(find, queries) {
  const times = [];
  for (const query of queries.slice(0, 5)) await find(query);
  for (const query of queries) {
    const start = process.hrtime.bigint();
    await find(query);
    times.push(Number(process.hrtime.bigint() - start) / 1e6);
  }
  return shown(times);
}

/** @param {number[]} times */
const shown = (times) => [quantile(times, 0.5), quantile(times, 0.95)].map((time) => time.toFixed(2));

const RUNS = 9;

/** @param {string} file @param {string} folder */
function cold(file, folder) {
  const env = { ...scratchEnv(folder), AI_ASSIST_DATABASE: file };
  const words = ['ref', 'search', 'alpha', 'river', '--mode', 'keyword'];
  return shown(Array.from({ length: RUNS }, () => spawned([main, ...words], env)));
}

const bare = () => shown(Array.from({ length: RUNS }, () => spawned(['-e', '0'], process.env)));

/** @param {string[]} args @param {NodeJS.ProcessEnv} env */
function spawned(args, env) {
  const start = process.hrtime.bigint();
  const { status, stderr } = spawnSync(process.execPath, args, { env, encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
  return Number(process.hrtime.bigint() - start) / 1e6;
}

/** Numbers that look random and are the same in every run. @param {number} seed */
function chance(seed) {
  let state = (seed + 1) * 2_654_435_761;
  return () => {
    state = Math.imul(state ^ (state >>> 15), 2_246_822_519) ^ Math.imul(state ^ (state >>> 13), 3_266_489_917);
    return (state >>> 0) / 2 ** 32;
  };
}

const stems =
  'alpha river stone cloud engine window garden signal market frame letter bridge module record query'.split(' ');

/** Few words stand everywhere, most stand seldom, as in real texts. @param {() => number} next */
function word(next) {
  const rank = Math.floor(20_000 ** next());
  return `${stems[rank % stems.length]}${rank < stems.length ? '' : rank.toString(36)}`;
}

/** @param {number} number @returns {Text} */
function page(number) {
  const next = chance(number);
  const words = (/** @type {number} */ count) => Array.from({ length: count }, () => word(next)).join(' ');
  return { id: String(number), title: words(4), text: words(60) };
}

/** @param {number} number */
function question(number) {
  const next = chance(1_000_000 + number);
  return Array.from({ length: 3 + (number % 5) }, () => word(next)).join(' ');
}

/** @param {string} text */
function vectorOf(text) {
  let seed = 0;
  for (const character of text) seed = (seed * 31 + character.charCodeAt(0)) | 0;
  const next = chance(seed);
  const vector = Float32Array.from({ length: DIMENSIONS }, () => next() - 0.5);
  const length = Math.hypot(...vector);
  return vector.map((value) => value / length);
}

/** @type {import('../dist/search/embed/embedder.js').Embedder} */
const embedder = {
  name: EMBEDDER,
  engine: 'random numbers',
  batch: 64,
  embed: async (texts) => texts.map(vectorOf),
  embedQuery: async (text) => vectorOf(text),
  close: async () => {},
};

/** @param {Database} database */
async function giveVectors(database) {
  const rows = await database.read((sql) =>
    sql.all('SELECT DISTINCT text_hash AS hash FROM reference_document_chunks'),
  );
  const hashes = /** @type {{ hash: string }[]} */ (rows).map(({ hash }) => hash);
  for (let from = 0; from < hashes.length; from += 1000) {
    const vectors = hashes.slice(from, from + 1000).map((hash) => ({ hash, vector: vectorOf(hash) }));
    await database.write((sql) => putVectors(sql, EMBEDDER, vectors));
  }
}
