/** Where the words of a query stand in a text, in the forms in which the keyword index finds them. */
import { stemmer } from 'stemmer';
import { OTHER_LETTERS, patternFor } from './pattern.js';
import { gramsOf, partsOf, wordsOf } from './words.js';

export type Range = { readonly from: number; readonly to: number };

/** Finds what matched in a text, in order, without overlaps. */
export type FindMatches = (text: string) => Range[];

const word = patternFor(String.raw`[\p{L}\p{N}\p{M}]+`, 'g');
const beyondWords = patternFor(String.raw`[^\p{L}\p{N}]`);
/** Longer words are data. */
const LONGEST = 100;

/** As the index compares words: small letters and no accents, and then no endings. */
const stemOf = (text: string): string => stemmer(folded(text));
const folded = (text: string): string => withoutAccents(text).toLowerCase();

const withoutAccents = (text: string): string =>
  OTHER_LETTERS.test(text) ? text.normalize('NFD').replace(/\p{M}/gu, '') : text;

/** `terms` are what was typed, and `words` the words in it that count. */
export function matcherFor(terms: readonly string[], words: readonly string[]): FindMatches {
  const grams = words.flatMap((each) => gramsOf(each)).filter((gram) => gram.includes(' '));
  const runs = new Set(grams.map((gram) => gram.replaceAll(' ', '')));
  const stems = new Set([...words.flatMap((each) => [each, ...partsOf(each)]), ...terms.map(joined)].map(stemOf));
  // No ending begins a word: most words of a text need no stem to be told apart.
  const beginnings = new Set([...stems].map((stem) => stem[0]));
  const isStem = (word: string) => {
    const plain = folded(word);
    return beginnings.has(plain[0]) && stems.has(stemmer(plain));
  };
  const matches = remembered((found) => isStem(found) || partsOf(found).some(isStem));
  const typed = terms.map((term) => term.toLowerCase()).filter((term) => beyondWords(term).test(term));
  return (text) =>
    merged([
      ...wholeWords(text, matches),
      ...typed.flatMap((term) => standing(text, term)),
      ...[...runs].flatMap((run) => standing(text, run)),
    ]);
}

const joined = (term: string): string => wordsOf(term).join('');

/** The same words stand in many texts, and finding the stem of one takes a while. */
function remembered(decide: (word: string) => boolean): (word: string) => boolean {
  const known = new Map<string, boolean>();
  return (word) => {
    const decided = known.get(word) ?? decide(word);
    known.set(word, decided);
    return decided;
  };
}

function wholeWords(text: string, matches: (word: string) => boolean): Range[] {
  const found: Range[] = [];
  for (const { 0: match, index } of text.matchAll(word(text))) {
    if (match.length <= LONGEST && matches(match)) found.push({ from: index, to: index + match.length });
  }
  return found;
}

/** Some letters change their length in small letters: a place that does not hold the term is left out. */
function standing(text: string, term: string): Range[] {
  const found: Range[] = [];
  const lower = text.toLowerCase();
  for (let at = lower.indexOf(term); at >= 0; at = lower.indexOf(term, at + term.length)) {
    if (lower.length === text.length) found.push({ from: at, to: at + term.length });
  }
  return found;
}

function merged(ranges: Range[]): Range[] {
  ranges.sort((one, other) => one.from - other.from || other.to - one.to);
  const apart: Range[] = [];
  for (const range of ranges) {
    const last = apart.at(-1);
    if (!last || range.from > last.to || (range.from === last.to && range.from !== range.to)) apart.push(range);
    else if (range.to > last.to) apart[apart.length - 1] = { from: last.from, to: range.to };
  }
  return apart;
}
