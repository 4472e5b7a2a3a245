/** The rules for names and descriptions of collections and categories. They bind what is new: old ones stay usable. */
import { failing } from '../errors.js';
import { shown } from './shown.js';

const LONGEST_NAME = 30;
const LONGEST_DESCRIPTION = 500;

const invalidName = failing('invalid_name');
const tooLong = failing('description_too_long');
const invalidCharacters = failing('invalid_characters');

/** Refuses a name that may not be given to something new. */
export function checkName(name: string): void {
  const fault = faultOfName(name);
  if (fault !== undefined) throw invalidName`Name '${shown(name, 60)}' ${fault}`;
}

/** What is wrong with a name, as the rest of a sentence. */
function faultOfName(name: string): string | undefined {
  if (name === '') return 'is empty';
  if (name.length > LONGEST_NAME) return `is longer than ${LONGEST_NAME} characters`;
  if (!/^[A-Za-z0-9_-]+$/.test(name)) return 'has other characters than letters, digits, hyphens and underscores';
  if (/^[-_]|[-_]$/.test(name)) return 'begins or ends with a hyphen or an underscore';
  return undefined;
}

/** Refuses a description that is too long, or has what cannot be shown or quoted everywhere. An empty one is fine. */
export function checkDescription(description: string): void {
  // People count characters, and an emoji is one of them.
  const length = [...description].length;
  if (length > LONGEST_DESCRIPTION) {
    throw tooLong`The description has ${length} characters, and the limit is ${LONGEST_DESCRIPTION}`;
  }
  const fault = faultOfDescription(description);
  if (fault === undefined) return;
  throw invalidCharacters`The description '${shown(description, 60)}' has ${fault}`.advise(
    'Leave out straight quotes, control characters such as line breaks, and halves of surrogate pairs. Typographic quotes are fine.',
  );
}

function faultOfDescription(description: string): string | undefined {
  if (!description.isWellFormed()) return 'half of a Unicode character';
  if (description.includes('"')) return 'a double quote';
  if (description.includes("'")) return 'a single quote';
  if (/\p{Cc}/u.test(description)) return 'a line break or another control character';
  return undefined;
}
