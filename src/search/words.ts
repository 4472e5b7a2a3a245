/**
 * Text as the keyword index sees it. The index splits at everything that is not a letter or a digit, so what
 * people search for is spelled out first, in the same way for documents and for queries.
 */

/** Longer runs of letters and digits are data, such as hashes, and have no parts worth finding. */
const MAX_WORD = 64;
const MAX_PARTS = 6;

const eastAsian = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;

/** Names made of symbols become words; writing without spaces becomes one word a character. */
export function spelled(text: string): string {
  const named = withSymbolNames(text.normalize('NFC'));
  return eastAsian.test(named) ? named.replace(new RegExp(eastAsian, 'gu'), ' $& ') : named;
}

/** Most texts have none of the symbols, and need no closer look. */
function withSymbolNames(text: string): string {
  const plus = text.includes('++')
    ? text.replace(/(?<![\p{L}\p{N}])(\p{L}[\p{L}\p{N}]{0,20})\+\+/gu, '$1plusplus ')
    : text;
  return plus
    .replace(/(?<![\p{L}\p{N}])([a-z])#(?![\p{L}\p{N}#])/giu, '$1sharp ')
    .replace(/(?<![\p{L}\p{N}.])\.net(?![\p{L}\p{N}])/giu, ' dotnet ');
}

/** The parts of an identifier: `XMLHttpRequest` has XML, Http and Request. A plain word is its only part. */
export function partsOf(word: string): string[] {
  if (word.length > MAX_WORD) return [word];
  const parts = word
    .replace(/(\p{Ll})(?=\p{Lu})|(\p{Lu})(?=\p{Lu}\p{Ll})|(\p{L})(?=\p{N})|(\p{N})(?=\p{L})/gu, '$& ')
    .split(' ');
  return parts.length > MAX_PARTS ? [word] : parts;
}

/** A word with a change inside it: from small to capital letters, or between letters and digits. */
const identifier =
  /(?<![\p{L}\p{N}])[\p{L}\p{N}]{0,62}?(?:\p{Ll}\p{Lu}|\p{Lu}\p{Lu}\p{Ll}|\p{L}\p{N}|\p{N}\p{L})[\p{L}\p{N}]*/gu;

/** The parts of all identifiers in a text, once each, to be indexed beside it. */
function identifierParts(text: string): string {
  const found = new Set<string>();
  for (const [word] of text.matchAll(identifier)) {
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
