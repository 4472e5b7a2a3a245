/** The source of a collection: one row for each kind. */
import type { HttpClient } from './http/fetch.js';
import type { Source, SourceLimits, SourceSpec } from './source.js';
import { globSource } from './sources/glob.js';
import { httpBundleSource } from './sources/http-bundle.js';
import { fetchFile, httpManifestSource } from './sources/http-manifest.js';
import { localBundleSource } from './sources/local-bundle.js';
import { localManifestSource } from './sources/local-manifest.js';
import { kindOfUrl } from './url.js';

export type SourceParts = { limits: SourceLimits; http: HttpClient };

export function openSource(spec: SourceSpec, { limits, http }: SourceParts): Source {
  if (spec.type === 'file') return globSource(spec, limits);
  const isLocal = spec.url.startsWith('file:');
  if (kindOfUrl(spec.url) === 'bundle') {
    return isLocal ? localBundleSource(spec.url, limits) : httpBundleSource(spec.url, http, limits);
  }
  if (!isLocal) return httpManifestSource(spec.url, http, limits);
  return localManifestSource(spec.url, limits, (url, signal) => fetchFile(url, http, limits, signal));
}
