/** The only way in which a project file is changed: locked, read again, checked as a whole, replaced as a whole. */
import { readFile, realpath } from 'node:fs/promises';
import path from 'node:path';
import { monotonic } from '../clock.js';
import { conflict, notFound } from '../errors.js';
import { type Content, contentOf } from './content.js';
import { type Edit, editJson } from './edit.js';
import { lockFailure, noSessionFailure, versionFailure } from './failures.js';
import { type Project, readIfThere, readProject } from './find.js';
import { type Lock, type LockLimits, takeLock } from './lock.js';
import { checkWritable, removeDrafts, replaceFile } from './replace.js';
import type { ProjectConfig } from './schema.js';

export type ChangeOptions = Partial<LockLimits> & {
  /** The version that the change is based on. Another one in the file is a conflict. */
  expectedVersion?: string | undefined;
};

const standardLimits: LockLimits = { waitMs: 10_000, oldestMs: 30_000 };

/**
 * Changes a project file, and answers what it says now. `decide` looks at the file as it is inside the lock; it may
 * be asked again when the lock was lost, and refuses by throwing.
 */
export async function changeProject(
  file: string,
  decide: (config: ProjectConfig) => readonly Edit[],
  options: ChangeOptions = {},
): Promise<Content> {
  const target = await realFile(file).catch(() => {
    throw noSessionFailure(path.dirname(file), path.basename(file));
  });
  await checkWritable(target);
  return locked(target, options, (lock) => changeInside(target, lock, decide, options.expectedVersion));
}

/** Without a result, the lock was lost, or someone who knows of no lock has changed the file meanwhile. */
async function changeInside(
  file: string,
  lock: Lock,
  decide: (config: ProjectConfig) => readonly Edit[],
  expectedVersion: string | undefined,
): Promise<Content | undefined> {
  const fileName = path.basename(file);
  const bytes = readIfThere(file, fileName);
  if (!bytes) throw noSessionFailure(path.dirname(file), fileName);
  const before = contentOf(bytes, fileName);
  if (expectedVersion !== undefined && expectedVersion !== before.version) {
    throw versionFailure(fileName, before.version);
  }
  const text = await editJson(before.text, decide(before.config));
  if (text === before.text) return before;
  const after = contentOf(Buffer.from(text), fileName);
  const isStill = () =>
    readFile(file).then(
      (now) => now.equals(bytes),
      () => false,
    );
  return (await replaceFile(file, Buffer.from(text), lock, isStill)) ? after : undefined;
}

const emptyProject = `${JSON.stringify({ collections: {} }, null, 2)}\n`;

/** Makes an empty project file. One that is there already is only replaced with `force`. */
export async function initProject(folder: string, fileName: string, force: boolean): Promise<Project> {
  const root = await realFile(folder);
  const file = await realpath(path.join(root, fileName)).catch(() => path.join(root, fileName));
  await checkWritable(file);
  await locked(file, {}, async (lock) => {
    if (!force && (await isThere(file))) throw existsFailure(root, fileName);
    return (await replaceFile(file, Buffer.from(emptyProject), lock)) || undefined;
  });
  const project = await readProject(root, fileName);
  if (!project) throw notFound`${fileName} was removed again from '${root}'`;
  return project;
}

const existsFailure = (folder: string, fileName: string) =>
  conflict`${fileName} exists already in '${folder}'`.advise(
    'Add collections to it, or give --force to replace it with an empty one.',
  );

/** Works under the lock of a file, from the beginning again when that came to nothing. */
async function locked<Result>(
  file: string,
  options: ChangeOptions,
  work: (lock: Lock) => Promise<Result | undefined>,
): Promise<Result> {
  const { waitMs = standardLimits.waitMs, oldestMs = standardLimits.oldestMs } = options;
  const end = monotonic() + waitMs;
  do {
    const lock = await takeLock(file, { waitMs: Math.max(0, end - monotonic()), oldestMs });
    try {
      await removeDrafts(file);
      const result = await work(lock);
      if (result !== undefined) return result;
    } finally {
      await lock.release();
    }
  } while (monotonic() < end);
  throw lockFailure(path.basename(file), 'another process');
}

const isThere = (file: string) => realpath(file).then(Boolean, () => false);

/** Where a path leads. What is linked is changed where it is, so that the link stays. */
async function realFile(file: string): Promise<string> {
  return realpath(file).catch(() => {
    throw goneFailure(file);
  });
}

const goneFailure = (file: string) =>
  notFound`'${file}' does not exist`.advise('Run `ai-assist collections init` in the root of the project.');
