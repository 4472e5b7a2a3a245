/** A package on the local disk: a manifest, and the files around it. */
import { createHash } from 'node:crypto';
import { lstatSync, realpathSync, statSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { Failure, invalidArgument, notFound } from '../../errors.js';
import { shown } from '../../project/shown.js';
import { type ResolvedEntry, resolveEntries } from '../entries.js';
import { type Manifest, parseManifest } from '../manifest.js';
import {
  type FileStat,
  noState,
  type OpenOptions,
  type Source,
  type SourceDocument,
  type SourceLimits,
  type SourceListing,
  type SourceWarning,
} from '../source.js';
import { plain, walkedDocuments } from './glob.js';
import { fileStat, isInside, readFailure, readInside, readNamed } from './local-file.js';
import { walk } from './walk.js';

/** Gets an entry of a local manifest that stands elsewhere. */
export type FetchUrl = (url: string, signal: AbortSignal) => Promise<Uint8Array>;

export function localManifestSource(url: string, limits: SourceLimits, fetchUrl: FetchUrl): Source {
  const file = fileOf(url);
  return {
    async open({ signal, onStep }: OpenOptions): Promise<SourceListing> {
      onStep('Reading manifest');
      const { manifest, folder, bytes } = await readManifest(file, limits);
      const { name, version, description } = manifest;
      const state = { ...noState, manifestHash: sha256(bytes) };
      const about = description === undefined ? { name, version } : { name, version, description };
      onStep('Listing files');
      const declared = resolveEntries(manifest, url);
      if ('entries' in declared) {
        const listed = await listedFiles(declared.entries, { manifest, manifestUrl: url, folder });
        const documents = listed.files.map((entry) => listedDocument(entry, limits, fetchUrl));
        return { changed: true, state, ...about, documents, warnings: [...declared.warnings, ...listed.warnings] };
      }
      const except = new Set([path.basename(file)]);
      const found = await walk(folder, declared.globs, { maxFiles: limits.maxDocuments, signal, except });
      const warnings = [...declared.warnings, ...plain(found)];
      return { changed: true, state, ...about, documents: walkedDocuments(found, limits), warnings };
    },
    async close() {},
  };
}

/** The manifest, its bytes, and the canonical folder that it stands in. */
export async function readManifest(file: string, limits: SourceLimits) {
  const bytes = await readNamed(file, limits.maxManifestBytes).catch((error) => {
    if (!(error instanceof Failure) || error.type !== 'not_found') throw error;
    throw notFound`The manifest '${file}' does not exist`.advise(
      'Check the path, or create a manifest with: ai-assist collections manifest init',
    );
  });
  return { bytes, manifest: parseManifest(bytes, file, limits), folder: await realpath(path.dirname(file)) };
}

/** A file that a manifest lists: on the disk, in `root`, or at a URL. */
export type ListedFile = { path: string; hash?: string } & (
  | { root: string; file: string; stat?: FileStat }
  | { url: string }
);

export type ListedFiles = { files: ListedFile[]; warnings: SourceWarning[] };

/** Where a manifest stands: its own URL, and the canonical folder that it is in. */
export type ManifestPlace = { manifest: Manifest; manifestUrl: string; folder: string };

export async function listedFiles(entries: readonly ResolvedEntry[], place: ManifestPlace): Promise<ListedFiles> {
  const base = await baseFolder(place);
  const files: ListedFile[] = [];
  const warnings: SourceWarning[] = [];
  for (const entry of entries) {
    const listed = listEntry(entry, base, place.folder);
    if ('message' in listed) warnings.push(listed);
    else files.push(listed);
  }
  return { files, warnings };
}

function listEntry({ path: name, url, hash }: ResolvedEntry, base: string, folder: string): ListedFile | SourceWarning {
  const declared = hash === undefined ? {} : { hash };
  if (!url.startsWith('file:')) return { path: name, ...declared, url };
  const file = name === url ? inRealFolder(fileOf(url)) : path.join(base, name);
  const root = [base, folder].find((candidate) => isInside(candidate, file));
  if (root === undefined) return { path: shown(name), message: "the path leads out of the manifest's folder" };
  const stat = listedStat(file);
  return { path: name, ...declared, root, file: path.relative(root, file), ...(stat === undefined ? {} : { stat }) };
}

/** The file by the canonical path of its folder: the URL may come through links. */
function inRealFolder(file: string): string {
  try {
    return path.join(realpathSync(path.dirname(file)), path.basename(file));
  } catch {
    return file;
  }
}

/** Undefined where reading the file will say what is wrong. */
function listedStat(file: string): FileStat | undefined {
  try {
    const stats = lstatSync(file);
    return fileStat(stats.isSymbolicLink() ? statSync(file) : stats);
  } catch {
    return undefined;
  }
}

function listedDocument(listed: ListedFile, limits: SourceLimits, fetchUrl: FetchUrl): SourceDocument {
  const { path: name, hash } = listed;
  const read = async (signal: AbortSignal) => {
    signal.throwIfAborted();
    return 'url' in listed ? fetchUrl(listed.url, signal) : readInside(listed.root, listed.file, limits.maxFileBytes);
  };
  const stat = 'url' in listed ? undefined : listed.stat;
  return {
    path: name,
    ...(hash === undefined ? {} : { declaredHash: hash }),
    ...(stat === undefined ? {} : { stat }),
    read,
  };
}

/** The folder that the paths of a manifest are relative to, where that is on the disk. */
async function baseFolder({ manifest, manifestUrl, folder }: ManifestPlace): Promise<string> {
  if (manifest.baseUrl === undefined) return folder;
  const base = new URL(manifest.baseUrl, manifestUrl);
  if (base.protocol !== 'file:') return folder;
  return realpath(fileOf(base.href)).catch((error) => {
    throw readFailure(base.href, error);
  });
}

/** The path that a file URL names. */
export function fileOf(url: string): string {
  try {
    return fileURLToPath(url);
  } catch {
    throw invalidArgument`'${shown(url)}' does not name a local file`.advise(
      'Use a URL such as file:///folder/manifest.json, without a host.',
    );
  }
}

export function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
