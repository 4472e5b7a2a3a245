/** Expressions over names: `guides,react-hooks` names several, `react-hooks/use-*` narrows one by a pattern. */
import { invalidArgument } from '../errors.js';
import { shown } from '../project/shown.js';

/** A name, and the pattern that narrows it. */
export type Term = { readonly name: string; readonly pattern?: string };

/** Longer ones are a mistake, and would cost time for nothing. */
const LONGEST_EXPRESSION = 4000;
const MOST_TERMS = 100;

/** Reads an expression. `isName` tells what is a name as it stands: old ones may hold commas and slashes. */
export function parseExpression(text: string, isName: (name: string) => boolean): Term[] {
  if (isName(text)) return [{ name: text }];
  const whole = text.trim();
  if (isName(whole)) return [{ name: whole }];
  if (whole.length > LONGEST_EXPRESSION) {
    throw tooMuch`'${shown(text, 60)}' is longer than ${LONGEST_EXPRESSION} characters`;
  }
  const parts = splitOutside(whole);
  if (parts.length > MOST_TERMS) throw tooMuch`'${shown(text, 60)}' has more than ${MOST_TERMS} names`;
  return parts.map((part) => parseTerm(part.trim(), isName, text));
}

const tooMuch = (...text: Parameters<typeof invalidArgument>) =>
  invalidArgument(...text).advise('Make a group or a category for these documents, and use its name.');

function parseTerm(text: string, isName: (name: string) => boolean, expression: string): Term {
  if (isName(text)) return { name: text };
  const slash = lastSlashAfterName(text, isName) ?? text.indexOf('/');
  const name = slash < 0 ? text : text.slice(0, slash);
  if (name === '') {
    throw invalidArgument`'${shown(expression)}' has a part without a name`.advise(
      'Write names with commas between them, each with a pattern behind a slash if you like: guides,react/hooks/*.',
    );
  }
  const pattern = slash < 0 ? '' : text.slice(slash + 1);
  return pattern === '' ? { name } : { name, pattern };
}

/** The longest name that stands before a slash, where one does. */
function lastSlashAfterName(text: string, isName: (name: string) => boolean): number | undefined {
  for (let slash = text.lastIndexOf('/'); slash > 0; slash = text.lastIndexOf('/', slash - 1)) {
    if (isName(text.slice(0, slash))) return slash;
  }
  return undefined;
}

/** Parts between commas. Those inside brackets belong to a pattern. */
function splitOutside(text: string): string[] {
  const parts: string[] = [];
  let [depth, start] = [0, 0];
  for (let at = 0; at < text.length; at++) {
    const character = text.charAt(at);
    if (character === '\\') at++;
    else if ('{[('.includes(character)) depth++;
    else if ('}])'.includes(character)) depth = Math.max(0, depth - 1);
    else if (character === ',' && depth === 0) {
      parts.push(text.slice(start, at));
      start = at + 1;
    }
  }
  return [...parts, text.slice(start)];
}
