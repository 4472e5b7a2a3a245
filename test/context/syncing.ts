/** Sources, and the sync over them, for the tests of syncs. */
import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { readState } from '../../src/context/collection-store.js';
import { findDocument } from '../../src/context/document-store.js';
import type { OpenOptions, Source, SourceDocument, SourceListing } from '../../src/context/source.js';
import { noState } from '../../src/context/source.js';
import { syncCollection } from '../../src/context/sync.js';
import type { SyncOptions } from '../../src/context/sync-run.js';
import type { Database } from '../../src/storage/sql.js';
import { scratchFolder } from '../support/scratch.js';

const id = 'file:1';
const spec = { type: 'file', path: '/docs', glob: '**/*' } as const;
/** Long after the files of a test were written, so that their stats are certain. */
const later = () => Date.now() + 60_000;

type Files = Record<string, string | Uint8Array>;

export function write(folder: string, files: Files): void {
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    writeFileSync(path.join(folder, name), content);
  }
}

export function folderOf(files: Files): string {
  const folder = scratchFolder();
  write(folder, files);
  return folder;
}

export const sync = (database: Database, source: Source, more: Partial<SyncOptions> = {}) =>
  syncCollection({ database, id, spec, source, now: later, ...more });

/** The source with a note of every document that it reads. */
export function watched(source: Source): { source: Source; reads: string[] } {
  const reads: string[] = [];
  const noting = (document: SourceDocument): SourceDocument => ({
    ...document,
    read: (signal) => {
      reads.push(document.path);
      return document.read(signal);
    },
  });
  const open = async (options: OpenOptions): Promise<SourceListing> => {
    const listing = await source.open(options);
    return listing.changed ? { ...listing, documents: listing.documents.map(noting) } : listing;
  };
  return { source: { open, close: () => source.close() }, reads };
}

type Remote = { content: string | Error; declaredHash?: string };

/** A source without stats, as over a network. It knows itself again by its etag. */
export function remoteSource(
  documents: Record<string, Remote>,
  { etag = '1', name = 'Docs', version = '1.0.0' } = {},
): Source {
  const toDocument = ([name, { content, ...rest }]: [string, Remote]): SourceDocument => ({
    ...{ path: name, ...rest },
    read: async () => {
      if (content instanceof Error) throw content;
      return Buffer.from(content);
    },
  });
  return {
    open: async ({ previous, onStep }) => {
      onStep('Fetching manifest');
      const state = { ...noState, etag };
      if (previous?.etag === etag) return { changed: false, state };
      const listed = Object.entries(documents).map(toDocument);
      return { changed: true, state, name, version, documents: listed, warnings: [] };
    },
    close: async () => {},
  };
}

export const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
export const recordOf = (database: Database) => database.read((sql) => readState(sql, id));
export const textOf = async (database: Database, name: string) =>
  (await database.read((sql) => findDocument(sql, id, name)))?.content;
