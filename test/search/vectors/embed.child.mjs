// @ts-check
/** Embeds what is pending in a database, with an embedder that is made up, and prints each text that it embeds. */
import { setTimeout as sleep } from 'node:timers/promises';
import { embedPending } from '../../../dist/search/vectors/embed-pending.js';
import { countTexts } from '../../../dist/search/vectors/status.js';
import { openDatabase } from '../../../dist/storage/open.js';

const [file = '', mode] = process.argv.slice(2);
const driver = /** @type {'auto' | 'node' | 'libsql'} */ (process.env.AI_ASSIST_SQLITE_DRIVER || 'auto');
const database = await openDatabase({ location: file, driver });

/** @param {readonly string[]} texts */
async function embed(texts) {
  for (const text of texts) process.stdout.write(`${text.split('\n').at(-1)}\n`);
  await sleep(mode === 'slowly' ? 20 : 1);
  return texts.map(() => new Float32Array(32).fill(Math.sqrt(1 / 32)));
}

/** @type {import('../../../dist/search/embed/embedder.js').Embedder} */
const embedder = {
  name: 'fake',
  engine: 'made up',
  batch: 8,
  embed,
  embedQuery: async (text) => /** @type {Float32Array} */ ((await embed([text]))[0]),
  close: async () => {},
};

for (;;) {
  await embedPending({ database, embedder, now: Date.now });
  const { pending } = await database.read((sql) => countTexts(sql, 'fake'));
  if (pending === 0) break;
  await sleep(5);
}
await database.close();
