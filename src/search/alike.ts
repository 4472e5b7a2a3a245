/** Whether two texts are nearly the same, such as the same page in two versions of a package. */
import { patternFor } from './pattern.js';

/** The runs of three words in a text. */
export type Shingles = ReadonlySet<string>;

const RUN = 3;
const MOST_WORDS = 1000;
/** Of the runs in common: a changed word takes three of them. */
const ALIKE = 0.8;
/** Shorter texts are alike by chance. */
const SHORTEST = 40;

const word = patternFor(String.raw`[\p{L}\p{N}]+`, 'g');

export function shinglesOf(text: string): Shingles {
  const lower = text.toLowerCase();
  const words = (lower.match(word(lower)) ?? []).slice(0, MOST_WORDS);
  if (words.length < RUN) return new Set([words.join(' ')]);
  const runs = new Set<string>();
  for (let at = 0; at + RUN <= words.length; at++) runs.add(words.slice(at, at + RUN).join(' '));
  return runs;
}

export function areAlike(one: Shingles, other: Shingles): boolean {
  const [small, large] = one.size <= other.size ? [one, other] : [other, one];
  if (small.size < SHORTEST || small.size < ALIKE * large.size) return false;
  let common = 0;
  for (const run of small) if (large.has(run)) common++;
  return common >= ALIKE * (small.size + large.size - common);
}
