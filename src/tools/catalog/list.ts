/** The collections of a project and how each stands. */
import { z } from 'zod';
import { sourcesOf } from '../../catalog/draws.js';
import { worstOf } from '../../catalog/status.js';
import { declaredCollections, sourceNames } from '../../context/collections.js';
import { openSource } from '../../context/open-source.js';
import { type CollectionStatus, statusOf } from '../../context/status.js';
import { Failure } from '../../errors.js';
import type { Project } from '../../project/find.js';
import { type Collection, collectionNamed } from '../../project/schema.js';
import type { Sql } from '../../storage/sql.js';
import { shownCollection } from '../context/collection-shapes.js';
import { limits, noNetwork } from '../context/place.js';
import { defineTool } from '../define.js';
import { countIn } from './counts.js';
import { sessionProject } from './place.js';
import { projectVersion, shownCollectionValue } from './shapes.js';

export const collectionList = defineTool({
  name: 'collection_list',
  toolset: 'catalog',
  summary:
    'List the collections and groups of the project: where each comes from, and whether it is synced, stale or in error.',
  effect: 'read',
  input: {},
  output: { collections: z.array(shownCollection), version: projectVersion },
  example: { input: {} },
  errors: ['no_session'],
  run: async (_input, call) => {
    const { sql } = call;
    const project = await sessionProject(call);
    const sources = await listSources(sql, project);
    const collections = [];
    for (const name of Object.keys(project.config.collections)) {
      collections.push(sources.get(name) ?? (await listGroup(sql, project, name, sources)));
    }
    return { collections, version: project.version };
  },
});

type Listed = z.output<typeof shownCollection>;

/** The collections that have a source, by name. */
async function listSources(sql: Sql, project: Project): Promise<Map<string, Listed>> {
  const listed = new Map<string, Listed>();
  for (const one of await declaredCollections(project, sourceNames(project))) {
    const { alias, collection } = one;
    if ('fault' in one) {
      listed.set(alias, { ...described(alias, collection), ...unusable, error: one.fault.message });
      continue;
    }
    const { spec, id } = one;
    const isLocal = spec.type === 'file' || spec.url.startsWith('file:');
    const open = () => (isLocal ? openSource(spec, { limits, http: noNetwork }) : undefined);
    listed.set(alias, { ...described(alias, collection), id, ...(await statusOf(sql, one, open)) });
  }
  return listed;
}

/** Of a collection that is not declared as it should be. */
const unusable = { id: null, status: 'error', documents: 0, lastSyncAt: null, version: null } as const;

function described(name: string, collection: Collection) {
  const { type, path, glob, url, description } = shownCollectionValue(name, collection);
  return {
    name,
    type,
    source: type === 'file' ? `${path} (${glob})` : String(url),
    ...(description && { description }),
  };
}

/** A group stands like the worst of the collections that its categories draw from. */
async function listGroup(
  sql: Sql,
  project: Project,
  name: string,
  sources: ReadonlyMap<string, Listed>,
): Promise<Listed> {
  const {
    type,
    description,
    categories = [],
  } = shownCollectionValue(name, collectionNamed(project.config, name) as Collection);
  const { documents, failure } = await countIn(sql, project, name);
  const members = membersOf(project, name, sources);
  // That its members are not synced is no fault of the group.
  const isFaulty = members === undefined || failure?.type === 'invalid_argument';
  const standing = isFaulty
    ? { status: 'error' as const, error: failure?.message ?? null, lastSyncAt: null }
    : worstOf(members);
  return {
    name,
    type,
    source: categories.join(', '),
    ...(description && { description }),
    categories,
    documents: documents ?? 0,
    version: null,
    id: null,
    ...standing,
  };
}

/** None where the project file contradicts itself. */
function membersOf(
  { config }: Project,
  group: string,
  sources: ReadonlyMap<string, Listed>,
): CollectionStatus[] | undefined {
  try {
    return sourcesOf(config, group).flatMap((alias) => sources.get(alias) ?? []);
  } catch (thrown) {
    if (!(thrown instanceof Failure)) throw thrown;
    return undefined;
  }
}
