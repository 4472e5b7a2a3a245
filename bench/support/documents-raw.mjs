// @ts-check
/** Documents in a plain table: read, parsed, changed, written out and stored by hand, in one durable transaction. */
import { connectRaw, durably } from './raw.mjs';

/** @typedef {import('./raw.mjs').Driver} Driver */
/** @typedef {(list: unknown[]) => void} Edit */

/**
 * @param {Driver} driver
 * @param {string} file
 * @param {ReadonlyMap<string, string>} documents JSON by id
 * @param {{ keepsHistory: boolean }} options Whether the old text is kept in a second table, as the library does.
 */
export function rawDocuments(driver, file, documents, { keepsHistory }) {
  const connection = connectRaw(driver, file);
  connection.exec('PRAGMA journal_mode = WAL');
  connection.exec(`CREATE TABLE documents (id TEXT PRIMARY KEY, data TEXT NOT NULL) WITHOUT ROWID;
    CREATE TABLE history (id TEXT NOT NULL, at INTEGER NOT NULL, data TEXT NOT NULL, PRIMARY KEY (id, at)) WITHOUT ROWID`);
  const insert = connection.prepare('INSERT INTO documents (id, data) VALUES (?, ?)');
  durably(connection, () => {
    for (const [id, data] of documents) insert.run([id, data]);
  });
  const select = connection.prepare('SELECT data FROM documents WHERE id = ?');
  const update = connection.prepare('UPDATE documents SET data = ? WHERE id = ?');
  const keep = connection.prepare('INSERT INTO history (id, at, data) SELECT id, ?, data FROM documents WHERE id = ?');
  let time = 0;
  return {
    /** @param {string} id @param {Edit} edit */
    change: (id, edit) =>
      durably(connection, () => {
        const row = /** @type {{ data: string }} */ (select.get([id]));
        const document = /** @type {{ list: unknown[] }} */ (JSON.parse(row.data));
        edit(document.list);
        if (keepsHistory) keep.run([++time, id]);
        update.run([JSON.stringify(document), id]);
      }),
    close: () => connection.close(),
  };
}
