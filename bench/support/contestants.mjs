// @ts-check
/** Who races in the folder benchmarks: the library, and the raw driver with the same rows or with bare rows. */
import { openWorkspace } from '../../dist/index.js';
import { bookkeepingRows, connectRaw, durably, nodeRows, readNumber } from './raw.mjs';
import { scratchEnv } from './scratch.mjs';

/** @typedef {import('./raw.mjs').Driver} Driver */
/** @typedef {import('./tree.mjs').PlainFolder} PlainFolder */
/** @typedef {{ folder: PlainFolder, from: string }} Task A folder as it shall be, and the parent it is in now. */

/**
 * @typedef {object} Competitor
 * @property {(task: Task) => unknown} add
 * @property {(task: Task) => unknown} rename
 * @property {(task: Task) => unknown} move
 * @property {(parentId: string) => unknown} children
 * @property {() => unknown} all
 * @property {() => unknown} finish
 * @property {() => unknown} close
 */

/**
 * Through the front door, with every call checked, recorded and durable.
 * @param {Driver} driver
 * @param {string} file
 * @param {string} scratch
 * @returns {Promise<Competitor>}
 */
export async function libraryCompetitor(driver, file, scratch) {
  const workspace = await openWorkspace({
    env: scratchEnv(scratch),
    settings: {
      database: file,
      'sqlite.driver': /** @type {'node' | 'libsql'} */ (driver.name),
      'limits.callsPerMinute': 0,
      'agent.name': 'bench',
    },
  });
  const session = workspace.session();
  return {
    add: async ({ folder: { name, parentId } }) =>
      succeed(await session.call('add_folder', { name, position: { placement: 'ending', relativeTo: parentId } })),
    rename: async ({ folder: { id, name } }) => succeed(await session.call('edit_folder', { id, newName: name })),
    move: async ({ folder: { id, parentId } }) =>
      succeed(await session.call('move_folder', { id, position: { placement: 'ending', relativeTo: parentId } })),
    children: async (parentId) =>
      succeed(await session.call('list_folders', { parentId, includeChildren: false })).folders,
    all: async () => succeed(await session.call('list_folders', {})).folders,
    finish: () => session.close(),
    close: () => workspace.close(),
  };
}

/**
 * @template {{ success: boolean }} Result
 * @param {Result} result
 * @returns {Extract<Result, { success: true }>}
 */
function succeed(result) {
  if (!result.success) throw new Error(JSON.stringify(result));
  return /** @type {Extract<Result, { success: true }>} */ (result);
}

/**
 * Every row that a call leaves behind, in one durable transaction.
 * @param {Driver} driver
 * @param {string} file
 * @returns {Competitor}
 */
export function sameRowsCompetitor(driver, file) {
  const connection = connectRaw(driver, file);
  const [nodes, rows] = [nodeRows(connection), bookkeepingRows(connection)];
  let now = readNumber(connection, 'SELECT max(revision) FROM revisions');
  /** @param {string} tool @param {string[]} targets @param {() => void} work */
  const change = (tool, targets, work) =>
    durably(connection, () => {
      rows.revision(tool);
      now++;
      work();
      rows.audit(tool, targets, now);
    });
  return {
    add: ({ folder }) =>
      change('add_folder', [folder.parentId, folder.id], () => {
        nodes.insert(folder, now);
        rows.parent(folder.parentId, now);
      }),
    rename: ({ folder }) =>
      change('edit_folder', [folder.id], () => {
        rows.history(folder.id, now);
        nodes.rename(folder, now);
      }),
    move: ({ folder, from }) =>
      change('move_folder', [folder.id, folder.parentId], () => {
        rows.history(folder.id, now);
        nodes.move(folder, now);
        rows.parent(from, now);
        rows.parent(folder.parentId, now);
      }),
    ...rawReads(connection),
  };
}

/**
 * Only the node's own row, in a durable transaction.
 * @param {Driver} driver
 * @param {string} file
 * @returns {Competitor}
 */
export function bareRowsCompetitor(driver, file) {
  const connection = connectRaw(driver, file);
  const nodes = nodeRows(connection);
  return {
    add: ({ folder }) => durably(connection, () => nodes.insert(folder, 1)),
    rename: ({ folder }) => durably(connection, () => nodes.rename(folder, 1)),
    move: ({ folder }) => durably(connection, () => nodes.move(folder, 1)),
    ...rawReads(connection),
  };
}

/** @param {import('./raw.mjs').Connection} connection */
function rawReads(connection) {
  const select = "SELECT id, parent_id AS parentId, name, status FROM nodes WHERE type = 'folder'";
  const all = connection.prepare(`${select} ORDER BY parent_id, rank, id`);
  const children = connection.prepare(`${select} AND parent_id = ? ORDER BY rank, id`);
  return {
    /** @param {string} parentId */
    children: (parentId) => children.all([parentId]),
    all: () => all.all([]),
    finish: () => {},
    close: () => connection.close(),
  };
}
