// @ts-check
/** Markdown as people write it: that of the packages in a folder, and as much more as is wanted, mixed from it. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { chunkDocument } from '../../dist/search/chunk.js';
import { isStopWord } from '../../dist/search/stop-words.js';

/** @typedef {{ path: string, content: string }} File */
/** @typedef {ReturnType<typeof chunkDocument> & File} Cut A document with its chunks. */

/** @param {string} folder @returns {File[]} in the order of their paths */
export function markdownIn(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(md|markdown)$/i.test(entry.name))
    .map((entry) => path.join(entry.parentPath, entry.name))
    .sort()
    .map((file) => ({ path: path.relative(folder, file), content: readFileSync(file, 'utf8') }));
}

/** Numbers that look random and are the same in every run. @param {number} seed @returns {() => number} */
export function chance(seed) {
  let state = Math.imul(seed + 1, 2_654_435_761);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** @template Item @param {() => number} next @param {readonly Item[]} items */
const oneOf = (next, items) => /** @type {Item} */ (items[Math.floor(next() * items.length)]);

/**
 * Documents with so many chunks together. Where the files have fewer, more are made of paragraphs from all of them:
 * the words are as common and as rare as in the files, and no two documents are copies.
 * @param {readonly File[]} files @param {number} wanted @returns {Cut[]}
 */
export function cutInto(files, wanted) {
  const shuffled = [...files];
  const next = chance(1);
  for (let at = shuffled.length - 1; at > 0; at--) {
    const other = Math.floor(next() * (at + 1));
    [shuffled[at], shuffled[other]] = [/** @type {File} */ (shuffled[other]), /** @type {File} */ (shuffled[at])];
  }
  const paragraphs = files.flatMap(({ content }) => content.split(/\n{2,}/)).filter((text) => text.length > 40);
  const mixed = (/** @type {number} */ number) => {
    const title = oneOf(next, oneOf(next, paragraphs).match(/\p{L}{4,}/gu) ?? ['notes']);
    const texts = Array.from({ length: 5 + Math.floor(30 * next()) }, () => oneOf(next, paragraphs));
    return { path: `mixed/${number}.md`, content: [`# About ${title}`, ...texts].join('\n\n') };
  };
  /** @type {Cut[]} */
  const documents = [];
  for (let at = 0, left = wanted; left > 0; at++) {
    const file = shuffled[at] ?? mixed(at);
    const cut = chunkDocument(file.path, file.content);
    documents.push({ ...file, ...cut, chunks: cut.chunks.slice(0, left) });
    left -= cut.chunks.length;
  }
  return documents;
}

/** Two to four words that stand together somewhere, as someone asks who has read of it. @param {readonly Cut[]} documents @param {number} count */
export function questionsAbout(documents, count) {
  const next = chance(2);
  const chunks = documents.flatMap((document) => document.chunks);
  /** @type {string[]} */
  const questions = [];
  while (questions.length < count) {
    const words = oneOf(next, chunks).text.match(/(?<![\p{L}\p{N}])\p{L}{3,20}(?![\p{L}\p{N}])/gu) ?? [];
    const telling = [...new Set(words.map((word) => word.toLowerCase()))].filter((word) => !isStopWord(word));
    if (telling.length < 8) continue;
    const from = Math.floor(next() * (telling.length - 4));
    questions.push(telling.slice(from, from + 2 + (questions.length % 3)).join(' '));
  }
  return questions;
}
