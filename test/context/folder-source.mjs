// A small real source: all files below a folder. It is plain JavaScript, so that child processes can use it too.
import { readdirSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';

/**
 * @param {string} root
 * @returns {import('../../src/context/source.js').Source}
 */
export function folderSource(root) {
  return {
    open: async () => ({
      changed: true,
      state: { manifestHash: null, bundleHash: null, etag: null, lastModified: null },
      documents: filesBelow(root).map((name) => documentAt(root, name)),
      warnings: [],
    }),
    close: async () => {},
  };
}

/** @param {string} root */
function filesBelow(root) {
  const entries = readdirSync(root, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)))
    .map((name) => name.split(path.sep).join('/'));
}

/**
 * @param {string} root
 * @param {string} name
 * @returns {import('../../src/context/source.js').SourceDocument}
 */
function documentAt(root, name) {
  const file = path.join(root, name);
  const { size, mtimeMs, ctimeMs, ino } = statSync(file);
  return { path: name, stat: { size, mtimeMs, ctimeMs, inode: ino }, read: () => readFile(file) };
}
