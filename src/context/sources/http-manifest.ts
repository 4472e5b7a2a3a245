/** A manifest behind http or https, and the files that it lists. */
import { createHash } from 'node:crypto';
import { Failure, plainFailure } from '../../errors.js';
import { type ResolvedEntry, resolveEntries } from '../entries.js';
import type { Fetched, HttpClient, NotModified } from '../http/fetch.js';
import { withCredentialsOf, withoutCredentials } from '../http/url.js';
import { parseManifest } from '../manifest.js';
import type { OpenOptions, Source, SourceDocument, SourceLimits, SourceListing } from '../source.js';
import { shownUrl } from '../url.js';

type Got = Fetched<{ bytes: Uint8Array }>;

export function httpManifestSource(url: string, client: HttpClient, limits: SourceLimits): Source {
  return {
    async open(options) {
      const { previous } = options;
      options.onStep('Fetching manifest');
      const got = await fetchManifest(url, client, limits, options);
      if (got.status === 304) return { changed: false, state: previous ?? unasked() };
      const { etag, lastModified, bytes } = got;
      const manifestHash = createHash('sha256').update(bytes).digest('hex');
      const state = { manifestHash, bundleHash: null, etag, lastModified };
      if (previous?.manifestHash === manifestHash) return { changed: false, state };
      return { changed: true, state, ...listing(url, got, client, limits) };
    },
    close: async () => {},
  };
}

/** The content of one file that a manifest names. `localHost` is of the answer that brought the manifest. */
export async function fetchFile(
  url: string,
  client: HttpClient,
  limits: Pick<SourceLimits, 'maxFileBytes'>,
  signal: AbortSignal,
  localHost?: string,
): Promise<Uint8Array> {
  const got = await client.get(url, { maxBytes: limits.maxFileBytes, signal, trusted: false, localHost });
  return got.status === 304 ? unasked() : got.bytes;
}

/** The client takes a 304 only as the answer to a condition. */
function unasked(): never {
  throw plainFailure('internal', 'Not modified, though nothing is known of what was');
}

/** A package that is not at its URL: the answer, with what to do about it. */
export async function fetchPackage<Content>(
  fetched: Promise<Fetched<Content> | NotModified>,
): Promise<Fetched<Content> | NotModified> {
  try {
    return await fetched;
  } catch (thrown) {
    if (!(thrown instanceof Failure) || thrown.type !== 'not_found') throw thrown;
    throw thrown.advise(
      'Check the URL of the collection in the project file: the package may have moved or been withdrawn.',
    );
  }
}

function fetchManifest(url: string, client: HttpClient, limits: SourceLimits, { previous, signal }: OpenOptions) {
  const { etag, lastModified } = previous ?? {};
  const maxBytes = limits.maxManifestBytes;
  return fetchPackage(client.get(url, { maxBytes, etag, lastModified, signal, trusted: true }));
}

type Listed = Omit<Extract<SourceListing, { changed: true }>, 'changed' | 'state'>;

function listing(url: string, { bytes, localHost }: Got, client: HttpClient, limits: SourceLimits): Listed {
  const manifest = parseManifest(bytes, shownUrl(url), limits);
  // What a manifest resolves to is stored and shown: the credentials stay behind.
  const declared = resolveEntries(manifest, withoutCredentials(url));
  const entries = 'entries' in declared ? declared.entries : [];
  const document = ({ path, hash, url: place }: ResolvedEntry): SourceDocument => ({
    path,
    read: (signal) => fetchFile(withCredentialsOf(url, place), client, limits, signal, localHost),
    ...(hash === undefined ? {} : { declaredHash: hash }),
  });
  const { name, version, description } = manifest;
  const about = description === undefined ? { name, version } : { name, version, description };
  return { ...about, documents: entries.map(document), warnings: declared.warnings };
}
