/** A file replaced as a whole: readers see the old bytes or the new ones, also after a crash, and never a part. */
import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { access, open, readdir, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { refusedWrite, writeFailure } from './failures.js';
import type { Lock } from './lock.js';

const draftPrefix = (file: string) => `.${path.basename(file)}.`;
const DRAFT_ENDING = '.draft';

/** Between the two stands one random word, so that a file 'a' does not claim the drafts of a file 'a.json'. */
function isDraftOf(name: string, file: string): boolean {
  const prefix = draftPrefix(file);
  if (!name.startsWith(prefix) || !name.endsWith(DRAFT_ENDING)) return false;
  return !name.slice(prefix.length, -DRAFT_ENDING.length).includes('.');
}

/**
 * Removes the drafts of others. Whoever holds the lock does this before it reads the file. It cleans up after
 * killed processes, and it is a fence: a process that was asleep while its lock was taken over finds its draft
 * gone and cannot put it in place.
 */
export async function removeDrafts(file: string): Promise<void> {
  const folder = path.dirname(file);
  const drafts = (await readdir(folder)).filter((name) => isDraftOf(name, file));
  await Promise.all(drafts.map((name) => rm(path.join(folder, name), { force: true })));
}

/**
 * Puts new bytes in place of a file. False when the lock was lost meanwhile, or `isStill` says that the file is no
 * longer what the bytes were made from: nothing was changed then.
 */
export async function replaceFile(
  file: string,
  bytes: Uint8Array,
  lock: Lock,
  isStill: () => Promise<boolean> = async () => true,
): Promise<boolean> {
  const draft = path.join(path.dirname(file), `${draftPrefix(file)}${randomUUID()}${DRAFT_ENDING}`);
  try {
    await writeDraft(draft, bytes, file);
    // In this order: a lock taken over before this line shows here, and one taken over later removes the draft.
    if (!(await lock.isOurs()) || !(await isStill()) || !(await putInPlace(draft, file))) return false;
  } catch (thrown) {
    throw refusedWrite(path.basename(file), thrown);
  } finally {
    await rm(draft, { force: true });
  }
  await syncFolder(path.dirname(file));
  return true;
}

async function writeDraft(draft: string, bytes: Uint8Array, file: string): Promise<void> {
  const old = await statIfThere(file);
  const handle = await open(draft, 'wx', old ? old.mode & 0o777 : 0o666);
  try {
    await handle.writeFile(bytes);
    // A file that another user owns stays theirs where we may do that.
    if (old) await handle.chown(old.uid, old.gid).catch(() => {});
    // The mask of this process must not narrow the mode of the old file.
    if (old) await handle.chmod(old.mode & 0o777);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function putInPlace(draft: string, file: string): Promise<boolean> {
  try {
    await rename(draft, file);
    return true;
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw thrown;
  }
}

/** Makes the new name durable. Not every system can do this for a folder, and the bytes are safe already. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r').catch(() => undefined);
  await handle?.sync().catch(() => {});
  await handle?.close();
}

async function statIfThere(file: string) {
  return stat(file).catch((thrown: NodeJS.ErrnoException) => {
    if (thrown.code === 'ENOENT') return undefined;
    throw thrown;
  });
}

/** A rename does not ask for the mode of the file that it replaces, and some users pass every check: so we look. */
export async function checkWritable(file: string): Promise<void> {
  const fileName = path.basename(file);
  const old = await statIfThere(file);
  const folder = await statIfThere(path.dirname(file));
  if (old && (old.mode & 0o222) === 0) throw writeFailure(fileName, 'it is read-only');
  if (folder && (folder.mode & 0o222) === 0) throw writeFailure(fileName, 'its folder is read-only');
  try {
    if (old) await access(file, constants.W_OK);
  } catch {
    throw writeFailure(fileName, 'this user may not write it');
  }
}
