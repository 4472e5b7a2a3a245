/** Packs a local manifest and its files into a bundle. The same files give the same bytes, whoever packs them. */
import { randomUUID } from 'node:crypto';
import { realpathSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { invalidArgument, notFound } from '../errors.js';
import { shown } from '../project/shown.js';
import { bundleEntries, resolveEntries } from './entries.js';
import { type Manifest, parseManifest } from './manifest.js';
import type { SourceLimits } from './source.js';
import { type PackedFile, writeArchive } from './sources/archive-write.js';
import { changedMeanwhile, errorCode, isInside, readInside, tooLarge } from './sources/local-file.js';
import { listedFiles, type ManifestPlace, readManifest, sha256 } from './sources/local-manifest.js';
import { byPath } from './sources/names.js';
import { walk } from './sources/walk.js';

export type PackedDocument = { path: string; bytes: number; hash: string };

/** `bytes` and `sha256` are of the bundle. */
export type Packed = { file: string; bytes: number; sha256: string; documents: PackedDocument[] };

const MANIFEST = 'manifest.json';

/** A file to be packed: its path in the bundle, and where it is. */
type Chosen = { path: string; root: string; file: string; hash?: string };

/** Paths are relative to `workingFolder`, where the bundle goes too unless `outputFile` says otherwise. */
export async function pack(
  manifestFile: string,
  outputFile: string | undefined,
  limits: SourceLimits,
  workingFolder: string = process.cwd(),
): Promise<Packed> {
  const source = path.resolve(workingFolder, manifestFile);
  const { manifest, folder } = await readManifest(source, limits);
  const output = outputPath(manifest, outputFile, workingFolder);
  const place = { manifest, manifestUrl: pathToFileURL(source).href, folder };
  const chosen = (await chooseFiles(place, output, path.basename(source), limits)).sort(byPath);
  const documents = await describe(chosen, limits);
  const bundled = bundledManifest(manifest, documents, limits);
  const { bytes, sha256: hash } = await writeBundle(output, packedFiles(bundled, chosen, documents, limits), limits);
  return { file: output, bytes, sha256: hash, documents };
}

/** The name of the bundle, with what a file name cannot hold taken out of the package's name and version. */
function outputPath({ name, version }: Manifest, outputFile: string | undefined, workingFolder: string): string {
  if (outputFile === undefined) return path.resolve(workingFolder, `${fileName(name)}-${fileName(version)}.tar.gz`);
  if (/\.(tar\.gz|tgz)$/i.test(outputFile)) return path.resolve(workingFolder, outputFile);
  throw invalidArgument`'${outputFile}' is not a name for a bundle`.advise('Use a name that ends in .tar.gz or .tgz.');
}

function fileName(text: string): string {
  const safe = text
    .normalize('NFC')
    .replace(/[^\p{L}\p{N}._+-]+/gu, '-')
    .replace(/^[.-]+|[.-]+$/g, '')
    .slice(0, 60);
  return safe === '' ? 'package' : safe;
}

function chooseFiles(place: ManifestPlace, output: string, own: string, limits: SourceLimits): Promise<Chosen[]> {
  const declared = resolveEntries(place.manifest, place.manifestUrl);
  refuseWarnings(declared.warnings);
  return 'entries' in declared
    ? chooseListed(declared.entries, place, output)
    : chooseMatching(declared.globs, place.folder, output, own, limits);
}

async function chooseMatching(
  globs: string[],
  folder: string,
  output: string,
  own: string,
  limits: SourceLimits,
): Promise<Chosen[]> {
  const except = new Set([own, path.relative(folder, canonical(output)).split(path.sep).join('/')]);
  const { root, files, warnings } = await walk(folder, globs, { maxFiles: limits.maxDocuments, except });
  refuseWarnings(warnings.filter((warning) => warning.lost));
  return files.map((file) => ({ path: file.path, root, file: file.path }));
}

async function chooseListed(
  entries: Parameters<typeof listedFiles>[0],
  place: ManifestPlace,
  output: string,
): Promise<Chosen[]> {
  const { files, warnings } = await listedFiles(entries, place);
  refuseWarnings(warnings);
  return files.map((listed) => {
    if ('url' in listed || listed.path.startsWith('file:')) throw urlEntry(listed.path);
    const file = path.join(listed.root, listed.file);
    if (canonical(file) === canonical(output)) throw packsItself(listed.path);
    // A baseUrl may lead elsewhere, and what is not in the manifest's folder is not the package's.
    if (!isInside(place.folder, file)) throw elsewhere(listed.path);
    return { ...listed, root: place.folder, file: path.relative(place.folder, file) };
  });
}

/** What a sync would leave out with a warning does not go missing silently in a bundle. */
function refuseWarnings(warnings: readonly { path: string; message: string }[]): void {
  const [first] = warnings;
  if (first === undefined) return;
  throw invalidArgument`'${first.path}' cannot be packed: ${first.message}`.advise(
    'Correct the manifest or the file, or leave the file out.',
  );
}

/** Sizes and hashes, one file in memory at a time. */
async function describe(chosen: readonly Chosen[], limits: SourceLimits): Promise<PackedDocument[]> {
  if (chosen.length === 0) throw emptyPackage();
  const documents: PackedDocument[] = [];
  for (const file of chosen) {
    const bytes = await readInside(file.root, file.file, limits.maxFileBytes);
    const hash = sha256(bytes);
    if (file.hash !== undefined && file.hash !== hash) throw wrongHash(file.path);
    documents.push({ path: file.path, bytes: bytes.length, hash });
  }
  return documents;
}

/** The manifest with every file and its hash, and the keys always in one order. */
function bundledManifest(manifest: Manifest, documents: readonly PackedDocument[], limits: SourceLimits): Buffer {
  const { name, version, description, metadata } = manifest;
  const files = documents.map(({ path: file, hash }) => ({ path: file, hash: `sha256:${hash}` }));
  const bytes = Buffer.from(
    `${JSON.stringify({ name, version, description, sources: { files }, metadata }, null, 2)}\n`,
  );
  // Read as a sync will read it: what that would refuse must not be packed.
  const { warnings } = bundleEntries(parseManifest(bytes, MANIFEST, limits));
  refuseWarnings(warnings);
  if (documents.some((document) => document.path === MANIFEST)) throw secondManifest();
  if (documents.length >= limits.maxDocuments) throw tooManyFiles(limits.maxDocuments);
  return bytes;
}

async function* packedFiles(
  manifest: Uint8Array,
  chosen: readonly Chosen[],
  documents: readonly PackedDocument[],
  limits: SourceLimits,
): AsyncGenerator<PackedFile> {
  yield { path: MANIFEST, bytes: manifest };
  for (const [index, { path: name, root, file }] of chosen.entries()) {
    const bytes = await readInside(root, file, limits.maxFileBytes);
    if (sha256(bytes) !== documents[index]?.hash) throw changedMeanwhile(name);
    yield { path: name, bytes };
  }
}

/** A bundle appears under its name only when it is whole. */
async function writeBundle(output: string, files: AsyncIterable<PackedFile>, limits: SourceLimits) {
  const temporary = path.join(path.dirname(output), `.${path.basename(output)}.${randomUUID()}.tmp`);
  try {
    const written = await writeArchive(temporary, files);
    if (written.unpacked > limits.maxUnpackedBytes) throw tooLarge(output, written.unpacked, limits.maxUnpackedBytes);
    if (written.bytes > limits.maxBundleBytes) throw tooLarge(output, written.bytes, limits.maxBundleBytes);
    await rename(temporary, output);
    return written;
  } catch (error) {
    await rm(temporary, { force: true });
    throw writeFailure(output, error);
  }
}

/** The path with links resolved, also for a file that is not there yet. */
function canonical(file: string): string {
  try {
    return realpathSync(file);
  } catch {
    return path.dirname(file) === file ? file : path.join(canonical(path.dirname(file)), path.basename(file));
  }
}

function writeFailure(output: string, error: unknown): unknown {
  switch (errorCode(error)) {
    case 'ENOENT':
      return notFound`The folder of '${output}' does not exist`.advise('Create it, or choose another output.');
    case 'EISDIR':
    case 'ENOTDIR':
      return invalidArgument`'${output}' cannot be written: a folder is in the way`.advise('Choose another output.');
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return invalidArgument`'${output}' cannot be written: permission denied`.advise('Choose another output.');
    default:
      return error;
  }
}

const urlEntry = (name: string) =>
  invalidArgument`'${shown(name)}' cannot be packed: it is read from a URL, and a bundle holds its own files`.advise(
    "Put a copy of the file into the manifest's folder and list it by its path.",
  );

const elsewhere = (name: string) =>
  invalidArgument`'${shown(name)}' cannot be packed: it is outside the manifest's folder`.advise(
    "Put a copy of the file into the manifest's folder.",
  );

const packsItself = (name: string) =>
  invalidArgument`'${shown(name)}' cannot be packed: it is the bundle that is being written`.advise(
    'Take it out of the manifest, or choose another output.',
  );

const wrongHash = (name: string) =>
  invalidArgument`'${shown(name)}' cannot be packed: its content does not match the hash in the manifest`.advise(
    'Correct the hash, or take it out: packing computes it.',
  );

const secondManifest = () =>
  invalidArgument`'${MANIFEST}' cannot be packed: the manifest of the bundle has this name`.advise(
    'Rename the file, or leave it out.',
  );

const emptyPackage = () =>
  invalidArgument`The manifest names no file that exists`.advise('Correct sources.glob or sources.files.');

const tooManyFiles = (most: number) =>
  invalidArgument`The package has more than the ${most - 1} files allowed`.advise('Divide it into smaller ones.');
