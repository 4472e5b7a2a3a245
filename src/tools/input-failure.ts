/** A zod error as a failure: `field: message`, with the value at fault where it is short. */
import type { z } from 'zod';
import { Failure, invalidArgument } from '../errors.js';

export function inputFailure(error: z.ZodError, raw: unknown, known: readonly string[]): Failure {
  // A misspelt argument is both unknown and missing; that it is unknown says more.
  const unknown = error.issues.find(({ code }) => code === 'unrecognized_keys');
  const issue = (unknown ?? error.issues[0]) as z.core.$ZodIssue;
  if (issue.code === 'unrecognized_keys') {
    const field = [...issue.path, issue.keys[0]].join('.');
    return invalidArgument`${field}: unknown argument`.advise(
      issue.path.length > 0 ? 'Leave it out.' : `Leave it out, or correct its name. Arguments: ${known.join(', ')}.`,
    );
  }
  const field = issue.path.join('.');
  const named = (at: string) => (at ? `${at}: ${issue.message}` : issue.message);
  // Only the argument's own name is ours; what follows may be a key that the caller chose.
  const top = known.includes(String(issue.path[0])) ? String(issue.path[0]) : '';
  return new Failure('invalid_argument', { message: named(field) + received(issue, raw), redacted: named(top) });
}

function received(issue: z.core.$ZodIssue, raw: unknown): string {
  if (issue.code !== 'invalid_value') return '';
  const value = issue.path.reduce<unknown>((at, key) => (at as Record<PropertyKey, unknown> | undefined)?.[key], raw);
  return typeof value === 'string' && value.length <= 60 ? `, received '${value}'` : '';
}
