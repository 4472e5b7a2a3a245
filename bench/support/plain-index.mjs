// @ts-check
/** What one would write by hand instead: each file as one row of a full-text table, some hundred in a transaction. */
import { readFileSync } from 'node:fs';
import { bareWalk } from './documents.mjs';
import { connectRaw, durably } from './raw.mjs';

const AT_ONCE = 128;

/**
 * @param {import('./raw.mjs').Driver} driver
 * @param {string} file
 * @param {string} folder
 */
export function indexPlainly(driver, file, folder) {
  const connection = connectRaw(driver, file);
  connection.exec(`PRAGMA journal_mode = WAL;
    CREATE VIRTUAL TABLE pages USING fts5 (path, content, tokenize = "porter unicode61 remove_diacritics 2")`);
  const insert = connection.prepare('INSERT INTO pages (path, content) VALUES (?, ?)');
  const files = bareWalk(folder);
  for (let from = 0; from < files.length; from += AT_ONCE) {
    durably(connection, () => {
      for (const one of files.slice(from, from + AT_ONCE)) insert.run([one, readFileSync(one, 'utf8')]);
    });
  }
  connection.close();
}
