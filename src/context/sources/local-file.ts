/** Reading files of the local disk within limits, and never from outside the folder they belong to. */
import { constants, type Stats } from 'node:fs';
import { type FileHandle, lstat, open, realpath } from 'node:fs/promises';
import path from 'node:path';
import { conflict, type Failure, invalidArgument, notFound } from '../../errors.js';
import { shown } from '../../project/shown.js';
import type { FileStat } from '../source.js';
import { TooLarge } from '../too-large.js';

/** A link or a pipe that took the place of the file after it was checked is not opened, and does not block. */
const READ_ONLY = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

export function fileStat(stats: Stats): FileStat {
  return { size: stats.size, mtimeMs: stats.mtimeMs, ctimeMs: stats.ctimeMs, inode: stats.ino };
}

/** Whether `file` is `folder` or stands below it. Both are canonical absolute paths. */
export function isInside(folder: string, file: string): boolean {
  return file === folder || file.startsWith(folder.endsWith(path.sep) ? folder : folder + path.sep);
}

/** The whole content of a file of `folder`, which is a canonical path. */
export async function readInside(folder: string, file: string, maxBytes: number): Promise<Uint8Array> {
  try {
    return await readCanonical(folder, path.join(folder, file), file, maxBytes);
  } catch (error) {
    throw readFailure(file, error);
  }
}

/** The whole content of a file that the user named, wherever its links lead. */
export async function readNamed(file: string, maxBytes: number): Promise<Uint8Array> {
  try {
    const real = await realpath(file);
    return await readCanonical(path.dirname(real), real, file, maxBytes);
  } catch (error) {
    throw readFailure(file, error);
  }
}

async function readCanonical(folder: string, file: string, name: string, maxBytes: number): Promise<Uint8Array> {
  const real = await realpath(file);
  if (!isInside(folder, real)) throw outside(name);
  const handle = await open(real, READ_ONLY);
  try {
    const stats = await handle.stat();
    if (!stats.isFile()) throw invalidArgument`'${shown(name)}' is not a regular file`;
    if (stats.size > maxBytes) throw tooLarge(name, stats.size, maxBytes);
    await confirmPlace(real, stats, name);
    return await readWhole(handle, stats.size, name);
  } finally {
    await handle.close();
  }
}

/** A folder on the way may have become a link between the check and the opening. */
async function confirmPlace(real: string, opened: Stats, name: string): Promise<void> {
  const [now, place] = await Promise.all([lstat(real), realpath(real)]);
  if (place !== real || now.ino !== opened.ino || now.dev !== opened.dev) throw changedMeanwhile(name);
}

async function readWhole(handle: FileHandle, size: number, name: string): Promise<Uint8Array> {
  // One byte more than expected shows that the file has grown.
  const buffer = Buffer.allocUnsafeSlow(size + 1);
  let filled = 0;
  while (filled <= size) {
    const { bytesRead } = await handle.read(buffer, filled, size + 1 - filled, filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  if (filled !== size) throw changedMeanwhile(name);
  return buffer.subarray(0, size);
}

const outside = (file: string): Failure =>
  invalidArgument`'${shown(file)}' is a link that leaves its folder`.advise(
    'Put a copy of the file into the folder, or take the link away.',
  );

export function tooLarge(file: string, bytes: number, most: number): Failure {
  const failure = invalidArgument`'${shown(file)}' has ${bytes} bytes, more than the ${most} allowed`.advise(
    'Divide the file into smaller ones, or leave it out.',
  );
  failure.cause = new TooLarge(most);
  return failure;
}

export const changedMeanwhile = (file: string): Failure =>
  conflict`'${shown(file)}' changed while it was read`.advise('Try again when nothing writes to it.');

/** What the file system refused, in plain words. Failures stay as they are. */
export function readFailure(file: string, error: unknown): unknown {
  switch (errorCode(error)) {
    case 'ENOENT':
    case 'ENOTDIR':
      return notFound`'${shown(file)}' does not exist`.advise('Check the path.');
    case 'EACCES':
    case 'EPERM':
      return invalidArgument`'${shown(file)}' cannot be read: permission denied`.advise(
        'Allow the current user to read it.',
      );
    case 'EISDIR':
      return invalidArgument`'${shown(file)}' is a folder, not a file`;
    case 'ELOOP':
      return invalidArgument`'${shown(file)}' is a link that leads to itself`;
    default:
      return error;
  }
}

export function errorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}
