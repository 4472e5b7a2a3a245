// @ts-check
/** Folders of Markdown for the benchmarks of syncing, and the least that a sync of them could do. */
import { createHash } from 'node:crypto';
import { lstatSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const words = `alpha beta gamma delta stream buffer socket thread parser cursor schema index query folder packet
  signal token branch commit merge letter window border column record`.split(/\s+/);
const PER_FOLDER = 100;

/** The same words for the same seed. @param {number} seed */
function dice(seed) {
  let state = seed;
  return (/** @type {number} */ below) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return (state >> 8) % below;
  };
}

/** About 3 KB in four sections. @param {number} number */
function page(number) {
  const roll = dice(number + 1);
  const some = (/** @type {number} */ count) =>
    Array.from({ length: count }, () => words[roll(words.length)]).join(' ');
  const section = () => `## ${some(3)}\n\n${some(60)}.\n\n${some(60)}.\n\n`;
  return `# Page ${number}: ${some(2)}\n\n${section()}${section()}${section()}`;
}

/** @param {string} folder @param {number} count */
export function writePages(folder, count) {
  for (let number = 0; number < count; number++) {
    const part = path.join(folder, `part-${Math.floor(number / PER_FOLDER)}`);
    if (number % PER_FOLDER === 0) mkdirSync(part, { recursive: true });
    writeFileSync(path.join(part, `page-${number}.md`), page(number));
  }
}

/**
 * The bare walk: every folder is read, every Markdown file is asked about. Links are left alone.
 * @param {string} folder
 */
export function bareWalk(folder) {
  /** @type {string[]} */
  const found = [];
  const pending = [folder];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    for (const entry of readdirSync(next, { withFileTypes: true })) {
      // A pattern leaves out what begins with a dot.
      if (entry.name.startsWith('.')) continue;
      const file = `${next}/${entry.name}`;
      if (entry.isDirectory()) pending.push(file);
      else if (entry.isFile() && entry.name.endsWith('.md') && lstatSync(file).size >= 0) found.push(file);
    }
  }
  return found;
}

/** The least that a cold sync must do: walk, read and hash. @param {string} folder */
export function readAndHash(folder) {
  for (const file of bareWalk(folder)) createHash('sha256').update(readFileSync(file)).digest('hex');
}
