/** Turns what SQLite throws into failures that name the file and say what to do. */
import { Failure, plainFailure } from '../errors.js';
import { type Driver, SQLITE } from './drivers/connection.js';

type Explanation = { problem: string; remedy: string };

const explanations: Record<number, Explanation> = {
  [SQLITE.BUSY]: {
    problem: 'is locked by another process that does not let go',
    remedy: 'Find the process that holds the file and stop it, then call again.',
  },
  [SQLITE.READONLY]: {
    problem: 'cannot be written',
    remedy: 'Give yourself write permission to the file and its folder, or set AI_ASSIST_DATABASE to another file.',
  },
  [SQLITE.IOERR]: {
    problem: 'cannot be read or written: the disk reported an error',
    remedy: 'Check the disk and the permissions of the folder, then call again.',
  },
  [SQLITE.CORRUPT]: {
    problem: 'is damaged',
    remedy: 'It was left as it is. Restore a backup, or set AI_ASSIST_DATABASE to another file.',
  },
  [SQLITE.FULL]: {
    problem: 'cannot grow: the disk is full',
    remedy: 'Make room on the disk, then call again. Nothing of this call was kept.',
  },
  [SQLITE.CANTOPEN]: {
    problem: 'cannot be opened',
    remedy: 'Check that the folder exists and may be written, or set AI_ASSIST_DATABASE to another file.',
  },
  [SQLITE.NOTADB]: {
    problem: 'is not a database',
    remedy: 'It was left as it is. Set AI_ASSIST_DATABASE to another file.',
  },
};

/** A failure about the database file itself. */
export function databaseFailure(location: string, { problem, remedy }: Explanation, cause?: unknown): Failure {
  const failure = plainFailure('internal', `The database '${location}' ${problem}.`).advise(remedy);
  failure.cause = cause;
  return failure;
}

/** What a driver threw, explained where SQLite's code is one that a person can act on. */
export function explain(driver: Driver, location: string, thrown: unknown): unknown {
  if (thrown instanceof Failure) return thrown;
  const explanation = explanations[driver.resultCode(thrown) ?? -1];
  return explanation ? databaseFailure(location, explanation, thrown) : thrown;
}

export function notADatabase(location: string): Failure {
  return databaseFailure(location, explanations[SQLITE.NOTADB] as Explanation);
}

export function cannotOpen(location: string, cause: unknown): Failure {
  if (cause instanceof Failure) return cause;
  return databaseFailure(location, explanations[SQLITE.CANTOPEN] as Explanation, cause);
}
