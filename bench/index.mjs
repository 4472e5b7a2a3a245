// @ts-check
/** Markdown of node_modules from text to searchable by word: MB/s, where the time goes, and minisearch beside it. */
import { createHash } from 'node:crypto';
import path from 'node:path';
import { parseArgs } from 'node:util';
import MiniSearch from 'minisearch';
import { ensureCollection } from '../dist/context/collection-store.js';
import { putDocument } from '../dist/context/document-store.js';
import { chunkDocument } from '../dist/search/chunk.js';
import { indexedText } from '../dist/search/indexed-text.js';
import { indexed } from '../dist/search/words.js';
import { chooseDriver } from '../dist/storage/drivers/choose.js';
import { openDatabase } from '../dist/storage/open.js';
import { markdown } from './support/growth.mjs';
import { markdownIn } from './support/markdown-texts.mjs';
import { connectRaw } from './support/raw.mjs';
import { inScratchFolder, machine } from './support/scratch.mjs';

/** @typedef {import('./support/markdown-texts.mjs').File} File */

const options = /** @type {const} */ ({
  folder: { type: 'string', default: path.join(import.meta.dirname, '..', 'node_modules') },
  rounds: { type: 'string', default: '3' },
  driver: { type: 'string', default: process.env.AI_ASSIST_SQLITE_DRIVER || 'auto' },
});
const ID = 'pkg:https://bench.test/manifest.json';
const AT_ONCE = 64;

/** @param {string[]} args */
export async function run(args) {
  const { values } = parseArgs({ args, options });
  const driver = /** @type {'auto' | 'node' | 'libsql'} */ (values.driver);
  const files = markdownIn(values.folder);
  const megabytes = files.reduce((all, { content }) => all + Buffer.byteLength(content), 0) / 1e6;
  console.log(`${machine(chooseDriver(driver).name)}; ${files.length} files, ${megabytes.toFixed(1)} MB\n`);
  const work = {
    'ai-assist: chunks and keyword index, durable': () => indexAll(files, driver),
    'of it: cut into chunks': async () => files.map((file) => chunkDocument(file.path, file.content)),
    'of it: hash the texts of chunks': hashing(files),
    'of it: spell out identifiers': spelling(files),
    'the same rows into bare FTS5': bareFts(files, driver),
    'minisearch, in memory, by document': async () => miniSearch(files),
  };
  const rows = [];
  for (const [label, task] of Object.entries(work)) {
    const times = [];
    for (let round = 0; round < Number(values.rounds); round++) times.push(await seconds(task));
    const best = Math.min(...times);
    rows.push([label, (megabytes / best).toFixed(1), best.toFixed(2)]);
  }
  console.log(markdown([['work', 'MB/s', 'best, in s'], ...rows]));
}

/** @param {() => Promise<unknown>} task */
async function seconds(task) {
  const start = process.hrtime.bigint();
  await task();
  return Number(process.hrtime.bigint() - start) / 1e9;
}

/** @param {readonly File[]} files @param {'auto' | 'node' | 'libsql'} driver */
async function indexAll(files, driver) {
  await inScratchFolder(async (folder) => {
    const database = await openDatabase({ location: path.join(folder, 'bench.db'), driver });
    const spec = /** @type {const} */ ({ type: 'pkg', url: 'https://bench.test/manifest.json' });
    await database.write((sql) => ensureCollection(sql, ID, spec, 0));
    for (let from = 0; from < files.length; from += AT_ONCE) {
      const cut = files
        .slice(from, from + AT_ONCE)
        .map((file) => ({ ...file, ...chunkDocument(file.path, file.content) }));
      await database.write(async (sql) => {
        for (const { chunks, ...file } of cut) {
          const bytes = Buffer.byteLength(file.content);
          await putDocument(sql, ID, { ...file, hash: file.path, bytes }, chunks, 0);
        }
      });
    }
    await database.close();
  });
}

/** @param {readonly File[]} files */
const chunksOf = (files) =>
  files.flatMap((file) => {
    const { title, chunks } = chunkDocument(file.path, file.content);
    return chunks.map(({ headings, text }) => ({ title, headings, text }));
  });

/** @param {readonly File[]} files */
function hashing(files) {
  const chunks = chunksOf(files);
  return async () => chunks.map((chunk) => createHash('sha256').update(indexedText(chunk)).digest('hex'));
}

/** @param {readonly File[]} files */
function spelling(files) {
  const chunks = chunksOf(files);
  return async () => chunks.map(({ title, headings, text }) => [title, headings.join('\n'), text].map(indexed));
}

/** @param {readonly File[]} files @param {'auto' | 'node' | 'libsql'} driver */
function bareFts(files, driver) {
  const rows = chunksOf(files).map(({ title, headings, text }) => [title, headings.join('\n'), text].map(indexed));
  return () =>
    inScratchFolder(async (folder) => {
      const connection = connectRaw(chooseDriver(driver), path.join(folder, 'plain.db'));
      connection.exec(
        `CREATE VIRTUAL TABLE words USING fts5 (title, headings, body, content = '', contentless_delete = 1,
         tokenize = "porter unicode61 remove_diacritics 2")`,
      );
      connection.exec('BEGIN');
      const insert = connection.prepare('INSERT INTO words (rowid, title, headings, body) VALUES (?, ?, ?, ?)');
      for (const [at, row] of rows.entries()) insert.run([at + 1, ...row]);
      connection.exec('COMMIT');
      connection.close();
    });
}

/** @param {readonly File[]} files */
function miniSearch(files) {
  const index = new MiniSearch({ fields: ['content'], idField: 'path' });
  index.addAll([...files]);
}
