// @ts-check
/** Updates of documents by the tool, against parsing, splicing and storing the same document by hand. */
import path from 'node:path';
import { parseArgs } from 'node:util';
import { openWorkspace } from '../dist/index.js';
import { chooseDriver } from '../dist/storage/drivers/choose.js';
import { rawDocuments } from './support/documents-raw.mjs';
import { race } from './support/measure.mjs';
import { inScratchFolder, machine, scratchEnv } from './support/scratch.mjs';
import { ratioTable } from './support/table.mjs';

/** @typedef {import('./support/raw.mjs').Driver} Driver */
/** @typedef {{ label: string, entries: number, calls: number, make: (index: number) => unknown }} Kind */
/** @typedef {{ operation: Record<string, unknown>, edit: (list: unknown[]) => void }} Item */

const options = /** @type {const} */ ({
  rounds: { type: 'string', default: '15' },
  driver: { type: 'string', default: process.env.AI_ASSIST_SQLITE_DRIVER || 'auto' },
});

const names = /** @type {const} */ (['update_document', 'by hand', 'by hand with history']);

/** An entry of about a hundred bytes. @param {number} index */
const entry = (index) => ({
  name: `Entry ${index}`,
  text: 'It was a dark and stormy night.',
  done: index % 2 === 0,
  stars: index % 5,
});

/** @type {readonly Kind[]} */
const sizes = [
  { label: '1 kB', entries: 11, calls: 50, make: entry },
  { label: '100 kB', entries: 1150, calls: 20, make: entry },
  { label: '5 MB', entries: 56_500, calls: 2, make: entry },
];

/** @type {Kind} */
const long = { label: 'array of 100,000 numbers', entries: 100_000, calls: 3, make: (index) => index };

/** @param {string[]} args */
export async function run(args) {
  const { values } = parseArgs({ args, options });
  const driver = chooseDriver(/** @type {'auto' | 'node' | 'libsql'} */ (values.driver));
  const rounds = Number(values.rounds);
  console.log(`${rounds} rounds: ${machine(driver.name)}`);
  const replacing = [];
  for (const kind of sizes) replacing.push(await compare(driver, kind, rounds, replace));
  console.log(
    `\n${ratioTable(
      'one entry replaced, mean of a call',
      names,
      replacing.map(({ row }) => row),
    )}\n`,
  );
  for (const { row, bytes } of replacing)
    console.log(`${row.label}: ${bytes} bytes, ${perSecond(row)} updates a second`);
  const deleting = [await compare(driver, long, rounds, remove)];
  console.log(
    `\n${ratioTable(
      'one entry deleted, mean of a call',
      names,
      deleting.map(({ row }) => row),
    )}`,
  );
}

/** @param {{ times: readonly (readonly number[])[] }} row */
function perSecond({ times }) {
  const own = [...(times[0] ?? [])].sort((a, b) => a - b);
  return Math.round(1e9 / /** @type {number} */ (own[Math.floor(own.length / 2)]));
}

/** @param {Kind} kind @param {number} turn @returns {Item} */
function replace({ entries, make }, turn) {
  const index = (turn * 7919) % entries;
  const value = make(turn + entries);
  return { operation: { path: 'list', action: 'replace', index, value }, edit: (list) => list.splice(index, 1, value) };
}

/** @param {Kind} kind @param {number} turn @returns {Item} */
function remove({ entries }, turn) {
  const index = (turn * 7919) % (entries / 2);
  return { operation: { path: 'list', action: 'delete', index }, edit: (list) => list.splice(index, 1) };
}

/**
 * @param {Driver} driver
 * @param {Kind} kind
 * @param {number} rounds
 * @param {(kind: Kind, turn: number) => Item} itemOf
 */
async function compare(driver, kind, rounds, itemOf) {
  const document = { name: kind.label, list: Array.from({ length: kind.entries }, (_, index) => kind.make(index)) };
  const json = JSON.stringify(document);
  /** @type {number[][]} */
  let times = [];
  await inScratchFolder(async (scratch) => {
    const library = await libraryOn(scratch, driver.name, document);
    const hands = [false, true].map((keepsHistory) =>
      rawDocuments(driver, path.join(scratch, `hand-${keepsHistory}.db`), new Map([['one', json]]), { keepsHistory }),
    );
    let turn = 0;
    const results = await race(
      [
        { call: (/** @type {Item} */ { operation }) => library.update(operation) },
        ...hands.map((hand) => ({ call: (/** @type {Item} */ { edit }) => hand.change('one', edit) })),
      ],
      rounds,
      () => Array.from({ length: kind.calls }, () => itemOf(kind, turn++)),
    );
    times = results.map((all) => all.map(({ mean }) => mean));
    for (const hand of hands) hand.close();
    await library.close();
  });
  return { row: { label: kind.label, times }, bytes: json.length };
}

/** @param {string} scratch @param {string} driver @param {Record<string, unknown>} data */
async function libraryOn(scratch, driver, data) {
  const workspace = await openWorkspace({
    env: scratchEnv(scratch),
    settings: {
      'limits.callsPerMinute': 0,
      database: path.join(scratch, 'library.db'),
      'sqlite.driver': /** @type {'node' | 'libsql'} */ (driver),
    },
  });
  const session = workspace.session({ agent: 'bench', role: 'owner' });
  await session.call('define_document_type', { documentType: 'note' });
  const made = await session.call('create_document', { documentType: 'note', data });
  if (!made.success) throw new Error(made.error);
  const { documentId } = made;
  return {
    /** @param {Record<string, unknown>} operation */
    async update(operation) {
      const answer = await session.call('update_document', {
        documentType: 'note',
        documentId,
        operations: [operation],
      });
      if (!answer.success) throw new Error(answer.error);
    },
    close: () => workspace.close(),
  };
}
