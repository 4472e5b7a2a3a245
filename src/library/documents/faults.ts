/** The faults of operations: each names its operation by number, counted from 1. */
import { type Failure, invalidArgument } from '../../errors.js';

/** `path` is the place that the operation names, as far as it names one. */
export type Fault = { operation: number; path?: string | undefined; message: string };

const sentence = ({ path, message }: Fault) => (path === undefined ? message : `${path}: ${message}`);

/** One failure for all faults that were found: the first in words, every one in its details. */
export function faulty(faults: readonly [Fault, ...Fault[]]): Failure {
  const [first, ...others] = faults;
  const more = others.length > 0 ? ` (and ${others.length} more)` : '';
  return invalidArgument`Operation ${first.operation}: ${sentence(first)}${more}`
    .with({ faults: faults.map(({ operation, path, message }) => ({ operation, path, message })) })
    .advise('Correct the operations that faults lists, then call again. Nothing was changed.');
}

/** What stands at a place, in words. */
export function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  const words: Record<string, string> = { string: 'text', number: 'a number', boolean: 'true or false' };
  return words[typeof value] ?? 'an object';
}
