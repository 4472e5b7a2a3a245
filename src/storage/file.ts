/** The database's file before SQLite sees it: made where there is none, and left alone where it is something else. */
import { closeSync, existsSync, mkdirSync, openSync, readSync } from 'node:fs';
import path from 'node:path';
import { cannotOpen, notADatabase } from './faults.js';

const HEADER = 'SQLite format 3\u0000';

export function prepareFile(location: string): void {
  const file = path.resolve(location);
  try {
    if (existsSync(file)) {
      checkHeader(file, location);
      return;
    }
    makeFolder(path.dirname(file));
    // Only its owner can read a new file; SQLite gives the files beside it the same mode.
    closeSync(openSync(file, 'a', 0o600));
  } catch (thrown) {
    throw cannotOpen(location, thrown);
  }
}

/** SQLite takes a short file for an empty database, and would write over it. */
function checkHeader(file: string, location: string): void {
  const begin = Buffer.alloc(HEADER.length);
  const opened = openSync(file, 'r');
  try {
    const length = readSync(opened, begin);
    if (length > 0 && begin.toString('latin1') !== HEADER) throw notADatabase(location);
  } finally {
    closeSync(opened);
  }
}

/** Makes a folder and those above it. Node's own way of doing so never ends in places such as /proc. */
function makeFolder(folder: string): void {
  if (existsSync(folder)) return;
  makeFolder(path.dirname(folder));
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (thrown) {
    // Another process may have been faster.
    if ((thrown as NodeJS.ErrnoException).code !== 'EEXIST') throw thrown;
  }
}
