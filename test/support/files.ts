/** Real files for tests, and sources opened on them. */
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import type { OpenOptions, Source, SourceDocument, SourceListing } from '../../src/context/source.js';
import { scratchFolder } from './scratch.js';

/** A scratch folder with these files, by relative path. */
export function folderWith(files: Record<string, string | Uint8Array> = {}): string {
  const folder = scratchFolder();
  addFiles(folder, files);
  return folder;
}

export function addFiles(folder: string, files: Record<string, string | Uint8Array>): void {
  for (const [name, content] of Object.entries(files)) {
    const file = path.join(folder, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, content);
  }
}

export const never = new AbortController().signal;

type Listed = Extract<SourceListing, { changed: true }>;

/** Opens a source, which is closed when the test ends, and answers its listing. */
export async function openSource(source: Source, options: Partial<OpenOptions> = {}): Promise<SourceListing> {
  onTestFinished(() => source.close());
  return source.open({ previous: undefined, signal: never, onStep: () => {}, ...options });
}

export async function listSource(source: Source, options: Partial<OpenOptions> = {}): Promise<Listed> {
  const listing = await openSource(source, options);
  if (!listing.changed) throw new Error('The source says that it has not changed.');
  return listing;
}

export const pathsOf = ({ documents }: { documents: { path: string }[] }) => documents.map(({ path: name }) => name);

export function documentAt(listing: Listed, name: string): SourceDocument {
  const found = listing.documents.find((document) => document.path === name);
  if (found === undefined) throw new Error(`No document ${name}`);
  return found;
}

export async function textAt(listing: Listed, name: string): Promise<string> {
  return Buffer.from(await documentAt(listing, name).read(never)).toString();
}
