/** Unpacks an archive into a temporary folder of its own. Nothing outside that folder is touched. */
import { closeSync, constants, mkdirSync, openSync, writeSync } from 'node:fs';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { invalidArgument } from '../../errors.js';
import { shown } from '../../project/shown.js';
import type { SourceLimits } from '../source.js';
import { type ArchiveEntry, type ArchiveInput, readArchive } from './archive.js';
import { errorCode } from './local-file.js';

export type Extracted = {
  /** Canonical path of the temporary folder. */
  folder: string;
  /** Paths of the files in it. */
  files: string[];
  /** Hex sha256 of the archive's bytes. */
  sha256: string;
  remove(): Promise<void>;
};

const NEW_FILE = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | (constants.O_NOFOLLOW ?? 0);

export type ExtractOptions = { limits: SourceLimits; where: string; signal: AbortSignal };

export async function extractArchive(input: ArchiveInput, options: ExtractOptions): Promise<Extracted> {
  // mkdtemp lets only the current user in.
  const folder = await realpath(await mkdtemp(path.join(os.tmpdir(), 'ai-assist-bundle-')));
  const remove = () => rm(folder, { recursive: true, force: true, maxRetries: 3 });
  try {
    const files: string[] = [];
    const place = placer(folder, options.where);
    const onEntry = async (entry: ArchiveEntry) => {
      await place(entry);
      if (!entry.isFolder) files.push(entry.path);
    };
    return { folder, files, sha256: await readArchive(input, { ...options, onEntry }), remove };
  } catch (error) {
    await remove();
    throw error;
  }
}

function placer(folder: string, where: string): (entry: ArchiveEntry) => Promise<void> {
  const made = new Set<string>(['.']);
  const makeFolder = (name: string) => {
    if (made.has(name)) return;
    mkdirSync(path.join(folder, name), { recursive: true, mode: 0o700 });
    made.add(name);
  };
  return async ({ path: name, isFolder, body }) => {
    try {
      if (isFolder) return makeFolder(name === '' ? '.' : name);
      makeFolder(path.posix.dirname(name));
      await writeNew(path.join(folder, name), body);
    } catch (error) {
      throw placeFailure(name, where, error);
    }
  };
}

/** Writes are synchronous: a promise for each of many small files costs more than the writing. */
async function writeNew(file: string, body: AsyncIterable<Uint8Array>): Promise<void> {
  const descriptor = openSync(file, NEW_FILE, 0o600);
  try {
    for await (const chunk of body) {
      for (let written = 0; written < chunk.length; ) written += writeSync(descriptor, chunk, written);
    }
  } finally {
    closeSync(descriptor);
  }
}

function placeFailure(name: string, where: string, error: unknown): unknown {
  const code = errorCode(error) ?? '';
  if (!['EEXIST', 'ENOTDIR', 'EISDIR', 'ENAMETOOLONG', 'EINVAL', 'EILSEQ'].includes(code)) return error;
  const reason =
    code === 'ENAMETOOLONG' ? 'its name is too long' : 'another entry has the same name, or its name is bad';
  return invalidArgument`The bundle '${where}' is refused because of '${shown(name)}': ${reason}`.advise(
    'Build the bundle again, for example with: ai-assist collections pack',
  );
}
