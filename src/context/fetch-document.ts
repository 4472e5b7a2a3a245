/** One document of a source, made ready for the store: read, checked against its hash, decoded and cut into chunks. */
import { createHash } from 'node:crypto';
import { asFailure } from '../errors.js';
import { type Chunk, chunkDocument } from '../search/chunk.js';
import { storedText } from '../search/stored-text.js';
import { decodeText } from './decode.js';
import type { NewDocument } from './document-store.js';
import type { Stored } from './plan.js';
import type { FileStat, SourceDocument } from './source.js';
import { TooLarge } from './too-large.js';

export type Fetched =
  /** `warning` says what a person should know of a document that is indexed all the same. */
  | { kind: 'changed'; document: NewDocument; chunks: readonly Chunk[]; warning?: string }
  /** The stored document has this very content. */
  | { kind: 'same'; path: string; hash: string; stat: FileStat | undefined }
  /** It could not be had, or is not what was promised. Another try may work. */
  | { kind: 'failed'; problem: string }
  /** It is not text, or too large. Another try gives the same. */
  | { kind: 'refused'; problem: string };

export type FetchOptions = {
  stored: Stored | undefined;
  /** Also make content ready that is stored already. */
  force: boolean;
  signal: AbortSignal;
  now: () => number;
  maxBytes: number;
};

const WRONG_HASH = 'the content does not have the hash that the manifest declares';

export async function fetchDocument(source: SourceDocument, options: FetchOptions): Promise<Fetched> {
  const { path, declaredHash } = source;
  const stat = source.stat && certain(source.stat, options.now());
  const bytes = await readBytes(source, options.signal);
  if ('problem' in bytes) return bytes;
  const hash = createHash('sha256').update(bytes.content).digest('hex');
  if (declaredHash !== undefined && declaredHash !== hash) return { kind: 'failed', problem: WRONG_HASH };
  if (!options.force && options.stored?.hash === hash) return { kind: 'same', path, hash, stat };
  const decoded = decodeText(bytes.content, options);
  if ('problem' in decoded) return { kind: 'refused', problem: decoded.problem };
  const { note } = decoded;
  const content = await storedText(path, decoded.text);
  const { chunks, ...about } = chunkDocument(path, content);
  const document = { path, hash, ...about, content, bytes: bytes.content.length, stat };
  return { kind: 'changed', document, chunks, ...(note && { warning: note }) };
}

async function readBytes(
  source: SourceDocument,
  signal: AbortSignal,
): Promise<{ content: Uint8Array } | (Fetched & { problem: string })> {
  try {
    return { content: await source.read(signal) };
  } catch (thrown) {
    signal.throwIfAborted();
    const { message: problem, cause } = asFailure(thrown);
    return { kind: cause instanceof TooLarge ? 'refused' : 'failed', problem };
  }
}

const RACY_MS = 2000;

/**
 * A file that was written just before it was read may be written once more within the same tick of the file
 * system's clock, and would look the same. Its stat is not kept, so that the next sync reads the file again.
 */
function certain(stat: FileStat, readAt: number): FileStat | undefined {
  return Math.max(stat.mtimeMs, stat.ctimeMs) < readAt - RACY_MS ? stat : undefined;
}
