/** What editing a client's file has in common, whatever its format. */
import { type Failure, invalidArgument } from '../errors.js';
import type { Entry } from './clients.js';

/** Where in the file the entry belongs, and what it says. */
export type Wanted = { file: string; key: string; name: string; entry: Entry };

const BY_HAND = 'Nothing was changed. Add --print to see the entry, and put it in by hand.';

/** A file that cannot be read as what it should be. Lines and columns count from 1. */
export function brokenAt(file: string, line: number, column: number, reason: string): Failure {
  return invalidArgument`${file}: line ${line}, column ${column}: ${reason}`.advise(
    'Nothing was changed. Correct the file at that place, and try again.',
  );
}

export const unfit = (file: string, reason: string): Failure => invalidArgument`${file}: ${reason}`.advise(BY_HAND);

const ADDRESSES = ['url', 'serverUrl', 'httpUrl'];

/** An entry that points to an address is a decision of a person: a command beside it would be a riddle. */
export function refuseAddress({ file, key, name }: Wanted, old: Readonly<Record<string, unknown>>): void {
  const address = ADDRESSES.find((field) => old[field] !== undefined);
  if (address === undefined) return;
  throw invalidArgument`${file}: ${key}.${name} has a ${address} already`.advise(
    'Nothing was changed. Remove that entry by hand, or choose another name with --name.',
  );
}

export function placeOf(text: string, offset: number): { line: number; column: number } {
  const before = text.slice(0, offset);
  return { line: before.split('\n').length, column: offset - before.lastIndexOf('\n') };
}
