/**
 * What a person types, as an expression of the keyword index. Any word may match. Quotes give phrases, and a
 * leading minus excludes. Everything reaches the index inside quotes, so that no text can be taken for an operator.
 */
import { patternFor } from './pattern.js';
import { isStopWord } from './stop-words.js';
import { gramsOf, partsOf, spelled, wordsOf } from './words.js';

export type KeywordQuery = {
  /** What is searched for, as it was typed. */
  readonly terms: readonly string[];
  /** The words that count, without those that are everywhere. */
  readonly words: readonly string[];
  /** Tried in order until one finds something. */
  readonly expressions: readonly string[];
  /** One expression a term. */
  readonly each: readonly string[];
  /** What must not stand in a chunk, where something must not. */
  readonly excluded?: string;
  /** The text to be found by its meaning: what must not be there is not in it. */
  readonly meant: string;
};

type Term = { readonly text: string; readonly phrase: boolean; readonly excluded: boolean };

const MAX_QUERY = 10_000;
const MAX_TERM = 200;
const MAX_TERMS = 32;
const MAX_PHRASES = 96;

/** The query, or undefined when nothing in it can be searched for. */
export function parseKeywordQuery(text: string): KeywordQuery | undefined {
  const all = termsOf(text);
  const wanted = withoutStopWords(all.filter(({ excluded }) => !excluded));
  // A lone `-v` asks for the option: there is nothing that it could exclude from.
  const terms = (wanted.length > 0 ? wanted : all).slice(0, MAX_TERMS);
  const excluded = wanted.length > 0 ? all.filter(({ excluded }) => excluded).slice(0, MAX_TERMS) : [];
  if (terms.length === 0) return undefined;
  const unwanted = anyOf(excluded.flatMap(wholeForms));
  const without = unwanted === '' ? '' : ` NOT (${unwanted})`;
  return {
    terms: terms.map((term) => term.text),
    words: terms.flatMap(({ text, phrase }) => (phrase ? wordsOf(text) : tellingWords(text))),
    expressions: expressionsFor(terms).map((phrases) => `(${anyOf(phrases)})${without}`),
    each: terms.map((term) => anyOf(formsOf(term))),
    ...(unwanted !== '' && { excluded: unwanted }),
    meant: unwanted === '' ? text : typedWithout(text),
  };
}

/**
 * A lone identifier is looked for whole, and in parts only where it stands nowhere: for `ADR-008`, every other ADR
 * would match. Among other words its parts count too, each as a word, and a name of code as a whole besides.
 */
function expressionsFor(terms: readonly Term[]): string[][] {
  const [only] = terms;
  if (terms.length > 1 || !only) return [terms.flatMap(formsOf)];
  if (only.phrase) return [wholeForms(only)];
  return [wholeForms(only), tellingWords(only.text).flatMap(partsOf).flatMap(gramsOf)];
}

const formsOf = (term: Term): string[] => (term.phrase ? wholeForms(term) : looseForms(term));

function looseForms(term: Term): string[] {
  const words = tellingWords(term.text).flatMap(gramsOf);
  return isName(term.text) ? [...wholeForms(term), ...words] : words;
}

/** Names of code have a change of case, a digit beside a letter, or signs inside that prose has not. */
const name = patternFor(
  String.raw`[\p{Ll}][\p{Lu}]|[\p{L}]-?[\p{N}]|[\p{N}][\p{L}]|^--[\p{L}]|` +
    String.raw`[\p{L}\p{N}](?:[_:./\\]|->|\(\))+[\p{L}\p{N}]`,
);
const isName = (text: string): boolean => name(text).test(text);

/** Phrases, with or without a minus, and words. */
const pieces = /(-?)"([^"]*)(?:"|$)|([^\s"]+)/g;
const exclusion = patternFor(String.raw`^-[\p{L}\p{N}]`);
const isExcluded = (word: string): boolean => exclusion(word).test(word);

function termsOf(text: string): Term[] {
  const clean = text
    .slice(0, MAX_QUERY)
    .toWellFormed()
    .replaceAll('\0', ' ')
    .replace(/[“”„«»]/g, '"');
  const terms = new Map<string, Term>();
  for (const [all, minus, quoted, word = ''] of clean.matchAll(pieces)) {
    const term = quoted === undefined ? wordTerm(word) : phraseTerm(quoted, minus === '-');
    if (wordsOf(term.text).length > 0) terms.set(all.toLowerCase(), term);
  }
  return [...terms.values()];
}

const typedWithout = (text: string): string =>
  text.replace(pieces, (all, minus) => (minus === '-' || isExcluded(all) ? ' ' : all)).trim();

const shortened = (text: string): string => text.slice(0, MAX_TERM).toWellFormed();

/** Two dashes begin the name of an option, not an exclusion. */
function wordTerm(word: string): Term {
  const excluded = isExcluded(word);
  return { text: shortened(excluded ? word.slice(1) : word), phrase: false, excluded };
}

const phraseTerm = (quoted: string, excluded: boolean): Term => ({
  text: shortened(quoted.trim()),
  phrase: true,
  excluded,
});

/** Words that are everywhere say nothing, unless they are all there is. */
function withoutStopWords(terms: readonly Term[]): readonly Term[] {
  const rest = terms.filter(({ text, phrase }) => phrase || !wordsOf(text).every(isStopWord));
  return rest.length > 0 ? rest : terms;
}

function tellingWords(text: string): string[] {
  const words = wordsOf(text);
  const telling = words.filter((word) => !isStopWord(word));
  return telling.length > 0 ? telling : words;
}

const segment = patternFor(String.raw`[\p{L}\p{N}]+`, 'g');

/** `useState` is also written `use_state` or `use state`, and `use-state` also `usestate`. */
function wholeForms({ text, phrase }: Term): string[] {
  const named = spelled(text);
  const segments = named.match(segment(named)) ?? [];
  const apart = segments.flatMap(partsOf).join(' ');
  return [...new Set([segments.join(' '), apart, ...(phrase ? [] : [segments.join('')])])];
}

const anyOf = (phrases: readonly string[]): string =>
  [...new Set(phrases)]
    .slice(0, MAX_PHRASES)
    .map((phrase) => `"${phrase.replaceAll('"', ' ')}"`)
    .join(' OR ');
