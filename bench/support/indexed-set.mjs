// @ts-check
/** A test collection as documents of a database, with their vectors. */
import { ensureCollection } from '../../dist/context/collection-store.js';
import { countAllDocuments, putDocument } from '../../dist/context/document-store.js';
import { chunkDocument } from '../../dist/search/chunk.js';
import { defaultSizes } from '../../dist/search/pack.js';
import { embedPending } from '../../dist/search/vectors/embed-pending.js';
import { openDatabase } from '../../dist/storage/open.js';

/** @typedef {import('../../dist/storage/sql.js').Database} Database */
/** @typedef {import('../../dist/search/embed/embedder.js').Embedder} Embedder */

const ID = 'pkg:https://bench.test/manifest.json';
const AT_ONCE = 200;

/**
 * Opens the database, and fills it if it is new.
 * @param {string} file
 * @param {'auto' | 'node' | 'libsql'} driver
 * @param {readonly { id: string, title: string, text: string }[]} docs
 * @param {number} [tokens] the size that chunks aim at, where it is not the usual one
 */
export async function indexSet(file, driver, docs, tokens) {
  const sizes = tokens ? { ...defaultSizes, target: tokens, limit: Math.round(tokens * 1.2) } : defaultSizes;
  const database = await openDatabase({ location: file, driver });
  if ((await database.read(countAllDocuments)) >= docs.length) return database;
  for (let from = 0; from < docs.length; from += AT_ONCE) {
    await database.write(async (sql) => {
      await ensureCollection(sql, ID, { type: 'pkg', url: 'https://bench.test/manifest.json' }, 0);
      for (const { id, title, text } of docs.slice(from, from + AT_ONCE)) {
        const content = `# ${title.replace(/\s+/g, ' ')}\n\n${text}\n`;
        const path = `${id}.md`;
        const { chunks, ...about } = chunkDocument(path, content, sizes);
        const document = { path, hash: id, content, bytes: Buffer.byteLength(content), ...about };
        await putDocument(sql, ID, document, chunks, 0);
      }
    });
  }
  return database;
}

/**
 * Gives every chunk its vector. What has one already is not embedded again.
 * @param {Database} database
 * @param {Embedder} embedder
 * @param {string} label
 */
export async function embedSet(database, embedder, label) {
  let shown = 0;
  await embedPending({
    database,
    embedder,
    now: Date.now,
    onBatch: async (done) => {
      if (done - shown < 500) return;
      shown = done;
      console.error(`${label}: ${done} chunks embedded`);
    },
  });
}
