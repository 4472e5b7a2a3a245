/** A first manifest for a folder that is to become a package. */
import { randomUUID } from 'node:crypto';
import { realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { conflict, invalidArgument, notFound } from '../errors.js';
import { errorCode } from './sources/local-file.js';

/** Writes `manifest.json` into the folder and answers its path and content. */
export async function scaffoldManifest(folder: string, force: boolean) {
  const file = path.join(path.resolve(folder), 'manifest.json');
  const manifest = { name: await folderName(folder), version: '1.0.0', sources: { glob: ['**/*.md'] } };
  const text = `${JSON.stringify(manifest, null, 2)}\n`;
  try {
    if (force) await replaceFile(file, text);
    else await writeFile(file, text, { flag: 'wx' });
  } catch (error) {
    throw writeFailure(file, error);
  }
  return { file, manifest };
}

async function folderName(folder: string): Promise<string> {
  const real = await realpath(folder).catch(() => undefined);
  if (real === undefined || !(await stat(real)).isDirectory()) {
    throw notFound`The folder '${folder}' does not exist`.advise('Create the folder first.');
  }
  return path.basename(real) || 'package';
}

async function replaceFile(file: string, text: string): Promise<void> {
  const temporary = `${file}.${randomUUID()}.tmp`;
  try {
    await writeFile(temporary, text, { flag: 'wx' });
    await rename(temporary, file);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

function writeFailure(file: string, error: unknown): unknown {
  switch (errorCode(error)) {
    case 'EEXIST':
      return conflict`'${file}' exists already`.advise('Use --force to replace it.');
    case 'EISDIR':
      return invalidArgument`'${file}' is a folder`.advise('Rename that folder first.');
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return invalidArgument`'${file}' cannot be written: permission denied`;
    default:
      return error;
  }
}
