/** The collections of a project, with the ids that their documents are stored under. */
import { Failure, invalidArgument, notFound } from '../errors.js';
import { canonicalPath } from '../project/canonical.js';
import type { Project } from '../project/find.js';
import { type Collection, collectionNamed } from '../project/schema.js';
import type { Sql } from '../storage/sql.js';
import { readState } from './collection-store.js';
import { type Identified, parseRawId, specOf } from './identity.js';

export type NamedCollection = Identified & { alias: string; collection: Collection };

/** One whose declaration cannot be used, such as a package with a URL that is none. */
export type FaultyCollection = { alias: string; collection: Collection; fault: Failure };

/** The collections that have a source: all of the project, or the one that is named. */
export async function collectionsOf(project: Project, name?: string): Promise<NamedCollection[]> {
  const declared = await declaredCollections(project, name === undefined ? sourceNames(project) : [name]);
  return declared.map((one) => {
    if ('fault' in one) throw one.fault;
    return one;
  });
}

/** The names of all collections that have a source. */
export const sourceNames = ({ config }: Project): string[] =>
  Object.keys(config.collections).filter((name) => collectionNamed(config, name)?.type !== 'group');

/** The same, where a fault of one must not keep the others from being listed or synced. */
export async function declaredCollections(
  project: Project,
  names: readonly string[],
): Promise<(NamedCollection | FaultyCollection)[]> {
  const found: (NamedCollection | FaultyCollection)[] = [];
  for (const alias of names) {
    const collection = collectionNamed(project.config, alias) as Collection;
    try {
      found.push({ alias, collection, ...(await specOf(project, alias, canonicalPath)) });
    } catch (thrown) {
      if (!(thrown instanceof Failure)) throw thrown;
      found.push({ alias, collection, fault: thrown });
    }
  }
  return found;
}

/** The id that a text stands for: an alias of the project, or an id itself. */
export async function collectionId(project: Project | undefined, name: string): Promise<string> {
  const raw = parseRawId(name);
  if (raw) return raw.id;
  if (!project) throw aliasWithoutProject(name);
  return (await specOf(project, name, canonicalPath)).id;
}

export const aliasWithoutProject = (name: string): Failure =>
  invalidArgument`'${name}' is an alias, and there is no project to look it up in`.advise(
    'Name the folder of the project, or give the id of the collection: ref_collections shows the ids.',
  );

/** The id of a collection that is indexed. */
export async function indexedId(sql: Sql, project: Project | undefined, name: string): Promise<string> {
  const id = await collectionId(project, name);
  if (await readState(sql, id)) return id;
  const isAlias = parseRawId(name) === undefined;
  throw notFound`Collection '${name}' is not indexed yet`.advise(
    isAlias ? `Sync it first: ai-assist collections sync ${name}` : 'Use ref_collections to see which are.',
  );
}
