/** Reads the body of an answer under a cap: into memory, or into a file where it is large. */
import { type FileHandle, open, rm } from 'node:fs/promises';
import { promisify } from 'node:util';
import zlib from 'node:zlib';
import { TooLarge } from '../too-large.js';

export type Body = AsyncIterable<Uint8Array>;
export type OnBytes = (bytes: number) => void;

/** A body in an encoding that cannot be undone. */
export class UnknownEncoding extends Error {}

/** A large number of nested encodings is an attack, never a server's way. */
const maxEncodings = 2;

/** The body, decoded. What it declares of its own size is never believed. */
export async function readBytes(body: Body, encoding: string | undefined, maxBytes: number, onBytes: OnBytes) {
  const encodings = encodingsOf(encoding);
  const chunks: Uint8Array[] = [];
  for await (const chunk of capped(body, maxBytes, onBytes)) chunks.push(chunk);
  let bytes: Uint8Array = Buffer.concat(chunks);
  for (const name of encodings.toReversed()) bytes = await decode(name, bytes, maxBytes);
  return bytes;
}

async function* capped(body: Body, maxBytes: number, onBytes: OnBytes): AsyncGenerator<Uint8Array> {
  let total = 0;
  for await (const chunk of body) {
    onBytes(chunk.byteLength);
    total += chunk.byteLength;
    if (total > maxBytes) throw new TooLarge(maxBytes);
    yield chunk;
  }
}

type Decoder = (bytes: Uint8Array, options: { maxOutputLength: number }) => Promise<Uint8Array>;

const decoders: Readonly<Record<string, Decoder>> = {
  gzip: promisify<Uint8Array, zlib.ZlibOptions, Buffer>(zlib.gunzip),
  'x-gzip': promisify<Uint8Array, zlib.ZlibOptions, Buffer>(zlib.gunzip),
  br: promisify<Uint8Array, zlib.BrotliOptions, Buffer>(zlib.brotliDecompress),
  deflate: inflate,
};

const inflateZlib = promisify<Uint8Array, zlib.ZlibOptions, Buffer>(zlib.inflate);
const inflateRaw = promisify<Uint8Array, zlib.ZlibOptions, Buffer>(zlib.inflateRaw);

/** The standard means a zlib stream; some servers send a bare one. */
function inflate(bytes: Uint8Array, options: { maxOutputLength: number }): Promise<Uint8Array> {
  const hasHeader = ((bytes[0] ?? 0) & 0x0f) === 8 && (((bytes[0] ?? 0) << 8) | (bytes[1] ?? 0)) % 31 === 0;
  return hasHeader ? inflateZlib(bytes, options) : inflateRaw(bytes, options);
}

function encodingsOf(header: string | undefined): string[] {
  const names = (header ?? '')
    .toLowerCase()
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '' && name !== 'identity');
  if (names.length > maxEncodings || names.some((name) => !Object.hasOwn(decoders, name))) throw new UnknownEncoding();
  return names;
}

async function decode(name: string, bytes: Uint8Array, maxBytes: number): Promise<Uint8Array> {
  if (bytes.byteLength === 0) return bytes;
  try {
    return (await decoders[name]?.(bytes, { maxOutputLength: maxBytes })) ?? bytes;
  } catch (thrown) {
    if (thrown instanceof RangeError) throw new TooLarge(maxBytes);
    throw thrown;
  }
}

export type Stored = { content: Uint8Array | { file: string } };
export type StoreOptions = {
  maxBytes: number;
  /** Larger bodies go to a file. */
  memoryBytes: number;
  newFile: () => Promise<string>;
  onBytes: OnBytes;
};

/** Keeps a body as it came. Leaves no file behind when it fails. */
export async function storeBytes(
  body: Body,
  { maxBytes, memoryBytes, newFile, onBytes }: StoreOptions,
): Promise<Stored> {
  const chunks: Uint8Array[] = [];
  let held = 0;
  let spilled: Spill | undefined;
  try {
    for await (const chunk of capped(body, maxBytes, onBytes)) {
      chunks.push(chunk);
      held += chunk.byteLength;
      if (held <= memoryBytes && spilled === undefined) continue;
      spilled ??= await openSpill(await newFile());
      await spilled.write(Buffer.concat(chunks.splice(0)));
    }
    await spilled?.end();
  } catch (thrown) {
    await spilled?.discard();
    throw thrown;
  }
  return { content: spilled === undefined ? Buffer.concat(chunks) : { file: spilled.file } };
}

type Spill = { file: string; write(bytes: Uint8Array): Promise<void>; end(): Promise<void>; discard(): Promise<void> };

async function openSpill(file: string): Promise<Spill> {
  const handle: FileHandle = await open(file, 'w', 0o600);
  return {
    file,
    write: (bytes) => handle.writeFile(bytes),
    end: () => handle.close(),
    async discard() {
      await handle.close();
      await rm(file, { force: true });
    },
  };
}
