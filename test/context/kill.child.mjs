// Changes a few files of a folder and syncs it, for ever. Prints a line at every step, so that it can be killed there.
import { rmSync, writeFileSync, writeSync } from 'node:fs';
import path from 'node:path';
import { syncCollection } from '../../dist/context/sync.js';
import { openDatabase } from '../../dist/storage/open.js';
import { folderSource } from './folder-source.mjs';

const [location = '', folder = '', files = '0'] = process.argv.slice(2);
const driver = /** @type {'auto' | 'node' | 'libsql'} */ (process.env.AI_ASSIST_SQLITE_DRIVER || 'auto');

/** @param {string} line */
const say = (line) => writeSync(1, `${line}\n`);
/** @param {number} below */
const random = (below) => Math.floor(Math.random() * below);

const words = ['zebra', 'lion', 'tiger', 'bear', 'wolf', 'otter'];
const paragraph = () => `${Array.from({ length: 1 + random(40) }, () => words[random(words.length)]).join(' ')}\n\n`;
const section = () => `## ${words[random(words.length)]}\n\n${paragraph().repeat(1 + random(12))}`;

function changeSomeFiles() {
  for (let count = 1 + random(12); count > 0; count--) {
    const file = path.join(folder, `${random(Number(files))}.md`);
    if (random(5) === 0) rmSync(file, { force: true });
    else writeFileSync(file, `# File\n\n${Array.from({ length: random(6) }, section).join('')}`);
  }
}

/** @returns {import('../../dist/context/source.js').Source} */
function tellingSource() {
  const source = folderSource(folder);
  return {
    ...source,
    open: async (options) => {
      const listing = await source.open(options);
      say('opened');
      if (!listing.changed) return listing;
      const documents = listing.documents.map((document) => ({
        ...document,
        read: (/** @type {AbortSignal} */ signal) => {
          say('reading');
          return document.read(signal);
        },
      }));
      return { ...listing, documents };
    },
  };
}

const spec = /** @type {const} */ ({ type: 'file', path: folder, glob: '**/*.md' });
const database = await openDatabase({ location, driver });
for (;;) {
  changeSomeFiles();
  const onProgress = () => say('stored');
  const result = await syncCollection({ database, id: 'file:1', spec, source: tellingSource(), waitMs: 0, onProgress });
  if (result.error) throw result.error;
  say('synced');
}
