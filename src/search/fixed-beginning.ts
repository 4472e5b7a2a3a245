/** What every path begins with that one of some patterns matches. It may be empty, and is never too long. */

/** Characters that may mean something else than themselves, also to the one before them. */
const MAGIC = /[*?[\]{}()!+@|\\^$]/;

export function fixedBeginning(patterns: readonly string[]): string {
  // Exclusions only take away.
  const included = patterns.filter((pattern) => !pattern.startsWith('!') || pattern.startsWith('!('));
  return included.map(beginningOf).reduce(common, undefined) ?? '';
}

/** Slashes at the end or doubled, and dots at the beginning, may be read in more than one way. */
function beginningOf(pattern: string): string {
  const cleaned = pattern.replace(/^(\.\/+)+/, '');
  const magic = cleaned.search(MAGIC);
  const fixed = magic < 0 ? cleaned : cleaned.slice(0, magic);
  return fixed.split('//', 1).join('').replace(/\/+$/, '');
}

function common(one: string | undefined, other: string): string {
  if (one === undefined) return other;
  let length = 0;
  while (length < one.length && one[length] === other[length]) length++;
  // Half of a pair stands for no character.
  return one.slice(0, length).replace(/[\ud800-\udbff]$/, '');
}
