// @ts-check
/** Folder calls on a large library: the library against the raw driver on the same tables, in the same run. */
import { copyFile } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { idSource } from '../dist/library/tree/id.js';
import { chooseDriver } from '../dist/storage/drivers/choose.js';
import { buildBareRows, buildByLibrary, buildSameRows, emptyLibrary } from './support/build.mjs';
import { bareRowsCompetitor, libraryCompetitor, sameRowsCompetitor } from './support/contestants.mjs';
import { race } from './support/measure.mjs';
import { connectRaw, readNumber, settle } from './support/raw.mjs';
import { inScratchFolder, machine } from './support/scratch.mjs';
import { ratioTable } from './support/table.mjs';
import { leavesAndParents, lots, plainTree } from './support/tree.mjs';

/** @typedef {import('./support/raw.mjs').Driver} Driver */
/** @typedef {import('./support/contestants.mjs').Competitor} Competitor */
/** @typedef {import('./support/contestants.mjs').Task} Task */
/** @typedef {import('./support/tree.mjs').PlainFolder} PlainFolder */
/** @typedef {import('./support/measure.mjs').Round} Round */
/** @typedef {{ library: string, sameRows: string, bareRows: string }} Files */

const options = /** @type {const} */ ({
  folders: { type: 'string', default: '100000' },
  calls: { type: 'string', default: '5000' },
  rounds: { type: 'string', default: '20' },
  driver: { type: 'string', default: process.env.AI_ASSIST_SQLITE_DRIVER || 'auto' },
});
const names = /** @type {const} */ (['library', 'same rows', 'bare rows']);
const newId = idSource(Date.now);

/** @param {string[]} args */
export async function run(args) {
  const { values } = parseArgs({ args, options });
  const [count, calls, rounds] = [Number(values.folders), Number(values.calls), Number(values.rounds)];
  const driver = chooseDriver(/** @type {'auto' | 'node' | 'libsql'} */ (values.driver));
  console.log(`${count} folders, ${calls} calls in ${rounds} rounds: ${machine(driver.name)}`);
  await inScratchFolder(async (scratch) => {
    const folders = plainTree(count, newId);
    const files = await build(driver, folders, scratch);
    const competitors = await enter(driver, files, scratch);
    const contest = { competitors, folders, rounds, size: Math.ceil(calls / rounds) };
    await compareWrites(contest);
    await compareReads(contest);
    for (const competitor of competitors) await competitor.close();
    checkSameRows(driver, files);
  });
}

/**
 * Races for the tree itself, and leaves one copy of it for each contestant of the other races.
 * @param {Driver} driver
 * @param {PlainFolder[]} folders
 * @param {string} scratch
 * @returns {Promise<Files>}
 */
async function build(driver, folders, scratch) {
  const file = (/** @type {string} */ name) => path.join(scratch, `${name}.db`);
  const builders = [buildByLibrary, buildSameRows, buildBareRows];
  const contestants = builders.map((builder, index) => ({
    call: (/** @type {number} */ round) => builder(driver, { file: file(`built-${index}-${round}`), folders }),
  }));
  const times = await race(contestants, 5, async (round) => {
    for (const index of builders.keys()) await emptyLibrary(driver, file(`built-${index}-${round}`));
    return [round];
  });
  report('building the tree, one transaction', names, [{ label: `${folders.length} folders`, times: means(times) }]);
  const files = { library: file('library'), sameRows: file('same'), bareRows: file('bare') };
  settle(driver, file('built-0-0'));
  for (const copy of Object.values(files)) await copyFile(file('built-0-0'), copy);
  return files;
}

/** @param {Driver} driver @param {Files} files @param {string} scratch */
async function enter(driver, files, scratch) {
  return [
    await libraryCompetitor(driver, files.library, scratch),
    sameRowsCompetitor(driver, files.sameRows),
    bareRowsCompetitor(driver, files.bareRows),
  ];
}

