/** What makes two collections the same one: the folder and glob of a file collection, the URL of a package. */
import { createHash } from 'node:crypto';
import path from 'node:path';
import { Failure, invalidArgument, notFound } from '../errors.js';
import { formatJsonPath } from '../project/json.js';
import { collectionNamed, type ProjectConfig } from '../project/schema.js';
import { shown } from '../project/shown.js';
import type { SourceSpec } from './source.js';
import { kindOfUrl, normaliseUrl, publicUrl, resolvePackageUrl } from './url.js';

/** The path is canonical: absolute, and without symbolic links. */
export function fileCollectionId(canonicalPath: string, glob: string): string {
  return `file:${createHash('sha256').update(`${canonicalPath}${glob}`).digest('hex')}`;
}

/** Credentials are how a package is fetched, not which one it is; and ids stand in answers, lists and logs. */
export function packageCollectionId(url: string): string {
  return `pkg:${normaliseUrl(publicUrl(normaliseUrl(url)))}`;
}

/** A source with the id that documents are stored under. */
export type Identified = { readonly id: string; readonly spec: SourceSpec };

/** Resolves the symbolic links of an absolute path. For a path that leads nowhere, answers it as it is. */
export type ResolvePath = (absolutePath: string) => Promise<string>;

type Place = { readonly root: string; readonly config: ProjectConfig };

/** The source of an alias, with everything absolute. A group has none. */
export async function specOf(project: Place, alias: string, resolvePath: ResolvePath): Promise<Identified> {
  const collection = collectionNamed(project.config, alias);
  if (!collection) throw aliasFailure(project.config, alias);
  if (collection.type === 'file') return identifyFile(project.root, collection, resolvePath);
  if (collection.type === 'pkg') return placed(alias, () => identifyPackage(project.root, collection.url));
  throw invalidArgument`'${shown(alias)}' is a group: it has no source of its own`.advise(
    'Name one of the file or pkg collections.',
  );
}

/** A fault of a URL, with its place in the project file. */
function placed<T>(alias: string, identify: () => T): T {
  try {
    return identify();
  } catch (thrown) {
    if (!(thrown instanceof Failure)) throw thrown;
    const place = formatJsonPath(['collections', alias, 'url']);
    throw invalidArgument`${place}: ${thrown.message}`.advise(thrown.instruction);
  }
}

/** The identity of a folder, given from the project's root, with a glob. */
export async function identifyFile(
  projectRoot: string,
  { path: given, glob }: { path: string; glob: string },
  resolvePath: ResolvePath,
): Promise<Identified> {
  const canonical = await resolvePath(path.resolve(projectRoot, given));
  return { id: fileCollectionId(canonical, glob), spec: { type: 'file', path: canonical, glob } };
}

/** The identity of a package's URL as the project file has it. */
export function identifyPackage(projectRoot: string, given: string): Identified {
  const url = resolvePackageUrl(given, projectRoot);
  kindOfUrl(url);
  return { id: packageCollectionId(url), spec: { type: 'pkg', url } };
}

export type RawId = { readonly type: 'file' | 'pkg'; readonly id: string };

/** A collection's id, if that is what a text is: `file:` and 64 hex digits, or `pkg:` and a URL. */
export function parseRawId(text: string): RawId | undefined {
  if (/^file:[0-9a-f]{64}$/i.test(text)) return { type: 'file', id: text.toLowerCase() };
  if (!text.startsWith('pkg:')) return undefined;
  return { type: 'pkg', id: packageCollectionId(text.slice('pkg:'.length)) };
}

function aliasFailure({ collections }: ProjectConfig, alias: string) {
  const known = Object.keys(collections).map((name) => shown(name, 60));
  const some = known.slice(0, 20).join(', ');
  return notFound`No collection '${shown(alias)}' in the project file`.advise(
    known.length > 0 ? `Use one of: ${some}.` : 'Add one with `ai-assist collections add`.',
  );
}
