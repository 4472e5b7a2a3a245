// Every numbered promise in docs/spec has a test that names it, and no test names a promise that is not there.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const root = path.dirname(import.meta.dirname);

/** @param {string} folder @param {string} ending */
const filesIn = (folder, ending) =>
  readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith(ending))
    .map((file) => readFileSync(path.join(root, folder, file), 'utf8'));

/** @param {string[]} texts @param {RegExp} pattern */
const numbers = (texts, pattern) =>
  new Set(texts.flatMap((text) => [...text.matchAll(pattern)].map((match) => match[1])));

const promised = numbers(filesIn('docs/spec', '.md'), /^- \*\*([A-Z]+\d+)\*\*/gm);
// A title begins with its numbers: 'F60 F61 random operations …'.
const titles = filesIn('test', '.ts').flatMap((text) => text.match(/(?<=['"`])(?:[A-Z]+\d+ )+/g) ?? []);
const proven = numbers(titles, /\b([A-Z]+\d+)\b/g);
const areas = new Set([...promised].map((number) => number?.replace(/\d+/, '')));

const unproven = [...promised].filter((number) => !proven.has(number));
const unknown = [...proven].filter((number) => areas.has(number?.replace(/\d+/, '')) && !promised.has(number));
for (const number of unproven) console.error(`${number} in docs/spec has no test that names it.`);
for (const number of unknown) console.error(`${number} is named by a test, but docs/spec does not have it.`);
if (unproven.length + unknown.length > 0) process.exit(1);
console.log(`${promised.size} promises, each with a test.`);
