/** Glob patterns over relative paths, compiled so that a walk knows which folders it can leave out. */
import picomatch from 'picomatch';
import { invalidArgument } from '../../errors.js';
import { shown } from '../../project/shown.js';
import { leavesFolder, nameProblem } from './names.js';

export type Pattern = {
  /** Whether the file matches. */
  matches(path: string): boolean;
  /** Whether something below a folder can match, by the folder's own name and how deep it stands (0 for the top). */
  mayEnter(depth: number, name: string): boolean;
};

export type Patterns = {
  readonly include: readonly Pattern[];
  excludes(path: string): boolean;
};

/** A matcher may try every way to divide a name among its wildcards: few of them keep that quick on any name. */
export const MOST_WILDCARDS = 3;
const MOST_GROUPS = 4;
export const LONGEST_PATTERN = 500;

/** The patterns of one source. Those that begin with `!` take away from what the others match. */
export function compilePatterns(patterns: readonly string[]): Patterns {
  const cleaned = patterns.map(checkedPattern);
  const include = cleaned.filter((pattern) => !isExclusion(pattern)).map(compile);
  if (include.length === 0) {
    throw invalidArgument`The glob '${shown(patterns.join(', '))}' names nothing to take`.advise(
      'Give at least one pattern without a leading !, such as **/*.md.',
    );
  }
  const exclude = cleaned
    .filter(isExclusion)
    .map((pattern) => picomatch.makeRe(cleanStart(pattern.slice(1)), { dot: true }));
  return { include, excludes: (path) => exclude.some((expression) => expression.test(path)) };
}

const isExclusion = (pattern: string) => pattern.startsWith('!') && !pattern.startsWith('!(');

const cleanStart = (pattern: string) => pattern.replace(/^(\.\/+)+/, '');

function checkedPattern(pattern: string): string {
  const bare = isExclusion(pattern) ? pattern.slice(1) : pattern;
  if (leavesFolder(bare) || /(^|[/\\{,(|])\.\.($|[/\\},)|])/.test(bare)) {
    throw invalidArgument`The glob '${shown(pattern)}' leaves its folder`.advise(
      'Use a pattern relative to the folder, without .. and without a leading slash.',
    );
  }
  const problem = patternProblem(bare);
  if (problem === undefined) return cleanStart(pattern);
  throw invalidArgument`The glob '${shown(pattern)}' cannot be used: ${problem}`.advise(
    'Use a simple pattern such as **/*.md, or several simple ones.',
  );
}

function patternProblem(pattern: string): string | undefined {
  if (cleanStart(pattern) === '') return 'it is empty';
  if (pattern.length > LONGEST_PATTERN) return `it is longer than ${LONGEST_PATTERN} characters`;
  if (nameProblem(pattern.replaceAll('\\', '')) !== undefined) return 'it has control or text-direction characters';
  if ((pattern.match(/\*\*+/g) ?? []).length > MOST_WILDCARDS) return `it has more than ${MOST_WILDCARDS} globstars`;
  if (pattern.split('/').some((segment) => (segment.match(/\*+|\+\(/g) ?? []).length > MOST_WILDCARDS)) {
    return `a part of it has more than ${MOST_WILDCARDS} wildcards`;
  }
  if ((pattern.match(/[{(]/g) ?? []).length > MOST_GROUPS) return `it has more than ${MOST_GROUPS} groups`;
  return undefined;
}

function compile(pattern: string): Pattern {
  const expression = picomatch.makeRe(pattern);
  const { parts, deepest } = leadingFolders(pattern);
  const names = namedFolders(pattern);
  return {
    matches: (path) => expression.test(path),
    mayEnter(depth, name) {
      if (depth >= deepest) return false;
      if (name === 'node_modules' && !names.modules) return false;
      if (name === '.git' && !names.git) return false;
      const part = parts[depth];
      if (part !== undefined) return part(name);
      return !name.startsWith('.') || names.dots;
    },
  };
}

type FolderTest = (name: string) => boolean;

/** Tests for the folders that every match stands in, up to the first part that may hold slashes itself. */
function leadingFolders(pattern: string): { parts: FolderTest[]; deepest: number } {
  const folders = pattern.split('/').slice(0, -1);
  const open = folders.findIndex(isOpenEnded);
  const fixed = open === -1 ? folders : folders.slice(0, open);
  const endsOpen = open !== -1 || isOpenEnded(pattern.slice(pattern.lastIndexOf('/') + 1));
  return { parts: fixed.map(folderTest), deepest: endsOpen ? Number.POSITIVE_INFINITY : folders.length };
}

const isOpenEnded = (part: string) => part.includes('**') || /[{}()[\]\\]/.test(part);

function folderTest(part: string): FolderTest {
  if (!/[*?!+@|]/.test(part)) return (name) => name === part;
  const expression = picomatch.makeRe(part);
  return (name) => expression.test(name);
}

/** Which of the folders that are left out by default the pattern asks for by name. */
function namedFolders(pattern: string): { dots: boolean; modules: boolean; git: boolean } {
  return {
    dots: /(^|[/{,(|[\\])\./.test(pattern),
    modules: pattern.includes('node_modules'),
    git: /\.git(?!\w)/.test(pattern),
  };
}
