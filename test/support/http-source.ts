/** Opens remote sources in tests and reads what they list. */
import { createHash } from 'node:crypto';
import { expect } from 'vitest';
import type { Source, SourceListing, SourceState } from '../../src/context/source.js';
import type { Failure } from '../../src/errors.js';

const { signal } = new AbortController();

export const openSource = (source: Source, previous?: SourceState) =>
  source.open({ previous, signal, onStep: () => {} });

export async function openChanged(source: Source, previous?: SourceState) {
  const listing = await openSource(source, previous);
  return listing.changed ? listing : expect.fail('It should have changed');
}

export const openFailing = (source: Source) =>
  openSource(source).then(
    () => expect.fail('It should have failed'),
    (thrown: Failure) => thrown,
  );

/** Each document's path with its content, or with the message of its failure. */
export async function contents(listing: Extract<SourceListing, { changed: true }>) {
  const read = async ({ path, read }: (typeof listing.documents)[number]) => {
    const text = await read(signal).then(
      (bytes) => Buffer.from(bytes).toString(),
      (thrown: Failure) => `${thrown.type}: ${thrown.message}`,
    );
    return [path, text] as const;
  };
  return Object.fromEntries(await Promise.all(listing.documents.map(read)));
}

export const manifestText = (files: unknown[], more: object = {}) =>
  JSON.stringify({ name: 'docs', version: '1.2.0', sources: { files }, ...more });

/** In hex. */
export const sha256 = (text: string | Uint8Array) => createHash('sha256').update(text).digest('hex');
