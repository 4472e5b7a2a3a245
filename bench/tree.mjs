// @ts-check
/** The tree's tools on libraries of growing size: what grows with the tree, and what does not. */
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { chooseDriver } from '../dist/storage/drivers/choose.js';
import { openClient } from './support/client.mjs';
import { walkDeepChain } from './support/deep-chain.mjs';
import { plantForest, shapeOf } from './support/forest.mjs';
import { growthTable, ratioTable } from './support/growth.mjs';
import { drawPlot } from './support/plot.mjs';
import { timeRounds } from './support/rounds.mjs';
import { inScratchFolder, machine } from './support/scratch.mjs';
import * as work from './support/tree-work.mjs';

/** @typedef {import('./support/raw.mjs').Driver} Driver */
/** @typedef {import('./support/growth.mjs').Result} Result */

const options = /** @type {const} */ ({
  sizes: { type: 'string', default: '1000,10000,100000,1000000' },
  chain: { type: 'string', default: '100000' },
  plot: { type: 'string' },
  driver: { type: 'string', default: process.env.AI_ASSIST_SQLITE_DRIVER || 'auto' },
});

/** Up to this size the planted library is checked before it is measured. */
const CHECKED = 100_000;

/** @param {string[]} args */
export async function run(args) {
  const { values } = parseArgs({ args, options });
  const driver = chooseDriver(/** @type {'auto' | 'node' | 'libsql'} */ (values.driver));
  console.log(machine(driver.name));
  await inScratchFolder(async (scratch) => {
    const sizes = numbers(values.sizes);
    const results = sizes.length > 0 ? await measure(driver, scratch, sizes) : [];
    if (results.length > 0) console.log(`\n${growthTable(results)}\n\n${ratioTable(results, work.comparisons)}`);
    if (values.plot !== undefined) await writePlot(values.plot, results);
    for (const length of numbers(values.chain)) console.log(`\n${await deepChain(driver, scratch, length)}`);
  });
}

/** @param {string} list */
const numbers = (list) =>
  list
    .split(',')
    .map(Number)
    .filter((number) => number > 0);

/**
 * The libraries of all sizes take turns, so that what slows down the machine for a while slows down all of them.
 * @param {Driver} driver
 * @param {string} scratch
 * @param {readonly number[]} sizes
 * @returns {Promise<Result[]>}
 */
async function measure(driver, scratch, sizes) {
  /** @type {work.Site[]} */
  const sites = [];
  for (const size of sizes) {
    const site = await plant(driver, path.join(scratch, `library-${size}.db`), shapeOf(size));
    if (size <= CHECKED) await expectSound(site.client);
    console.log(`${site.forest.nodes.toLocaleString('en-US')} nodes`);
    sites.push(site);
  }
  const results = sizes.map((size) => ({ size, times: /** @type {Map<string, number>} */ (new Map()) }));
  for (const game of [work.reads, work.changes, work.snapshots, work.searches]) {
    const times = await timeRounds(sites.map(game));
    for (const [index, found] of times.entries()) for (const one of found) results[index]?.times.set(...one);
  }
  for (const { client } of sites) await client.close();
  return results;
}

/** @param {Driver} driver @param {string} scratch @param {number} length */
async function deepChain(driver, scratch, length) {
  const file = path.join(scratch, `chain-${length}.db`);
  const { client, forest } = await plant(driver, file, { bushy: 10, wide: 10, chain: length });
  const table = await walkDeepChain(client, forest);
  await client.close();
  return table;
}

/**
 * A new library with a forest in it.
 * @param {Driver} driver
 * @param {string} file
 * @param {import('./support/forest.mjs').Shape} shape
 * @returns {Promise<work.Site>}
 */
async function plant(driver, file, shape) {
  const folder = path.dirname(file);
  const first = await openClient(driver, file, folder);
  await first.read('define_document_type', { documentType: 'note' });
  await first.close();
  const forest = plantForest(driver, file, shape);
  return { client: await openClient(driver, file, folder), forest, driver, file };
}

/** @param {work.Site['client']} client */
async function expectSound(client) {
  const { violations } = await client.read('validate_tree', { rulesetId: 'structure' });
  if (violations.length > 0) throw new Error(`The planted library is not sound: ${JSON.stringify(violations[0])}.`);
}

/** @param {string} file @param {readonly Result[]} results */
async function writePlot(file, results) {
  const labels = [...(results[0]?.times.keys() ?? [])];
  const series = labels.map((label) => ({
    label: label.replaceAll('`', ''),
    points: results.map(({ size, times }) => /** @type {const} */ ([size, times.get(label) ?? Number.NaN])),
    dashed: !label.startsWith('`'),
  }));
  const title = 'Cost of a call against the size of the tree';
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, drawPlot({ title, x: 'size of the tree, nodes', y: 'median of a call', series }));
}
