/** A bundle behind http or https: downloaded, unpacked and listed, then forgotten. */
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { HttpClient } from '../http/fetch.js';
import { noState, type OpenOptions, type Source, type SourceLimits } from '../source.js';
import { shownUrl } from '../url.js';
import { type BundleBytes, bundleSource } from './bundle.js';
import { fetchPackage } from './http-manifest.js';

/** Larger downloads wait in a temporary file. */
const memoryBytes = 32 * 1024 * 1024;

export function httpBundleSource(url: string, client: HttpClient, limits: SourceLimits): Source {
  const temporary = temporaryFile();
  const getBytes = (options: OpenOptions) => fetchBundle(url, client, limits, temporary.name, options);
  const inner = bundleSource(getBytes, limits, shownUrl(url));
  return {
    open: (options) => inner.open(options),
    async close() {
      try {
        await inner.close();
      } finally {
        await temporary.remove();
      }
    },
  };
}

async function fetchBundle(
  url: string,
  client: HttpClient,
  { maxBundleBytes }: SourceLimits,
  newFile: () => Promise<string>,
  { previous, signal, onStep }: OpenOptions,
): Promise<BundleBytes> {
  onStep('Downloading bundle');
  const { etag, lastModified } = previous ?? {};
  const options = { maxBytes: maxBundleBytes, memoryBytes, newFile, etag, lastModified, signal, trusted: true };
  const got = await fetchPackage(client.download(url, options));
  if (got.status === 304) return { changed: false, state: previous ?? noState };
  const state = { ...noState, etag: got.etag, lastModified: got.lastModified };
  return { changed: true, bytes: got.content, state };
}

/** A file in a folder of its own, which is made only when the file is needed. */
function temporaryFile() {
  let folder: string | undefined;
  return {
    async name(): Promise<string> {
      folder ??= await mkdtemp(path.join(os.tmpdir(), 'ai-assist-download-'));
      return path.join(folder, 'bundle.tar.gz');
    },
    async remove(): Promise<void> {
      if (folder !== undefined) await rm(folder, { recursive: true, force: true });
      folder = undefined;
    },
  };
}