/**
 * @typedef {{ competitors: Competitor[], folders: PlainFolder[], rounds: number, size: number }} Contest
 * size: how many calls there are in a round.
 */

/** @param {Contest} contest */
async function compareWrites({ competitors, folders, rounds, size }) {
  const tasks = taskMaker(folders, size);
  /** @param {'add' | 'rename' | 'move'} verb */
  const compare = (verb) =>
    race(
      competitors.map((competitor) => ({ call: competitor[verb], finish: competitor.finish })),
      rounds,
      tasks[verb],
    );
  const [added, renamed, moved] = [await compare('add'), await compare('rename'), await compare('move')];
  report('durable writes, mean of a call', names, [
    { label: '`add_folder`', times: means(added) },
    { label: '`edit_folder` (rename)', times: means(renamed) },
    { label: '`move_folder`', times: means(moved) },
  ]);
  report('one durable `add_folder`', names, [
    { label: 'median', times: added.map((all) => all.map((round) => round.median)) },
    { label: '99 of 100 are faster', times: added.map((all) => all.map((round) => round.slow)) },
  ]);
}

/**
 * What to do in a round. No folder is worked on twice: new ones go below leaves, and leaves move to other parents.
 * @param {readonly PlainFolder[]} folders
 * @param {number} size
 */
function taskMaker(folders, size) {
  const { leaves, parents } = leavesAndParents(folders);
  const draw = lots(leaves);
  const target = (/** @type {number} */ index) =>
    /** @type {PlainFolder} */ (parents[(index * 7919) % parents.length]).id;
  /** @param {(leaf: PlainFolder, index: number) => Task} toTask */
  const make = (toTask) => () => draw(size).map(toTask);
  return {
    add: make(({ id }) => ({ folder: { id: newId(), parentId: id, rank: 'a0', name: 'New' }, from: id })),
    rename: make((leaf) => ({ folder: { ...leaf, name: 'Renamed' }, from: leaf.parentId })),
    move: make((leaf, index) => ({ folder: { ...leaf, parentId: target(index), rank: 'aA' }, from: leaf.parentId })),
  };
}

/** @param {Contest} contest */
async function compareReads({ competitors, folders, rounds, size }) {
  const { parents } = leavesAndParents(folders);
  const [library, , raw] = /** @type {[Competitor, Competitor, Competitor]} */ (competitors);
  const pair = [library, raw];
  const all = await race(
    pair.map((competitor) => ({ call: competitor.all, finish: competitor.finish })),
    rounds,
    () => [0],
  );
  const children = await race(
    pair.map((competitor) => ({ call: competitor.children, finish: competitor.finish })),
    rounds,
    () => lots(parents)(Math.min(size, parents.length)).map(({ id }) => id),
  );
  report('reads, mean of a call', /** @type {const} */ (['library', 'same query']), [
    { label: '`list_folders`, all', times: means(all) },
    { label: '`list_folders`, children of one', times: means(children) },
  ]);
}

/** @param {readonly Round[][]} results */
const means = (results) => results.map((rounds) => rounds.map((round) => round.mean));

/**
 * @param {string} title
 * @param {readonly [string, ...string[]]} contestants
 * @param {import('./support/table.mjs').Row[]} rows
 */
const report = (title, contestants, rows) => console.log(`\n${ratioTable(title, contestants, rows)}`);

/** A comparison is only fair if both left the same number of rows behind. @param {Driver} driver @param {Files} files */
function checkSameRows(driver, { library, sameRows }) {
  for (const source of ['nodes', 'node_history', 'revisions', "audit WHERE effect = 'write'"]) {
    const [ours, theirs] = [library, sameRows].map((file) => {
      const connection = connectRaw(driver, file);
      const rows = readNumber(connection, `SELECT count(*) FROM ${source}`);
      connection.close();
      return rows;
    });
    if (ours !== theirs) throw new Error(`The library has ${ours} rows in ${source}, the raw driver ${theirs}.`);
  }
}
