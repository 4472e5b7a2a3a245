// @ts-check
/**
 * Syncing a folder: from nothing, with nothing changed, and with one file changed, against a bare walk of its files.
 * Then what a sync from nothing is made of, in MB/s beside minisearch, and how fast vectors follow it.
 */
import { spawnSync } from 'node:child_process';
import { appendFileSync, cpSync, mkdirSync, mkdtempSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { chooseDriver } from '../dist/storage/drivers/choose.js';
import { run as runIndex } from './index.mjs';
import { bareWalk, readAndHash, writePages } from './support/documents.mjs';
import { race } from './support/measure.mjs';
import { indexPlainly } from './support/plain-index.mjs';
import { inScratchFolder, machine } from './support/scratch.mjs';
import { openSynced } from './support/synced.mjs';
import { ratioTable } from './support/table.mjs';
import { embedding } from './vectors.mjs';

/** @typedef {import('./support/raw.mjs').Driver} Driver */
/** @typedef {{ label: string, folder: string, glob: string }} Scene */

const options = /** @type {const} */ ({
  files: { type: 'string', default: '20000' },
  rounds: { type: 'string', default: '21' },
  'cold-rounds': { type: 'string', default: '3' },
  memory: { type: 'string', default: '5000,20000,40000' },
  driver: { type: 'string', default: process.env.AI_ASSIST_SQLITE_DRIVER || 'auto' },
});

/** A file that was written less than two seconds ago is read again by the next sync. */
const SETTLED_MS = 2500;
/** So many are embedded to tell how fast that is. */
const TEXTS = 24;
const root = path.dirname(import.meta.dirname);

/** @param {string[]} args */
export async function run(args) {
  const { values } = parseArgs({ args, options });
  const driver = chooseDriver(/** @type {'auto' | 'node' | 'libsql'} */ (values.driver));
  console.log(machine(driver.name));
  await inScratchFolder(async (scratch) => {
    const scenes = prepare(scratch, Number(values.files));
    await sleep(SETTLED_MS);
    for (const scene of scenes) await compareCold(driver, scratch, scene, Number(values['cold-rounds']));
    for (const scene of scenes) await compareAgain(driver, scratch, scene, Number(values.rounds));
    const sizes = values.memory.split(',').map(Number).filter(Boolean);
    if (sizes.length > 0) await compareMemory(driver, scratch, sizes);
  });
  console.log('\nFrom text to searchable by word');
  await runIndex(['--driver', values.driver]);
  console.log('\nVectors');
  await embedding(TEXTS, 3);
}

/** @param {string} scratch @param {number} count @returns {Scene[]} */
function prepare(scratch, count) {
  const [installed, generated] = [path.join(scratch, 'installed'), path.join(scratch, 'generated')];
  cpSync(path.join(root, 'node_modules'), path.join(installed, 'node_modules'), {
    recursive: true,
    verbatimSymlinks: true,
  });
  writePages(generated, count);
  const scenes = [
    { label: 'Markdown under `node_modules`', folder: installed, glob: 'node_modules/**/*.md' },
    { label: 'generated', folder: generated, glob: '**/*.md' },
  ];
  return scenes.map((scene) => ({ ...scene, label: `${bareWalk(scene.folder).length} files, ${scene.label}` }));
}

/** @param {Driver} driver @param {string} scratch @param {Scene} scene @param {number} rounds */
async function compareCold(driver, scratch, scene, rounds) {
  const place = mkdtempSync(path.join(scratch, 'cold-'));
  let number = 0;
  const newFile = () => path.join(place, `${number++}.db`);
  const contestants = [
    { call: () => syncOnce(driver, scratch, newFile(), scene) },
    { call: () => indexPlainly(driver, newFile(), scene.folder) },
    { call: () => readAndHash(scene.folder) },
  ];
  const times = await race(contestants, rounds, () => [0]);
  const names = /** @type {const} */ (['cold sync', 'plain full-text rows', 'read and hash']);
  const row = { label: scene.label, times: times.map((each) => each.map(({ mean }) => mean)) };
  console.log(`\n${ratioTable('from nothing', names, [row])}`);
}

/** @param {Driver} driver @param {string} scratch @param {string} database @param {Scene} scene */
async function syncOnce(driver, scratch, database, { folder, glob }) {
  const { sync, close } = await openSynced({ scratch, database, folder, glob, driver: driver.name });
  const result = await sync();
  await close();
  return result;
}

/** @param {Driver} driver @param {string} scratch @param {Scene} scene @param {number} rounds */
async function compareAgain(driver, scratch, { label, folder, glob }, rounds) {
  const database = path.join(mkdtempSync(path.join(scratch, 'again-')), 'data.db');
  const { sync, close } = await openSynced({ scratch, database, folder, glob, driver: driver.name });
  const files = bareWalk(folder);
  const { documents } = await sync();
  if (documents !== files.length) throw new Error(`The walk has ${files.length} files, the sync ${documents}.`);
  let turn = 0;
  const changeOne = async () => {
    appendFileSync(files[(turn++ * 37) % files.length] ?? '', `\nChanged for the ${turn}. time.\n`);
    const { counts } = await sync();
    if (counts.updated !== 1) throw new Error(`One file was changed, and ${counts.updated} were updated.`);
  };
  const contestants = [{ call: sync }, { call: changeOne }, { call: () => bareWalk(folder) }];
  const times = await race(contestants, rounds, () => [0]);
  const [nothing = [], one = [], walks = []] = times.map((each) => each.map(({ mean }) => mean));
  const rows = [
    { label: `${label}: nothing changed`, times: [nothing, walks] },
    { label: `${label}: one file changed`, times: [one, walks] },
  ];
  console.log(`\n${ratioTable('synced again', ['sync', 'bare walk'], rows)}`);
  await close();
}

/** @param {Driver} driver @param {string} scratch @param {readonly number[]} sizes */
async function compareMemory(driver, scratch, sizes) {
  const lines = ['| peak memory, MB | cold sync | nothing changed |', '| --- | ---: | ---: |'];
  for (const size of sizes) {
    const folder = path.join(scratch, `memory-${size}`);
    mkdirSync(folder);
    writePages(folder, size);
    await sleep(SETTLED_MS);
    const database = path.join(scratch, `memory-${size}.db`);
    const peak = () => peakOf([scratch, database, folder, '**/*.md', driver.name], size);
    lines.push(`| ${size} files | ${peak()} | ${peak()} |`);
  }
  console.log(`\n${lines.join('\n')}`);
}

/** @param {string[]} args @param {number} expected */
function peakOf(args, expected) {
  const child = path.join(import.meta.dirname, 'sync.child.mjs');
  const { stdout, stderr, status } = spawnSync(process.execPath, [child, ...args], { encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
  const { documents, kilobytes } = JSON.parse(stdout);
  if (documents !== expected) throw new Error(`${expected} files, and ${documents} documents.`);
  return (kilobytes / 1024).toFixed(0);
}
