// @ts-check
/** The raw driver at the library's own tables: no checks, no lookups, every value given beforehand. */

/** @typedef {import('../../dist/storage/drivers/connection.js').Driver} Driver */
/** @typedef {import('../../dist/storage/drivers/connection.js').Connection} Connection */
/** @typedef {import('./tree.mjs').PlainFolder} PlainFolder */

/** As long as a real one. */
const HASH = '0'.repeat(64);

/**
 * A connection with the settings that the library's own have.
 * @param {Driver} driver
 * @param {string} file
 */
export function connectRaw(driver, file) {
  const connection = driver.connect(file);
  connection.exec('PRAGMA foreign_keys = ON; PRAGMA synchronous = FULL');
  return connection;
}

/**
 * Brings everything into the file itself, so that it can be copied.
 * @param {Driver} driver
 * @param {string} file
 */
export function settle(driver, file) {
  const connection = driver.connect(file);
  connection.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  connection.close();
}

/**
 * @param {Connection} connection
 * @param {() => void} work
 */
export function durably(connection, work) {
  connection.exec('BEGIN IMMEDIATE');
  work();
  connection.exec('COMMIT');
}

/** @param {Connection} connection */
export function nodeRows(connection) {
  const insert = connection.prepare(
    `INSERT INTO nodes (id, parent_id, rank, type, name, status, payload_id, since, changed, children_changed)
     VALUES (?, ?, ?, 'folder', ?, 'active', NULL, ?, ?, ?)`,
  );
  const rename = connection.prepare('UPDATE nodes SET name = ?, since = ?, changed = ? WHERE id = ?');
  const move = connection.prepare('UPDATE nodes SET parent_id = ?, rank = ?, since = ?, changed = ? WHERE id = ?');
  return {
    /** @param {PlainFolder} folder @param {number} revision */
    insert: ({ id, parentId, rank, name }, revision) =>
      insert.run([id, parentId, rank, name, revision, revision, revision]),
    /** @param {PlainFolder} folder @param {number} revision */
    rename: ({ id, name }, revision) => rename.run([name, revision, revision, id]),
    /** @param {PlainFolder} folder @param {number} revision */
    move: ({ id, parentId, rank }, revision) => move.run([parentId, rank, revision, revision, id]),
  };
}

/** The rows that a change leaves behind beside the node's own. @param {Connection} connection */
export function bookkeepingRows(connection) {
  const revision = connection.prepare('INSERT INTO revisions (at, agent, tool) VALUES (?, ?, ?)');
  const parent = connection.prepare('UPDATE nodes SET children_changed = ? WHERE id = ?');
  const history = connection.prepare(
    `INSERT INTO node_history (id, parent_id, rank, type, name, status, payload_id, since, until)
     SELECT id, parent_id, rank, type, name, status, payload_id, since, ? FROM nodes WHERE id = ?`,
  );
  const audit = connection.prepare(
    `INSERT INTO audit (at, agent, role, door, tool, effect, outcome, error_type, error, targets, input_hash,
       revision, previous, hash) VALUES (?, ?, 'owner', 'library', ?, 'write', 'succeeded', NULL, NULL, ?, ?, ?, ?, ?)`,
  );
  return {
    /** @param {string} tool */
    revision: (tool) => revision.run([Date.now(), 'bench', tool]),
    /** @param {string} parentId @param {number} now */
    parent: (parentId, now) => parent.run([now, parentId]),
    /** @param {string} id @param {number} now */
    history: (id, now) => history.run([now, id]),
    /** @param {string} tool @param {string[]} targets @param {number} now */
    audit: (tool, targets, now) =>
      audit.run([Date.now(), 'bench', tool, JSON.stringify(targets), HASH, now, HASH, HASH]),
  };
}

/** @param {Connection} connection @param {string} text */
export const readNumber = (connection, text) =>
  Number(Object.values(/** @type {object} */ (connection.prepare(text).get([])))[0]);
