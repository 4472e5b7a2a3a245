// @ts-check
/**
 * What one would use instead: the same texts in plain FTS5, minisearch and Orama. Defaults, but for one: by itself Orama
 * wants every word of a query, which finds next to nothing for a question.
 */
import { create, insertMultiple, search as searchOrama } from '@orama/orama';
import MiniSearch from 'minisearch';
import { connectRaw } from './raw.mjs';

/** @typedef {{ id: string, title: string, text: string }} Text */
/** @typedef {(query: string) => Promise<string[]>} Search Ids, best first. */

const DEPTH = 10;

/** @param {readonly Text[]} texts @returns {Search} */
export function byMiniSearch(texts) {
  const index = new MiniSearch({ fields: ['title', 'text'] });
  index.addAll([...texts]);
  return async (query) =>
    index
      .search(query)
      .slice(0, DEPTH)
      .map(({ id }) => String(id));
}

/** @param {readonly Text[]} texts @returns {Promise<Search>} */
export async function byOrama(texts) {
  const index = create({ schema: { title: 'string', text: 'string' } });
  await insertMultiple(index, [...texts]);
  return async (query) => {
    const { hits } = await searchOrama(index, { term: query, limit: DEPTH, threshold: 1 });
    return hits.map(({ id }) => String(id));
  };
}

/**
 * Every word in quotes, any may match, ranked by bm25: what a first version by hand would do.
 * @param {import('./raw.mjs').Driver} driver @param {string} file @param {readonly Text[]} texts @returns {Search}
 */
export function byPlainFts(driver, file, texts) {
  const connection = connectRaw(driver, file);
  connection.exec('CREATE VIRTUAL TABLE texts USING fts5 (title, text)');
  connection.exec('BEGIN');
  const insert = connection.prepare('INSERT INTO texts (rowid, title, text) VALUES (?, ?, ?)');
  for (const [at, { title, text }] of texts.entries()) insert.run([at + 1, title, text]);
  connection.exec('COMMIT');
  const find = connection.prepare('SELECT rowid FROM texts WHERE texts MATCH ? ORDER BY bm25(texts) LIMIT 10');
  return async (query) => {
    const words = [...new Set(query.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [])];
    if (words.length === 0) return [];
    const rows = /** @type {{ rowid: number }[]} */ (find.all([words.map((word) => `"${word}"`).join(' OR ')]));
    return rows.map(({ rowid }) => texts[rowid - 1]?.id ?? '');
  };
}
