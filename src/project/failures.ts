/** Why a project file could not be changed. */
import { conflict, type Failure, failing, notFound, plainFailure } from '../errors.js';

const noSession = failing('no_session');

/** Another process holds the lock, and did not let go in time. */
export function lockFailure(fileName: string, holder: string): Failure {
  return plainFailure('lock_error', `${fileName} is locked by ${holder}.`).advise(
    `Wait for that process to end, then call again. If no process is at work, remove .${fileName}.lock.`,
  );
}

/** The disk, or the modes of the file or its folder, did not let us write. */
export function writeFailure(fileName: string, reason: string): Failure {
  return plainFailure('write_error', `${fileName} cannot be written: ${reason}.`).advise(
    `Let this user write ${fileName} and its folder, then call again.`,
  );
}

const noRoom = new Set(['ENOSPC', 'EDQUOT', 'EFBIG']);

/** The same by what the system threw. Rights are no cure for a disk that is full. */
export function refusedWrite(fileName: string, thrown: unknown): Failure {
  const { code = 'unknown reason' } = thrown as NodeJS.ErrnoException;
  if (!noRoom.has(code)) return writeFailure(fileName, code);
  return writeFailure(fileName, `no room is left (${code})`).advise(
    `Make room on the disk of ${fileName}, then call again. The file is as it was.`,
  );
}

export function versionFailure(fileName: string, currentVersion: string): Failure {
  return conflict`${fileName} has changed since it was read`.with({ currentVersion });
}

export function noProjectFailure(folder: string, fileName: string): Failure {
  return notFound`No ${fileName} found in '${folder}' or a folder above it`.advise(
    'Run `ai-assist collections init` in the root of the project, or name the folder of a project.',
  );
}

/** The same for changes: without a project file there is nothing to change. */
export function noSessionFailure(folder: string, fileName: string): Failure {
  return noSession`No ${fileName} found in '${folder}' or a folder above it`;
}

/** A session that was opened without the folder of a project. */
export const noFolderFailure = (): Failure =>
  plainFailure('no_session', 'This session has no project folder').advise(
    'Open the session with the folder of a project.',
  );
