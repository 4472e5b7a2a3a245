/**
 * Text as the keyword index sees it. The index splits at everything that is not a letter or a digit, so what
 * people search for is spelled out first, in the same way for documents and for queries.
 */
import { patternFor } from './pattern.js';

/** Longer runs of letters and digits are data, such as hashes, and have no parts worth finding. */
const MAX_WORD = 64;
const MAX_PARTS = 6;

/** Scripts that put no spaces between words, and Korean, which ties endings to its words. */
const scripts = ['Han', 'Hiragana', 'Katakana', 'Hangul', 'Thai', 'Lao', 'Khmer', 'Myanmar'];
const spacelessLetter = `[${scripts.map((script) => String.raw`\p{Script=${script}}`).join('')}]`;
const spaceless = patternFor(spacelessLetter);
const eachSpaceless = patternFor(spacelessLetter, 'g');
const wordOrRun = patternFor(String.raw`${spacelessLetter}+|(?:(?!${spacelessLetter})[\p{L}\p{N}])+`, 'g');
/** Nothing before this code is written without spaces. */
const FIRST_SPACELESS = /[\u0e00-\uffff]/;

/** Names made of symbols become words; writing without spaces becomes one word a character. */
export function spelled(text: string): string {
  const named = withSymbolNames(text.normalize('NFC'));
  return FIRST_SPACELESS.test(named) ? named.replace(eachSpaceless(named), ' $& ') : named;
}

/** Most texts have none of the symbols, and need no closer look. */
function withSymbolNames(text: string): string {
  const plus = text.includes('++')
    ? text.replace(/(?<![\p{L}\p{N}])(\p{L}[\p{L}\p{N}]{0,20})\+\+/gu, '$1plusplus ')
    : text;
  const sharp = plus.includes('#') ? plus.replace(/(?<![\p{L}\p{N}])([a-z])#(?![\p{L}\p{N}#])/giu, '$1sharp ') : plus;
  return /\.net/i.test(sharp) ? sharp.replace(/(?<![\p{L}\p{N}.])\.net(?![\p{L}\p{N}])/giu, ' dotnet ') : sharp;
}

/** The words of a text, with a run of characters without spaces as one. */
export function wordsOf(text: string): string[] {
  const named = withSymbolNames(text.normalize('NFC'));
  return named.match(wordOrRun(named)) ?? [];
}

/**
 * What a word of a query may match: itself, or the pairs and triples of characters that a run without spaces is
 * made of. Words of two characters are the most common ones in Chinese, so triples alone would miss much.
 */
export function gramsOf(word: string): string[] {
  if (!spaceless(word).test(word)) return [word];
  const characters = [...word];
  if (characters.length <= 2) return [characters.join(' ')];
  const grams: string[] = [];
  for (let at = 0; at + 2 <= characters.length; at++) {
    grams.push(characters.slice(at, at + 2).join(' '));
    if (at + 3 <= characters.length) grams.push(characters.slice(at, at + 3).join(' '));
  }
  return grams;
}

const beforeNextPart = patternFor(
  String.raw`[\p{Ll}](?=[\p{Lu}])|[\p{Lu}](?=[\p{Lu}][\p{Ll}])|[\p{L}](?=[\p{N}])|[\p{N}](?=[\p{L}])`,
  'g',
);
/** Most words, known at a glance to be no identifiers. */
const plain = /^[A-Za-z]?[a-z]*$/;

/** The parts of an identifier: `XMLHttpRequest` has XML, Http and Request. A plain word is its only part. */
export function partsOf(word: string): string[] {
  if (word.length > MAX_WORD || plain.test(word)) return [word];
  const parts = word.replace(beforeNextPart(word), '$& ').split(' ');
  return parts.length > MAX_PARTS ? [word] : parts;
}

/** A word with a change inside it: from small to capital letters, or between letters and digits. */
const identifier = patternFor(
  String.raw`(?<![\p{L}\p{N}])[\p{L}\p{N}]{0,62}?` +
    String.raw`(?:[\p{Ll}][\p{Lu}]|[\p{Lu}][\p{Lu}][\p{Ll}]|[\p{L}][\p{N}]|[\p{N}][\p{L}])[\p{L}\p{N}]*`,
  'g',
);

/** The parts of all identifiers in a text, once each, to be indexed beside it. */
function identifierParts(text: string): string {
  const found = new Set<string>();
  for (const [word] of text.matchAll(identifier(text))) {
    const parts = partsOf(word);
    if (parts.length > 1) found.add(parts.join(' '));
  }
  return [...found].join(' ');
}

/** What goes into the index for a text: the text itself, so that phrases match, then the parts of its identifiers. */
export function indexed(text: string): string {
  const words = spelled(text);
  const parts = identifierParts(words);
  return parts === '' ? words : `${words}\n${parts}`;
}
