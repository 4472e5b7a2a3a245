/**
 * The project of a folder: the nearest project file in it or above it, read and checked. It is small and on this
 * machine, so it is read at once: to ask for it and to come back would take longer.
 */
import { readFileSync, realpathSync, statSync } from 'node:fs';
import path from 'node:path';
import { invalidArgument, plainFailure } from '../errors.js';
import { noProjectFailure } from './failures.js';
import { LARGEST_PROJECT_FILE } from './limits.js';
import type { ProjectConfig } from './schema.js';

export type Project = {
  /** The folder that paths in the file start from, without symbolic links. */
  root: string;
  file: string;
  text: string;
  config: ProjectConfig;
  /** Hex sha256 of the file's bytes. */
  version: string;
};

/** The project that a folder belongs to, if any. */
export async function findProject(folder: string, fileName: string): Promise<Project | undefined> {
  const found = findProjectFile(folder, fileName);
  return found && projectOf(found, fileName);
}

type ProjectFile = { folder: string; bytes: Buffer };

/** The nearest project file in a folder or above it, unread by anyone. */
function findProjectFile(start: string, fileName: string): ProjectFile | undefined {
  for (let folder = path.resolve(start); ; folder = path.dirname(folder)) {
    const bytes = readIfThere(path.join(folder, fileName), fileName);
    if (bytes) return { folder, bytes };
    if (folder === path.dirname(folder)) return undefined;
  }
}

/** The project that a folder belongs to. Without one, the failure says how to begin. */
export async function requireProject(folder: string, fileName: string): Promise<Project> {
  const project = await findProject(folder, fileName);
  if (!project) throw noProjectFailure(path.resolve(folder), fileName);
  return project;
}

/** The project whose file is in this very folder, if it is there. */
export async function readProject(folder: string, fileName: string): Promise<Project | undefined> {
  const bytes = readIfThere(path.join(folder, fileName), fileName);
  return bytes && projectOf({ folder, bytes }, fileName);
}

async function projectOf({ folder, bytes }: ProjectFile, fileName: string): Promise<Project> {
  const root = realpathSync.native(folder);
  // Loaded here: many folders have no project.
  const { contentOf } = await import('./content.js');
  return { root, file: path.join(root, fileName), ...contentOf(bytes, fileName) };
}

/** A folder of that name, or a file where a folder should be, is no project file. */
const nothingThere = new Set(['ENOENT', 'ENOTDIR', 'EISDIR']);

/** The bytes of a project file. A pipe or a device of that name would never end: only files are read. */
export function readIfThere(file: string, fileName: string): Buffer | undefined {
  try {
    const found = statSync(file);
    if (!found.isFile()) return undefined;
    if (found.size > LARGEST_PROJECT_FILE) {
      throw invalidArgument`${fileName}: ${found.size} bytes are more than the limit of ${LARGEST_PROJECT_FILE}`;
    }
    return readFileSync(file);
  } catch (thrown) {
    const { code } = thrown as NodeJS.ErrnoException;
    if (code === undefined) throw thrown;
    if (nothingThere.has(code)) return undefined;
    throw plainFailure('internal', `${fileName} cannot be read: ${code}`).advise(
      `Let this user read ${fileName}, then call again.`,
    );
  }
}
