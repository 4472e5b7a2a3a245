/** Bytes of a file as text. What is not text is refused, so that nothing unreadable reaches the index. */

export type Decoded =
  /** `note` says what a person should know of the encoding. */
  { readonly text: string; readonly note?: string } | { readonly problem: string };

const BINARY = 'the file is binary, not text';

export function decodeText(bytes: Uint8Array, { maxBytes }: { maxBytes: number }): Decoded {
  if (bytes.length > maxBytes) {
    return { problem: `the file has ${bytes.length} bytes, more than the ${maxBytes} allowed` };
  }
  const marked = utf16(bytes);
  const decoded = marked === undefined ? fromBytes(bytes) : { text: marked };
  if ('text' in decoded && !looksLikeText(decoded.text)) return { problem: BINARY };
  return decoded;
}

/** The text, if a mark at the beginning says UTF-16. */
function utf16(bytes: Uint8Array): string | undefined {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return decodeUtf16(bytes);
  if (first !== 0xfe || second !== 0xff) return undefined;
  // A copy of whole units: half a unit cannot be swapped, and would be noise anyway.
  return decodeUtf16(Buffer.from(bytes.subarray(0, bytes.length & ~1)).swap16());
}

const decodeUtf16 = (bytes: Uint8Array): string => new TextDecoder('utf-16le').decode(bytes);

function fromBytes(bytes: Uint8Array): Decoded {
  if (bytes.includes(0)) return { problem: BINARY };
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes) };
  } catch {
    return fromWestern(bytes);
  }
}

/** The characters of windows-1252 that differ from ISO 8859-1, for the bytes 0x80 to 0x9f. A space stands for none. */
const western = '€ ‚ƒ„…†‡ˆ‰Š‹Œ Ž  ‘’“”•–—˜™š›œ žŸ';
/** Western text is mostly ASCII. Other alphabets in an encoding of their own are mostly not. A few words prove nothing. */
const MAX_WESTERN_SHARE = 0.3;
const FEW = 8;

function fromWestern(bytes: Uint8Array): Decoded {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
    .toString('latin1')
    .replace(/[\x80-\x9f]/g, (high) => western[high.charCodeAt(0) - 0x80] as string);
  const high = bytes.reduce((count, byte) => count + (byte >= 0x80 ? 1 : 0), 0);
  const impossible = bytes.some((byte) => byte >= 0x80 && byte <= 0x9f && western[byte - 0x80] === ' ');
  if (impossible || high > Math.max(FEW, bytes.length * MAX_WESTERN_SHARE)) {
    return { problem: 'the file is text in an encoding that is not known; save it as UTF-8' };
  }
  return { text, note: 'the file is not valid UTF-8; it was read as windows-1252' };
}

/** Control characters that text may have: tab, line ends, form feed, and the escape of terminal colours. */
const MAX_CONTROL_SHARE = 0.05;

function looksLikeText(text: string): boolean {
  let controls = 0;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code === 0) return false;
    if (code < 0x20 && (code < 0x09 || code > 0x0d) && code !== 0x1b) controls++;
  }
  return controls <= text.length * MAX_CONTROL_SHARE;
}
