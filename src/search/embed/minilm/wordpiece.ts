/** Text as the numbers of word pieces that the model knows: BERT's tokenizer for lower-case text. */
import { readFileSync } from 'node:fs';

export type Tokenizer = {
  /** At most `limit` numbers, with those that mark the beginning and the end. */
  encode(text: string, limit: number): number[];
};

/** What is beyond cannot reach the limit of tokens, unless the text is mostly blank. */
const MAX_CHARACTERS = 65_536;
/** A longer word counts as unknown. */
const MAX_WORD = 100;
const MAX_KNOWN_WORDS = 50_000;

const ideographs = '\u4E00-\u9FFF\u3400-\u4DBF\uF900-\uFAFF\u{20000}-\u{2A6DF}\u{2A700}-\u{2CEAF}\u{2F800}-\u{2FA1F}';
const alone = `\\p{P}$+<=>^\`|~${ideographs}`;
/** A word is a run of anything; punctuation and ideographs are words of one character. */
const words = new RegExp(`[^\\s${alone}]+|[${alone}]`, 'gu');
const asciiWords = /[a-z0-9]+|[!-/:-@[-`{-~]/g;
const plainAscii = /^[\t\n\r\x20-\x7e]*$/;
const invisible = /(?![\t\n\r])[\p{Cc}\p{Cf}\p{Co}\p{Cs}\uFFFD]/gu;
const marker = /(\[(?:PAD|UNK|CLS|SEP|MASK)\])/;

export function loadTokenizer(file: string): Tokenizer {
  const { model } = JSON.parse(readFileSync(file, 'utf8')) as { model: { vocab: Vocabulary } };
  // As it is, not as a map: to fill one takes longer than to read the file. Words such as constructor must not find more.
  return tokenizer(Object.setPrototypeOf(model.vocab, null) as Vocabulary);
}

type Vocabulary = Readonly<Record<string, number | undefined>>;

function tokenizer(vocabulary: Vocabulary): Tokenizer {
  const numberOf = (piece: string) => vocabulary[piece] as number;
  const [unknown, begin, end] = [numberOf('[UNK]'), numberOf('[CLS]'), numberOf('[SEP]')];
  const known = new Map<string, readonly number[]>();

  const piecesOf = (word: string): readonly number[] => {
    const before = known.get(word);
    if (before) return before;
    const pieces = split(word, vocabulary) ?? [unknown];
    if (known.size >= MAX_KNOWN_WORDS) known.clear();
    known.set(word, pieces);
    return pieces;
  };

  return {
    encode(text, limit) {
      const ids = [begin];
      for (const part of text.slice(0, MAX_CHARACTERS).split(marker)) {
        if (marker.test(part)) ids.push(numberOf(part));
        else for (const word of wordsOf(part, limit - ids.length)) ids.push(...piecesOf(word));
        if (ids.length >= limit) break;
      }
      ids.length = Math.min(ids.length, limit - 1);
      ids.push(end);
      return ids;
    },
  };
}

/** The first words of a text, in lower case and without accents. */
function wordsOf(text: string, limit: number): string[] {
  const [normal, pattern] = plainAscii.test(text) ? [text.toLowerCase(), asciiWords] : [normalised(text), words];
  const found: string[] = [];
  for (const [word] of normal.matchAll(pattern)) {
    if (found.length >= limit) break;
    found.push(word);
  }
  return found;
}

/** Small letters without regard to their neighbours: a sigma at the end of a word is like any other. */
const normalised = (text: string): string =>
  text
    .replace(invisible, '')
    .normalize('NFD')
    .replace(/\p{Mn}/gu, '')
    .replaceAll('Σ', 'σ')
    .toLowerCase();

/** The longest piece that a word begins with, then the longest of the rest, and so on; undefined where there is none. */
function split(word: string, vocabulary: Vocabulary): number[] | undefined {
  if (word.length > MAX_WORD && [...word].length > MAX_WORD) return undefined;
  const pieces: number[] = [];
  for (let start = 0; start < word.length; ) {
    let end = word.length;
    let piece: number | undefined;
    for (; piece === undefined && end > start; end--) {
      piece = vocabulary[(start > 0 ? '##' : '') + word.slice(start, end)];
    }
    if (piece === undefined) return undefined;
    pieces.push(piece);
    start = end + 1;
  }
  return pieces;
}
