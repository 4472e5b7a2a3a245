// @ts-check
/**
 * How good results are: nDCG, recall and MRR at 10 on test collections with judgements, for each mode, beside plain
 * FTS5, minisearch and Orama on the same texts. A collection is a JSON file with docs, queries and qrels.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { chooseEmbedder } from '../dist/search/embed/choose.js';
import { search } from '../dist/search/search.js';
import { vectorPort } from '../dist/search/vectors/vectors.js';
import { chooseDriver } from '../dist/storage/drivers/choose.js';
import { drawBars } from './support/bars.mjs';
import { markdown } from './support/growth.mjs';
import { embedSet, indexSet } from './support/indexed-set.mjs';
import { judge } from './support/relevance.mjs';
import { inScratchFolder, machine } from './support/scratch.mjs';
import { byMiniSearch, byOrama, byPlainFts } from './support/search-contestants.mjs';

/** @typedef {import('./support/relevance.mjs').Collection} Collection */
/** @typedef {import('./support/relevance.mjs').Scores} Scores */
/** @typedef {{ name: string, rows: [string, Scores][] }} Judged */

const options = /** @type {const} */ ({
  /** Vectors take minutes to compute: the databases stay here. */
  keep: { type: 'string', default: path.join(os.tmpdir(), 'ai-assist-bench-retrieval') },
  driver: { type: 'string', default: process.env.AI_ASSIST_SQLITE_DRIVER || 'auto' },
  /** The size that chunks aim at, where it is not the usual one. */
  tokens: { type: 'string' },
  plot: { type: 'string' },
});

const server = { url: '', model: '', dimensions: 0, key: undefined, timeoutMs: 0 };
/** @type {readonly ('keyword' | 'vector' | 'hybrid')[]} */
const modes = ['keyword', 'vector', 'hybrid'];

/** @param {string[]} args */
export async function run(args) {
  const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
  if (positionals.length === 0) throw new Error('Name the collections: npm run bench -- retrieval FILE.json …');
  const driver = /** @type {'auto' | 'node' | 'libsql'} */ (values.driver);
  console.log(`${machine(chooseDriver(driver).name)}\n`);
  mkdirSync(values.keep, { recursive: true });
  /** @type {Judged[]} */
  const judged = [];
  for (const file of positionals) {
    const name = path.basename(file, '.json');
    const database = path.join(values.keep, `${name}${values.tokens ?? ''}.db`);
    const rows = await judgeAll(readCollection(file), { database, tokens: Number(values.tokens ?? 0), driver, name });
    judged.push({ name, rows });
    console.log(tableOf({ name, rows }), '\n');
  }
  if (values.plot) writeFileSync(values.plot, plotOf(judged));
}

/** Some collections begin every text with its title, which would count it twice. @param {string} file @returns {Collection} */
function readCollection(file) {
  /** @type {Collection} */
  const { docs, queries, qrels } = JSON.parse(readFileSync(file, 'utf8'));
  const plain = docs.map(({ id, title, text }) => {
    const body = text.trim();
    return { id, title, text: body.startsWith(title) ? body.slice(title.length).trim() : body };
  });
  return { docs: plain, queries, qrels };
}

/**
 * @param {Collection} collection
 * @param {{ database: string, tokens: number, driver: 'auto' | 'node' | 'libsql', name: string }} how
 */
async function judgeAll(collection, { database: file, tokens, driver, name }) {
  const embedder = chooseEmbedder({ kind: 'minilm', engine: 'auto', threads: 0, sparing: false, openai: server });
  if (!embedder) throw new Error('There is no embedder');
  const database = await indexSet(file, driver, collection.docs, tokens);
  await embedSet(database, embedder, name);
  const vectors = vectorPort(embedder);
  /** @type {[string, Scores][]} */
  const rows = [];
  for (const mode of modes) {
    const find = (/** @type {string} */ query) =>
      database.read(async (sql) => {
        const found = await search(sql, vectors, { query, mode, limit: 10 });
        return found.map(({ document }) => document.replace(/\.md$/, ''));
      });
    rows.push([`ai-assist, ${mode}`, await judge(collection, find)]);
  }
  await embedder.close();
  await database.close();
  await inScratchFolder(async (folder) => {
    const plain = byPlainFts(chooseDriver(driver), path.join(folder, 'plain.db'), collection.docs);
    rows.push(['plain FTS5', await judge(collection, plain)]);
  });
  rows.push(['minisearch', await judge(collection, byMiniSearch(collection.docs))]);
  rows.push(['Orama', await judge(collection, await byOrama(collection.docs))]);
  return rows;
}

/** @param {Judged} judged */
const tableOf = ({ name, rows }) =>
  markdown([
    [name, 'nDCG@10', 'recall@10', 'MRR@10'],
    ...rows.map(([label, scores]) => [
      label,
      ...[scores.ndcg, scores.recall, scores.mrr].map((each) => each.toFixed(3)),
    ]),
  ]);

/** @param {Judged[]} judged */
const plotOf = (judged) =>
  drawBars({
    title: 'nDCG@10: how much of what is relevant stands on the first page, and how high',
    groups: judged.map(({ name, rows }) => ({ name, bars: rows.map(([label, { ndcg }]) => ({ label, value: ndcg })) })),
  });
