/** The faults of operations: each names its operation by number, counted from 1. */
import { conflict, type Failure, invalidArgument } from '../../errors.js';

/** `path` is the place that the operation names, as far as it names one. */
export type Fault = { operation: number; path?: string | undefined; message: string };

/** A path may be as long as the whole input: a message shows the beginning of it. */
const LONGEST_PATH = 200;
const LONGEST_MESSAGE = 500;

export const shownPath = (path: string): string =>
  path.length > LONGEST_PATH ? `${path.slice(0, LONGEST_PATH).toWellFormed()}…` : path;

const sentence = ({ path, message }: Fault) => (path === undefined ? message : `${path}: ${message}`);

const cut = ({ operation, path, message }: Fault): Fault => ({
  operation,
  ...(path !== undefined && { path: shownPath(path) }),
  message: message.slice(0, LONGEST_MESSAGE).toWellFormed(),
});

/** One failure for all faults that were found: the first in words, every one in its details. */
export function faulty(faults: readonly [Fault, ...Fault[]]): Failure {
  const [first, ...others] = faults.map(cut) as [Fault, ...Fault[]];
  const more = others.length > 0 ? ` (and ${others.length} more)` : '';
  return invalidArgument`Operation ${first.operation}: ${sentence(first)}${more}`
    .with({ faults: [first, ...others] })
    .advise('Correct the operations that faults lists, then call again. Nothing was changed.');
}

/** What a failed test gives: the document is not what the caller takes it for. */
export function testFailed(operation: number, path: string): Failure {
  const place = shownPath(path);
  return conflict`Operation ${operation}: ${place}: the value is not the one that was tested for`.with({
    faults: [{ operation, path: place, message: 'the test failed' }],
  });
}

/** What stands at a place, in words. */
export function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  const words: Record<string, string> = { string: 'text', number: 'a number', boolean: 'true or false' };
  return words[typeof value] ?? 'an object';
}
