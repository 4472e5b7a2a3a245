/** Puts the server into a client's file: read, edit, keep a copy, replace as a whole. */
import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { access, copyFile, mkdir, open, readFile, readlink, realpath, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { invalidArgument, plainFailure } from '../errors.js';
import type { ClientDefinition, Entry } from './clients.js';
import { unfit } from './edit.js';
import { editJsonEntry } from './edit-json.js';
import { editTomlEntry, lineFor } from './edit-toml.js';

export type Installed = { file: string; changed: boolean; backup?: string };

/** Larger than any file of settings, smaller than what would fill the memory. */
const MOST_BYTES = 32 * 1024 * 1024;

/** The entry alone, as it would stand in the file. */
export function snippet({ format, key }: ClientDefinition, name: string, entry: Entry): string {
  if (format === 'json') return JSON.stringify({ [key]: { [name]: entry } }, null, 2);
  return [`[${key}.${name}]`, ...Object.entries(entry).map(lineFor)].join('\n');
}

export async function installInto(
  client: ClientDefinition,
  file: string,
  name: string,
  entry: Entry,
  now: Date,
): Promise<Installed> {
  // A link to a file elsewhere stays a link.
  const target = await targetOf(file);
  const old = await readIfThere(target);
  const edit = client.format === 'json' ? editJsonEntry : editTomlEntry;
  const text = await edit(old ?? '', { file, key: client.key, name, entry });
  if (text === old) return { file, changed: false };
  try {
    const backup = old === undefined ? undefined : await keepCopy(target, now);
    await replace(target, text, old);
    return { file, changed: true, ...(backup !== undefined && { backup }) };
  } catch (thrown) {
    throw writeFailure(file, thrown);
  }
}

/** Where a link leads, also if nothing is there yet. */
async function targetOf(file: string): Promise<string> {
  try {
    return await realpath(file);
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code === 'ELOOP') throw unfit(file, 'its links lead in a circle');
    const link = await readlink(file).catch(() => undefined);
    return link === undefined ? file : path.resolve(path.dirname(file), link);
  }
}

async function readIfThere(file: string): Promise<string | undefined> {
  try {
    const { size } = await stat(file);
    if (size > MOST_BYTES) throw unfit(file, `${size} bytes are more than a file of settings has`);
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(await readFile(file));
  } catch (thrown) {
    const { code } = thrown as NodeJS.ErrnoException;
    if (code === 'ENOENT') return undefined;
    if (code === 'ENOTDIR' || code === 'EISDIR') throw unfit(file, 'it is not a file');
    if (code === 'ERR_ENCODING_INVALID_ENCODED_DATA') throw unfit(file, 'not UTF-8 text');
    if (code === 'EACCES' || code === 'EPERM') {
      throw invalidArgument`${file}: this user may not read it`.advise(
        'Make it readable for this user, and try again.',
      );
    }
    throw thrown;
  }
}

/** Beside the file, under a name that is free. */
async function keepCopy(file: string, now: Date): Promise<string> {
  await access(file, constants.W_OK);
  const stamp = now.toISOString().slice(0, 19).replace(/[-:]/g, '').replace('T', '-');
  for (let count = 0; ; count++) {
    const backup = `${file}.${stamp}${count === 0 ? '' : `-${count}`}.bak`;
    try {
      await copyFile(file, backup, constants.COPYFILE_EXCL);
      return backup;
    } catch (thrown) {
      if ((thrown as NodeJS.ErrnoException).code !== 'EEXIST') throw thrown;
    }
  }
}

async function replace(file: string, text: string, old: string | undefined): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true });
  const draft = path.join(path.dirname(file), `.${path.basename(file)}.${randomUUID()}.draft`);
  try {
    const mode = old === undefined ? 0o600 : (await stat(file)).mode & 0o777;
    const handle = await open(draft, 'wx', mode);
    try {
      await handle.writeFile(text);
      await handle.chmod(mode);
      await handle.sync();
    } finally {
      await handle.close();
    }
    // The client may have written it meanwhile: what it wrote must not be lost.
    if ((await readIfThere(file)) !== old) {
      throw plainFailure('conflict', `${file} was changed meanwhile`).advise('Try again.');
    }
    await rename(draft, file);
  } finally {
    await rm(draft, { force: true });
  }
}

function writeFailure(file: string, thrown: unknown): unknown {
  const { code } = thrown as NodeJS.ErrnoException;
  if (typeof code !== 'string' || !/^E[A-Z]+$/.test(code)) return thrown;
  return plainFailure('write_error', `${file} cannot be written (${code})`).advise(
    'Make the file and its folder writable for this user, and try again. Add --print to see the entry alone.',
  );
}
