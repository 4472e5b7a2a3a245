/** Patterns over the paths of documents, as people write them and as they are matched. */
import { compilePatterns, LONGEST_PATTERN, MOST_WILDCARDS } from '../context/sources/patterns.js';
import { invalidArgument } from '../errors.js';

/** Every document is tested against every pattern: a bounded number keeps that quick. */
const MOST_PATTERNS = 100;

/** Refuses patterns that cannot be used. None at all are allowed: they take nothing. */
export function checkPatterns(patterns: readonly string[]): void {
  if (patterns.length > MOST_PATTERNS) {
    throw invalidArgument`patterns: ${patterns.length} patterns are more than the limit of ${MOST_PATTERNS}`.advise(
      'Use fewer and wider patterns, or several categories in one group.',
    );
  }
  if (patterns.length > 0) compilePatterns(patterns.flatMap(spelledOut));
}

/** The patterns that are matched for one as it is written: without an extension, it takes any. */
export function spelledOut(pattern: string): string[] {
  const name = pattern.slice(pattern.lastIndexOf('/') + 1);
  // A wildcard at the end takes any extension already.
  const isOpen = name === '' || name.endsWith('*') || hasExtension(name);
  if (isOpen) return [pattern];
  return [pattern, `${pattern}${wildcardsIn(name) < MOST_WILDCARDS ? '.*' : SHORT_EXTENSION}`];
}

/** One wildcard more could take seconds for one hostile path; up to eight characters, such as `.markdown`, do not. */
const SHORT_EXTENSION = `.{${[1, 2, 3, 4, 5, 6, 7, 8].map((length) => '?'.repeat(length)).join(',')}}`;

/** `1.2` at the end is a version, and no extension. */
const hasExtension = (name: string) => /\.[^.\d][^.]*$/.test(name);

const wildcardsIn = (name: string) => (name.match(/\*+|\+\(/g) ?? []).length;

/** For a pattern that a caller gives: it may also be the very path of a document, whatever characters that has. */
export function asked(pattern: string): string[] {
  const literal = pattern.replace(/[\\*?[\]{}()!+@|^$]/g, '\\$&');
  const isOther = literal !== pattern && literal.length <= LONGEST_PATTERN;
  return isOther ? [...spelledOut(pattern), literal] : spelledOut(pattern);
}
