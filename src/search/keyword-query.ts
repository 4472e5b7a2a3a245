/**
 * What a person types, as an expression of the keyword index. Any word may match. Quotes give phrases, and a
 * leading minus excludes. Everything reaches the index inside quotes, so that no text can be taken for an operator.
 */
import { partsOf, spelled } from './words.js';

export type KeywordQuery = {
  /** What is searched for, as it was typed. */
  readonly terms: readonly string[];
  /** Chunks with any of the terms, whole. */
  readonly whole: string;
  /** Chunks with any part of any term, such as `run` for `--dry-run`. Phrases stay whole. */
  readonly parts: string;
  /** One expression a term. */
  readonly each: readonly string[];
};

type Term = { readonly text: string; readonly phrase: boolean; readonly excluded: boolean };

const MAX_QUERY = 10_000;
const MAX_TERM = 200;
const MAX_TERMS = 32;

const stopWords = new Set(
  `a about all am an and any are as at be been but by can could did do does for from had has have how i if in into is it
  its me my no not of on or our she should so than that the their them then there these they this those to was we were
  what when where which who why will with would you your`.split(/\s+/),
);

/** The query, or undefined when nothing in it can be searched for. */
export function parseKeywordQuery(text: string): KeywordQuery | undefined {
  const all = termsOf(text);
  const wanted = withoutStopWords(all.filter(({ excluded }) => !excluded));
  // A lone `-v` asks for the option: there is nothing that it could exclude from.
  const terms = (wanted.length > 0 ? wanted : all).slice(0, MAX_TERMS);
  const excluded = wanted.length > 0 ? all.filter(({ excluded }) => excluded).slice(0, MAX_TERMS) : [];
  if (terms.length === 0) return undefined;
  const without = excluded.length > 0 ? ` NOT (${anyOf(excluded.flatMap(wholeForms))})` : '';
  return {
    terms: terms.map((term) => term.text),
    whole: `(${anyOf(terms.flatMap(wholeForms))})${without}`,
    parts: `(${anyOf(terms.flatMap((term) => (term.phrase ? wholeForms(term) : segmentsOf(term.text))))})${without}`,
    each: terms.map((term) => anyOf(wholeForms(term))),
  };
}

function termsOf(text: string): Term[] {
  const clean = text
    .slice(0, MAX_QUERY)
    .toWellFormed()
    .replaceAll('\0', ' ')
    .replace(/[“”„«»]/g, '"');
  const terms = new Map<string, Term>();
  for (const [all, minus, quoted, word = ''] of clean.matchAll(/(-?)"([^"]*)(?:"|$)|([^\s"]+)/g)) {
    const term = quoted === undefined ? wordTerm(word) : phraseTerm(quoted, minus === '-');
    if (segmentsOf(term.text).length > 0) terms.set(all.toLowerCase(), term);
  }
  return [...terms.values()];
}

const shortened = (text: string): string => text.slice(0, MAX_TERM).toWellFormed();

/** Two dashes begin the name of an option, not an exclusion. */
function wordTerm(word: string): Term {
  const excluded = /^-[\p{L}\p{N}]/u.test(word);
  return { text: shortened(excluded ? word.slice(1) : word), phrase: false, excluded };
}

const phraseTerm = (quoted: string, excluded: boolean): Term => ({
  text: shortened(quoted.trim()),
  phrase: true,
  excluded,
});

/** Words that are everywhere say nothing, unless they are all there is. */
function withoutStopWords(terms: readonly Term[]): readonly Term[] {
  const rest = terms.filter(({ text, phrase }) => phrase || !stopWords.has(segmentsOf(text).join(' ').toLowerCase()));
  return rest.length > 0 ? rest : terms;
}

/** `useState` is also written `use_state` or `use state`, and `use-state` also `usestate`. */
function wholeForms({ text, phrase }: Term): string[] {
  const written = spelled(text);
  const segments = segmentsOf(text);
  const apart = segments.flatMap(partsOf).join(' ');
  return [...new Set([written, apart, ...(phrase ? [] : [segments.join('')])])];
}

const segmentsOf = (text: string): string[] => spelled(text).match(/[\p{L}\p{N}]+/gu) ?? [];

const anyOf = (phrases: readonly string[]): string =>
  phrases.map((phrase) => `"${phrase.replaceAll('"', ' ')}"`).join(' OR ');
