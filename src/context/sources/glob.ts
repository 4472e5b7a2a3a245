/** A folder of the local disk, and the files in it that match a glob. */
import { noState, type OpenOptions, type Source, type SourceDocument, type SourceLimits } from '../source.js';
import { readInside } from './local-file.js';
import { type Walk, type WalkedFile, walk } from './walk.js';

export function globSource(spec: { path: string; glob: string }, limits: SourceLimits): Source {
  return {
    async open({ signal, onStep }: OpenOptions) {
      onStep('Listing files');
      const found = await walk(spec.path, [spec.glob], { maxFiles: limits.maxDocuments, signal });
      return { changed: true, state: noState, documents: walkedDocuments(found, limits), warnings: plain(found) };
    },
    async close() {},
  };
}

/** The files that a walk found, as documents. */
export function walkedDocuments({ root, files }: Walk, limits: SourceLimits): SourceDocument[] {
  return files.map((file) => walkedDocument(root, file, limits));
}

function walkedDocument(root: string, { path, stat }: WalkedFile, limits: SourceLimits): SourceDocument {
  const read = async (signal: AbortSignal) => {
    signal.throwIfAborted();
    return readInside(root, path, limits.maxFileBytes);
  };
  return stat === undefined ? { path, read } : { path, stat, read };
}

export const plain = ({ warnings }: Walk) => warnings.map(({ path, message }) => ({ path, message }));
