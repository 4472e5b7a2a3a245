/** Reads a .tar.gz as a stream, in fixed memory, and lets only plain files and folders through. */
import { createHash, type Hash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { pipeline, Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { Failure, invalidArgument } from '../../errors.js';
import { shown } from '../../project/shown.js';
import type { SourceLimits } from '../source.js';
import { errorCode, readFailure } from './local-file.js';
import { leavesFolder, nameProblem } from './names.js';

export type ArchiveInput = Uint8Array | { file: string };

export type ArchiveEntry = { path: string; isFolder: boolean; body: AsyncIterable<Uint8Array> };

export type ArchiveOptions = {
  limits: SourceLimits;
  /** The archive's name in messages. */
  where: string;
  signal: AbortSignal;
  /** Must read the body to its end. */
  onEntry: (entry: ArchiveEntry) => Promise<void>;
};

type Header = { name: string; type?: string; pax?: Record<string, string> };

const PIECE = 64 * 1024;
const REBUILD = 'Build the bundle again, for example with: ai-assist collections pack';

/** Gives every entry to `onEntry`, in order, and answers the hex sha256 of the archive's bytes. */
export async function readArchive(input: ArchiveInput, options: ArchiveOptions): Promise<string> {
  const { createTarDecoder } = await import('modern-tar');
  const decoder = createTarDecoder({ strict: true });
  const hash = createHash('sha256');
  const feeding = feed(input, hash, decoder.writable.getWriter(), options);
  // What fails there fails the reading below, with the same error.
  feeding.catch(() => {});
  try {
    let count = 0;
    for await (const { header, body } of decoder.readable) {
      if (++count > options.limits.maxDocuments) throw tooManyEntries(options);
      const path = checkedName(header, options.where);
      await options.onEntry({ path, isFolder: header.type === 'directory', body });
    }
    await feeding;
    return hash.digest('hex');
  } catch (error) {
    throw archiveFailure(error, input, options);
  }
}

/** The hex sha256 of an archive, without unpacking it. */
export async function archiveHash(input: ArchiveInput, signal: AbortSignal): Promise<string> {
  const hash = createHash('sha256');
  try {
    for await (const _ of pieces(input, hash)) signal.throwIfAborted();
  } catch (error) {
    throw input instanceof Uint8Array ? error : readFailure(input.file, error);
  }
  return hash.digest('hex');
}

type Writer = {
  write(chunk: Uint8Array): Promise<void>;
  close(): Promise<void>;
  abort(reason: unknown): Promise<void>;
};

/** Unpacks as fast as the entries are read, and no further than allowed. */
async function feed(input: ArchiveInput, hash: Hash, writer: Writer, options: ArchiveOptions): Promise<void> {
  try {
    let unpacked = 0;
    const gunzip = pipeline(Readable.from(pieces(input, hash)), createGunzip({ chunkSize: PIECE }), () => {});
    for await (const chunk of gunzip as AsyncIterable<Buffer>) {
      options.signal.throwIfAborted();
      unpacked += chunk.length;
      if (unpacked > options.limits.maxUnpackedBytes) throw tooMuch(options);
      await writer.write(chunk);
    }
    await writer.close();
  } catch (error) {
    await writer.abort(error).catch(() => {});
    throw error;
  }
}

async function* pieces(input: ArchiveInput, hash: Hash): AsyncGenerator<Uint8Array> {
  if (!(input instanceof Uint8Array)) {
    for await (const piece of createReadStream(input.file, { highWaterMark: PIECE })) {
      hash.update(piece);
      yield piece;
    }
    return;
  }
  for (let start = 0; start < input.length; start += PIECE) {
    const piece = input.subarray(start, start + PIECE);
    hash.update(piece);
    yield piece;
  }
}

/** The entry's path without `./` before it and a slash after it; empty for the archive's own root. */
function checkedName(header: Header, where: string): string {
  const { name } = header;
  const problem = entryProblem(header);
  if (problem !== undefined) throw refused(name, problem, where);
  return name
    .split('/')
    .filter((part) => part !== '' && part !== '.')
    .join('/');
}

function entryProblem({ name, type, pax }: Header): string | undefined {
  if (type !== 'file' && type !== 'directory') return `it is a ${type}, and only files and folders are allowed`;
  if (Object.keys(pax ?? {}).some((key) => key.startsWith('GNU.sparse'))) return 'it is a sparse file';
  if (leavesFolder(name)) return 'it leads out of the bundle';
  return nameProblem(name);
}

const refused = (name: string, problem: string, where: string): Failure =>
  invalidArgument`The bundle '${where}' is refused because of '${shown(name)}': ${problem}`.advise(REBUILD);

const tooMuch = ({ limits, where }: ArchiveOptions): Failure =>
  invalidArgument`The bundle '${where}' unpacks to more than the ${limits.maxUnpackedBytes} bytes allowed`.advise(
    'Divide the package into smaller ones.',
  );

const tooManyEntries = ({ limits, where }: ArchiveOptions): Failure =>
  invalidArgument`The bundle '${where}' has more than the ${limits.maxDocuments} entries allowed`.advise(
    'Divide the package into smaller ones.',
  );

/** Every error that a bad archive can cause, in plain words; others stay as they are. */
function archiveFailure(error: unknown, input: ArchiveInput, { where, signal }: ArchiveOptions): unknown {
  if (error instanceof Failure || signal.aborted || !(error instanceof Error)) return error;
  const code = errorCode(error);
  if (code !== undefined && !code.startsWith('Z_')) {
    return input instanceof Uint8Array ? error : readFailure(input.file, error);
  }
  return invalidArgument`The bundle '${where}' cannot be unpacked: ${damage(code, error.message)}`.advise(REBUILD);
}

function damage(code: string | undefined, message: string): string {
  if (code === 'Z_BUF_ERROR' || message.includes('truncated')) return 'it ends too early';
  if (message === 'incorrect header check') return 'it is not gzip data';
  return code === undefined ? 'it is not a valid tar archive' : 'its compressed data is damaged';
}
