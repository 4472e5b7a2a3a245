/** The piece of a chunk that shows why it was found. */

/** How much is shown before the first match. */
const LEAD = 60;

/** The text around the first of the terms, at most `max` characters with the marks where it was cut. */
export function snippetOf(text: string, terms: readonly string[], max = 300): string {
  const whole = text.trim();
  if (whole.length <= max) return whole;
  const match = firstMatch(whole, terms);
  const from = Math.max(0, Math.min(startOfWord(whole, match - LEAD), whole.length - max + 1));
  const before = from > 0 ? '…' : '';
  const room = max - before.length;
  const after = whole.length - from > room ? '…' : '';
  return (
    before +
    whole
      .slice(from, from + room - after.length)
      .toWellFormed()
      .trim() +
    after
  );
}

/** Where the first term stands as it was typed; else where a word begins as one of the terms' words does; else 0. */
function firstMatch(text: string, terms: readonly string[]): number {
  const lower = text.toLowerCase();
  // Some letters change their length in lower case, and positions would be off by a little.
  const typed = terms.map((term) => lower.indexOf(term.toLowerCase())).filter((at) => at >= 0);
  if (typed.length > 0) return Math.min(...typed);
  const roots = terms.flatMap((term) => term.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).map(rootOf);
  for (const { 0: word, index } of lower.matchAll(/[\p{L}\p{N}]+/gu)) {
    if (roots.some((root) => word.startsWith(root))) return index;
  }
  return 0;
}

/** The index matches word forms: `running` finds `runs`. The beginnings of words tell nearly the same. */
const rootOf = (word: string): string => (word.length > 4 ? word.slice(0, Math.max(3, word.length - 3)) : word);

function startOfWord(text: string, at: number): number {
  if (at <= 0) return 0;
  const space = text.slice(at, at + LEAD / 2).search(/\s/);
  return space < 0 ? at : at + space + 1;
}
