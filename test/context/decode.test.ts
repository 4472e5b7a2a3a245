/** Bytes of files as text. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodeText } from '../../src/context/decode.js';

const decode = (bytes: Uint8Array | string | number[], maxBytes = 1000) =>
  decodeText(typeof bytes === 'string' ? Buffer.from(bytes) : Uint8Array.from(bytes), { maxBytes });

test('C410 UTF-8 is read as it is, without a mark at its beginning, and with its line ends', () => {
  expect(decode('a\r\nb\rc\n\u00e9 \u6587 \u{1f600}')).toEqual({ text: 'a\r\nb\rc\n\u00e9 \u6587 \u{1f600}' });
  expect(decode('\ufeff# Title')).toEqual({ text: '# Title' });
  expect(decode('')).toEqual({ text: '' });
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      fc.pre(!/^\ufeff|\p{Cc}/u.test(text));
      expect(decode(text, 10_000)).toEqual({ text });
    }),
  );
});

test('C411 UTF-16 is read by its mark, in both orders', () => {
  const little = Buffer.from('\ufeffZ\u00fcrich \u{1f600}\r\n', 'utf16le');
  expect(decode([...little])).toEqual({ text: 'Z\u00fcrich \u{1f600}\r\n' });
  expect(decode([...Buffer.from(little).swap16()])).toEqual({ text: 'Z\u00fcrich \u{1f600}\r\n' });
});

test('C411 half a character of UTF-16 gives text that is well-formed', () => {
  for (const bytes of [
    [0xff, 0xfe, 0x41, 0, 0x42],
    [0xfe, 0xff, 0, 0x41, 0xd8],
    [0xff, 0xfe, 0x41, 0, 0, 0xd8],
  ]) {
    const decoded = decode(bytes);
    expect('text' in decoded && decoded.text.startsWith('A') && decoded.text.isWellFormed()).toBe(true);
  }
});

test('C412 what is not UTF-8 but looks like Western text is read as windows-1252, and said', () => {
  const note = 'the file is not valid UTF-8; it was read as windows-1252';
  const bytes = [...Buffer.from('Gr\xfc\xdfe f\xfcr 5 \x80 \x96 na\xefve', 'latin1')];
  expect(decode(bytes)).toEqual({ text: 'Gr\u00fc\u00dfe f\u00fcr 5 \u20ac \u2013 na\u00efve', note });
  expect(decode([0xfc])).toEqual({ text: '\u00fc', note });
  const all = [0x80, 0x82, 0x83, 0x84, 0x85, 0x86, 0x87, 0x88, 0x89, 0x8a, 0x8b, 0x8c, 0x8e, 0x91, 0x92, 0x93, 0x94];
  const more = [0x95, 0x96, 0x97, 0x98, 0x99, 0x9a, 0x9b, 0x9c, 0x9e, 0x9f];
  const text = `\u20ac\u201a\u0192\u201e\u2026\u2020\u2021\u02c6\u2030\u0160\u2039\u0152\u017d\u2018\u2019\u201c\u201d`;
  const rest = '\u2022\u2013\u2014\u02dc\u2122\u0161\u203a\u0153\u017e\u0178';
  const filler = 'a'.repeat(100);
  expect(decode([...Buffer.from(filler), ...all, ...more])).toEqual({ text: filler + text + rest, note });
});

test('C412 another encoding is refused rather than guessed', () => {
  const problem = 'the file is text in an encoding that is not known; save it as UTF-8';
  // "Пример текста" in windows-1251, and a byte that windows-1252 does not have.
  const cyrillic = [0xcf, 0xf0, 0xe8, 0xec, 0xe5, 0xf0, 0x20, 0xf2, 0xe5, 0xea, 0xf1, 0xf2, 0xe0];
  expect(decode(cyrillic)).toEqual({ problem });
  expect(decode([...Buffer.from('some text '), 0x81])).toEqual({ problem });
});

test('C413 binary files are refused', () => {
  const problem = 'the file is binary, not text';
  expect(decode('text with a \0 in it')).toEqual({ problem });
  expect(decode([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 0x0d])).toEqual({ problem });
  expect(decode('\x01\x02\x03\x04abc')).toEqual({ problem });
  expect(decode([0xff, 0xfe, 0x41, 0, 0, 0])).toEqual({ problem });
  expect(decode([0xff, 0xfe, 0, 0, 0x41, 0, 0, 0])).toEqual({ problem });
  expect(decode('\x1b[1mbold\x1b[0m\tand\fmore\n')).toHaveProperty('text');
});

test('C414 a file over the limit is refused before it is decoded', () => {
  expect(decode('12345', 4)).toEqual({ problem: 'the file has 5 bytes, more than the 4 allowed' });
  expect(decode('1234', 4)).toEqual({ text: '1234' });
});

test('C415 no bytes make decoding fail', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
      const decoded = decodeText(bytes, { maxBytes: 1000 });
      if ('text' in decoded) expect(decoded.text.isWellFormed() && !decoded.text.includes('\0')).toBe(true);
      else expect(decoded.problem).toMatch(/^the file /);
    }),
    { numRuns: 1000 },
  );
});
