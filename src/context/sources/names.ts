/** Names of files that come from elsewhere: which ones are refused, and in which order they stand. */
import { STEERING } from '../../project/shown.js';

const LONGEST_NAME = 1024;

/** What is wrong with a relative path, or undefined. The rules are the same for folders, archives and packing. */
export function nameProblem(path: string): string | undefined {
  if (STEERING.test(path)) return 'its name has control or text-direction characters';
  if (path.includes('\uFFFD')) return 'its name is not valid UTF-8';
  if (path.includes('\\')) return 'its name has a backslash';
  if (path.length > LONGEST_NAME) return `its name is longer than ${LONGEST_NAME} characters`;
  return undefined;
}

/** A relative path that would lead out of its folder, or that is not relative at all. */
export function leavesFolder(path: string): boolean {
  return path.startsWith('/') || /^[A-Za-z]:[\\/]/.test(path) || path.split(/[\\/]/).includes('..');
}

/** Order by code units: the same on every machine, whatever its language. */
export function byPath(a: { path: string }, b: { path: string }): number {
  if (a.path === b.path) return 0;
  return a.path < b.path ? -1 : 1;
}
