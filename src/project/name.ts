/** The rule for names of collections and categories. It binds new names only: old ones stay usable. */
import { invalidArgument } from '../errors.js';
import { shown } from './shown.js';

const LONGEST_NAME = 30;

/** Refuses a name that may not be given to something new. */
export function checkName(name: string): void {
  const fault = faultOfName(name);
  if (fault === undefined) return;
  throw invalidArgument`Name '${shown(name, 60)}' ${fault}`.advise(
    `Use 1 to ${LONGEST_NAME} letters, digits, hyphens and underscores, with a letter or digit at both ends.`,
  );
}

/** What is wrong with a name, as the rest of a sentence. */
function faultOfName(name: string): string | undefined {
  if (name === '') return 'is empty';
  if (name.length > LONGEST_NAME) return `is longer than ${LONGEST_NAME} characters`;
  if (!/^[A-Za-z0-9_-]+$/.test(name)) return 'has other characters than letters, digits, hyphens and underscores';
  if (/^[-_]|[-_]$/.test(name)) return 'begins or ends with a hyphen or an underscore';
  return undefined;
}
