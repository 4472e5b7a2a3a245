// @ts-check
/** Building the whole tree in one transaction: by the library's domain functions, and by the raw driver. */
import { openChange } from '../../dist/library/tree/change.js';
import { insertNode } from '../../dist/library/tree/write.js';
import { openDatabase } from '../../dist/storage/open.js';
import { bookkeepingRows, connectRaw, durably, nodeRows } from './raw.mjs';

/** @typedef {import('./raw.mjs').Driver} Driver */
/** @typedef {import('./tree.mjs').PlainFolder} PlainFolder */
/** @typedef {{ file: string, folders: readonly PlainFolder[] }} Building An empty library, and what goes into it. */

/** The same schema for everyone. @param {Driver} driver @param {string} location */
export async function emptyLibrary(driver, location) {
  const database = await openDatabase({ location, driver: /** @type {'node' | 'libsql'} */ (driver.name) });
  await database.close();
}

/** @param {Driver} driver @param {Building} building */
export async function buildByLibrary(driver, { file, folders }) {
  const database = await openDatabase({ location: file, driver: /** @type {'node' | 'libsql'} */ (driver.name) });
  await database.write(async (sql) => {
    const change = openChange({ sql, agent: 'bench', tool: 'bench', at: Date.now(), newId: () => '' });
    const folder = { type: 'folder', status: 'active', payloadId: null };
    for (const plain of folders) await insertNode(change, { ...plain, ...folder });
  });
  await database.close();
}

/** The node rows, the revision, and the mark on each parent. @param {Driver} driver @param {Building} building */
export function buildSameRows(driver, { file, folders }) {
  const connection = connectRaw(driver, file);
  const [nodes, bookkeeping] = [nodeRows(connection), bookkeepingRows(connection)];
  durably(connection, () => {
    bookkeeping.revision('bench');
    for (const folder of folders) {
      nodes.insert(folder, 1);
      bookkeeping.parent(folder.parentId, 1);
    }
  });
  connection.close();
}

/** The node rows and nothing else. @param {Driver} driver @param {Building} building */
export function buildBareRows(driver, { file, folders }) {
  const connection = connectRaw(driver, file);
  const nodes = nodeRows(connection);
  durably(connection, () => {
    for (const folder of folders) nodes.insert(folder, 1);
  });
  connection.close();
}
