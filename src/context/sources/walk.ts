/**
 * Walks a folder and lists the regular files that match, with what the file system says of each.
 * It asks the disk synchronously, because a promise for each file costs more than the question, and lets
 * other work run between.
 */
import { type Dirent, lstatSync, readdirSync, statSync } from 'node:fs';
import { realpath, stat } from 'node:fs/promises';
import { setImmediate } from 'node:timers/promises';
import { monotonic } from '../../clock.js';
import { invalidArgument, notFound } from '../../errors.js';
import { shown } from '../../project/shown.js';
import type { FileStat, SourceWarning } from '../source.js';
import { errorCode, fileStat, readFailure } from './local-file.js';
import { byPath, nameProblem } from './names.js';
import { compilePatterns, type Pattern, type Patterns } from './patterns.js';
import { type FollowedLinks, followLink } from './walk-links.js';

/** `stat` is missing where the file is listed but cannot be asked about: reading it then says why. */
export type WalkedFile = { path: string; stat?: FileStat };

/** `lost` says that a file which matches, or may, is left out. */
export type WalkWarning = SourceWarning & { lost: boolean };

/** `root` is the canonical path of the folder. */
export type Walk = { root: string; files: WalkedFile[]; warnings: WalkWarning[] };

export type WalkOptions = {
  maxFiles: number;
  signal?: AbortSignal;
  /** Paths that are not listed even if they match. */
  except?: ReadonlySet<string>;
};

/** A folder still to be read. */
type Folder = {
  real: string;
  /** Relative path of what is in it: empty, or ends with a slash. */
  prefix: string;
  depth: number;
  patterns: readonly Pattern[];
  /** Canonical folders in which the links on the way here stand. */
  linkedFrom: readonly string[];
};

type State = {
  readonly root: string;
  readonly patterns: Patterns;
  readonly options: WalkOptions;
  readonly pending: Folder[];
  readonly links: FollowedLinks;
  readonly files: WalkedFile[];
  readonly warnings: WalkWarning[];
};

const MOST_WARNINGS = 1000;
/** How long other work may wait, in milliseconds. */
const TURN = 15;

/** Every file in `folder` that matches one of the patterns, in the order of the paths. */
export async function walk(folder: string, patterns: readonly string[], options: WalkOptions): Promise<Walk> {
  const compiled = compilePatterns(patterns);
  const root = await existingFolder(folder);
  const state: State = {
    root,
    patterns: compiled,
    options,
    pending: [{ real: root, prefix: '', depth: 0, patterns: compiled.include, linkedFrom: [] }],
    links: { count: 0 },
    files: [],
    warnings: [],
  };
  const breathe = breather(options.signal);
  for (let next = state.pending.pop(); next !== undefined; next = state.pending.pop()) {
    for (const entry of entriesOf(state, next)) {
      visit(state, next, entry);
      if (breathe.isDue()) await breathe.now();
    }
  }
  options.signal?.throwIfAborted();
  return { root, files: state.files.sort(byPath), warnings: state.warnings };
}

/** Lets other work run now and then, and stops when that work has called the walk off. */
function breather(signal: AbortSignal | undefined) {
  let asked = 0;
  let turnEnds = monotonic() + TURN;
  return {
    // The clock costs a tenth of what a file costs: it is not read for each.
    isDue: () => ++asked % 32 === 0 && monotonic() >= turnEnds,
    async now() {
      await setImmediate();
      signal?.throwIfAborted();
      turnEnds = monotonic() + TURN;
    },
  };
}

async function existingFolder(folder: string): Promise<string> {
  const advice = 'Create the folder, or correct the path of the collection.';
  try {
    const root = await realpath(folder);
    if ((await stat(root)).isDirectory()) return root;
  } catch (error) {
    if (errorCode(error) === 'ENOENT') throw notFound`The folder '${folder}' does not exist`.advise(advice);
    throw readFailure(folder, error);
  }
  throw notFound`'${folder}' is not a folder`.advise(advice);
}

