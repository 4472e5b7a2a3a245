/** A package in one archive, wherever its bytes come from: unpacked to a temporary folder, read, and thrown away. */
import path from 'node:path';
import { invalidArgument } from '../../errors.js';
import { type BundleEntry, bundleEntries } from '../entries.js';
import { type Manifest, parseManifest } from '../manifest.js';
import type {
  OpenOptions,
  Source,
  SourceDocument,
  SourceLimits,
  SourceListing,
  SourceState,
  SourceWarning,
} from '../source.js';
import { type ArchiveInput, archiveHash } from './archive.js';
import { type Extracted, extractArchive } from './extract.js';
import { plain } from './glob.js';
import { changedMeanwhile, readInside } from './local-file.js';
import { sha256 } from './local-manifest.js';
import { walk } from './walk.js';

export type BundleBytes =
  | { changed: false; state: SourceState }
  | { changed: true; bytes: ArchiveInput; state: SourceState };

export type GetBundle = (options: OpenOptions) => Promise<BundleBytes>;

const MANIFEST = 'manifest.json';

/** `where` names the bundle in messages. */
export function bundleSource(getBytes: GetBundle, limits: SourceLimits, where = 'bundle'): Source {
  let extracted: Extracted | undefined;
  const close = async () => {
    await extracted?.remove();
    extracted = undefined;
  };
  return {
    async open(options) {
      const got = await getBytes(options);
      if (!got.changed) return got;
      const bundleHash = await archiveHash(got.bytes, options.signal);
      const { previous } = options;
      if (previous?.bundleHash === bundleHash) {
        return { changed: false, state: { ...got.state, bundleHash, manifestHash: previous.manifestHash } };
      }
      await close();
      options.onStep('Unpacking bundle');
      const context = { limits, where, signal: options.signal };
      extracted = await extractArchive(got.bytes, context);
      try {
        if (extracted.sha256 !== bundleHash) throw changedMeanwhile(where);
        return await listBundle(extracted, { ...got.state, bundleHash }, context);
      } catch (error) {
        await close();
        throw error;
      }
    },
    close,
  };
}

type Context = { limits: SourceLimits; where: string; signal: AbortSignal };

async function listBundle(extracted: Extracted, state: SourceState, context: Context): Promise<SourceListing> {
  const root = path.join(extracted.folder, manifestFolder(extracted.files, context.where));
  const bytes = await readInside(root, MANIFEST, context.limits.maxManifestBytes);
  const manifest = parseManifest(bytes, `${context.where}/${MANIFEST}`, context.limits);
  const { documents, warnings } = await bundledDocuments(root, manifest, context);
  const { name, version, description } = manifest;
  return {
    changed: true,
    state: { ...state, manifestHash: sha256(bytes) },
    name,
    version,
    ...(description === undefined ? {} : { description }),
    documents,
    warnings: [...ignoredBase(manifest), ...warnings],
  };
}

/** The root, or the only folder at the top that has a manifest. */
function manifestFolder(files: readonly string[], where: string): string {
  if (files.includes(MANIFEST)) return '';
  const found = files.filter((file) => file.endsWith(`/${MANIFEST}`) && file.split('/').length === 2);
  if (found.length === 1) return path.posix.dirname(found[0] ?? '');
  const problem =
    found.length === 0 ? 'no manifest.json' : 'several folders with a manifest.json, and none at its root';
  throw invalidArgument`The bundle '${where}' has ${problem}`.advise(
    'Put one manifest.json at the root of the archive, for example with: ai-assist collections pack',
  );
}

type Documents = { documents: SourceDocument[]; warnings: SourceWarning[] };

async function bundledDocuments(root: string, manifest: Manifest, context: Context): Promise<Documents> {
  const { limits, signal } = context;
  const declared = bundleEntries(manifest);
  if ('entries' in declared) {
    return { documents: declared.entries.map((entry) => bundled(root, entry, limits)), warnings: declared.warnings };
  }
  const except = new Set([MANIFEST]);
  const found = await walk(root, declared.globs, { maxFiles: limits.maxDocuments, signal, except });
  return {
    documents: found.files.map(({ path: file }) => bundled(root, { path: file }, limits)),
    warnings: [...declared.warnings, ...plain(found)],
  };
}

function bundled(root: string, entry: BundleEntry, limits: SourceLimits): SourceDocument {
  const read = async (signal: AbortSignal) => {
    signal.throwIfAborted();
    return readInside(root, entry.path, limits.maxFileBytes);
  };
  return { path: entry.path, ...(entry.hash === undefined ? {} : { declaredHash: entry.hash }), read };
}

function ignoredBase({ baseUrl }: Manifest): SourceWarning[] {
  return baseUrl === undefined ? [] : [{ path: MANIFEST, message: 'baseUrl is ignored in a bundle' }];
}
