/**
 * Patterns for text of every script. V8 takes about a millisecond to compile one that knows all letters, and a search
 * needs a dozen. Text with no letters and digits but those of ASCII, as most of it is, gets a twin that knows no others.
 */

/** What is neither ASCII nor a sign of common punctuation: a letter, a digit or a mark of another script, perhaps. */
export const OTHER_LETTERS =
  /[^\0-\x7f\xa0\xa1\xa4-\xa9\xab-\xb1\xb4\xb6-\xb8\xbb\xbf\xd7\xf7\u2010-\u205e\u2190-\u23ff\u2500-\u2775]/;

const asciiClasses: Readonly<Record<string, string>> = { L: 'A-Za-z', Ll: 'a-z', Lu: 'A-Z', N: '0-9', M: '' };

/** The pattern for a text. In `source`, classes such as `\p{L}` stand in brackets. */
export function patternFor(source: string, flags = ''): (text: string) => RegExp {
  let whole: RegExp | undefined;
  let plain: RegExp | undefined;
  return (text) => {
    if (OTHER_LETTERS.test(text)) {
      whole ??= new RegExp(source, `${flags}u`);
      return whole;
    }
    plain ??= new RegExp(inAscii(source), flags);
    return plain;
  };
}

/** Scripts other than Latin have no letters in ASCII: a class of them is left empty, and matches nothing. */
function inAscii(source: string): string {
  return source.replace(/\\p\{([^}]+)\}/gi, (whole, name: string) => {
    const letters = name.startsWith('Script=') ? '' : asciiClasses[name];
    if (letters === undefined || whole.startsWith('\\P')) throw new Error(`No letters of ASCII are known for ${whole}`);
    return letters;
  });
}