function entriesOf(state: State, folder: Folder): Dirent[] {
  try {
    return readdirSync(folder.real, { withFileTypes: true });
  } catch (error) {
    const code = errorCode(error);
    // It was removed, or replaced by a file, since its parent was read.
    if (folder.prefix !== '' && (code === 'ENOENT' || code === 'ENOTDIR')) return [];
    if (folder.prefix === '' || (code !== 'EACCES' && code !== 'EPERM')) throw readFailure(folder.real, error);
    warn(state, folder.prefix.slice(0, -1), 'the folder cannot be read: permission denied', true);
    return [];
  }
}

function visit(state: State, folder: Folder, entry: Dirent): void {
  if (entry.isFile()) visitFile(state, folder, entry.name, false);
  else if (entry.isDirectory()) visitFolder(state, folder, entry.name);
  else if (entry.isSymbolicLink()) visitLink(state, folder, entry.name);
}

function visitFile(state: State, folder: Folder, name: string, isLink: boolean): void {
  const path = folder.prefix + name;
  if (!matches(state, folder, path) || !hasGoodName(state, path)) return;
  const stats = statOf(`${folder.real}/${name}`, isLink);
  if (stats === undefined) return;
  if (state.files.length >= state.options.maxFiles) throw tooMany(state.options.maxFiles);
  state.files.push(stats === 'unknown' ? { path } : { path, stat: stats });
}

/** Undefined for a file that is gone since its folder was read. */
function statOf(file: string, isLink: boolean): FileStat | 'unknown' | undefined {
  try {
    const stats = (isLink ? statSync : lstatSync)(file, { throwIfNoEntry: false });
    return stats === undefined ? undefined : fileStat(stats);
  } catch {
    return 'unknown';
  }
}

function visitFolder(state: State, folder: Folder, name: string): void {
  const patterns = patternsBelow(folder, name);
  if (patterns.length > 0) enter(state, folder, name, patterns, `${folder.real}/${name}`, folder.linkedFrom);
}

function enter(
  state: State,
  folder: Folder,
  name: string,
  patterns: readonly Pattern[],
  real: string,
  linkedFrom: readonly string[],
): void {
  const path = folder.prefix + name;
  if (!hasGoodName(state, path)) return;
  state.pending.push({ real, prefix: `${path}/`, depth: folder.depth + 1, patterns, linkedFrom });
}

function visitLink(state: State, folder: Folder, name: string): void {
  const path = folder.prefix + name;
  const asFile = matches(state, folder, path);
  const patterns = patternsBelow(folder, name);
  if (!asFile && patterns.length === 0) return;
  const target = followLink(state.root, folder, name, state.links);
  switch (target.kind) {
    case 'file':
      if (asFile) visitFile(state, folder, name, true);
      break;
    case 'folder':
      if (patterns.length > 0) {
        enter(state, folder, name, patterns, target.real, [...folder.linkedFrom, folder.real]);
      }
      break;
    case 'loop':
      warn(state, path, target.message, false);
      break;
    case 'refused':
      if (target.isFolder ? patterns.length > 0 : asFile) warn(state, path, target.message, true);
  }
}

function hasGoodName(state: State, path: string): boolean {
  const problem = nameProblem(path);
  if (problem !== undefined) warn(state, path, problem, true);
  return problem === undefined;
}

function matches(state: State, folder: Folder, path: string): boolean {
  if (!folder.patterns.some((pattern) => pattern.matches(path))) return false;
  return !state.patterns.excludes(path) && !state.options.except?.has(path);
}

function patternsBelow(folder: Folder, name: string): readonly Pattern[] {
  const below = folder.patterns.filter((pattern) => pattern.mayEnter(folder.depth, name));
  // Most folders keep every pattern: one list then serves them all.
  return below.length === folder.patterns.length ? folder.patterns : below;
}

/** A folder full of bad names must not fill the memory with warnings. */
function warn(state: State, path: string, message: string, lost: boolean): void {
  if (state.warnings.length > MOST_WARNINGS) return;
  if (state.warnings.length === MOST_WARNINGS) {
    state.warnings.push({
      path: '.',
      message: `more than ${MOST_WARNINGS} warnings, the rest is not shown`,
      lost: true,
    });
    return;
  }
  state.warnings.push({ path: shown(path), message, lost });
}

const tooMany = (most: number) =>
  invalidArgument`The glob matches more than ${most} files`.advise(
    'Use a narrower pattern, or divide the folder into several collections.',
  );
