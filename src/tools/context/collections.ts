/** The collections of a project: list, add, remove, sync. */
import { z } from 'zod';
import { dropCollection, readState } from '../../context/collection-store.js';
import { collectionsOf } from '../../context/collections.js';
import { identifyFile, identifyPackage } from '../../context/identity.js';
import { openSource } from '../../context/open-source.js';
import { statusOf } from '../../context/status.js';
import { syncAll } from '../../context/sync-all.js';
import { shownUrl } from '../../context/url.js';
import { invalidArgument, notFound } from '../../errors.js';
import { canonicalPath } from '../../project/canonical.js';
import { changeProject } from '../../project/change.js';
import type { Edit } from '../../project/edit.js';
import { checkName } from '../../project/name.js';
import { collectionNamed, DEFAULT_GLOB, type ProjectConfig } from '../../project/schema.js';
import { defineTool } from '../define.js';
import { shownCollection, shownResult, syncResult } from './collection-shapes.js';
import { checkBasis, limits, noNetwork, projectOf, withHttp } from './place.js';

const projectVersion = z.string().describe('Version of the project file.');
const name = z.string().describe('Name of the collection in the project.');

export const collectionList = defineTool({
  name: 'collection_list',
  toolset: 'context',
  summary: 'List the collections of the project: where each comes from, and whether it is synced, stale or in error.',
  effect: 'read',
  input: {},
  output: { collections: z.array(shownCollection), version: projectVersion },
  example: { input: {} },
  errors: ['not_found', 'invalid_argument'],
  run: async (_input, call) => {
    const project = await projectOf(call);
    const collections = [];
    for (const one of await collectionsOf(project)) {
      const { spec, alias, id, collection } = one;
      const isLocal = spec.type === 'file' || spec.url.startsWith('file:');
      const open = () => (isLocal ? openSource(spec, { limits, http: noNetwork }) : undefined);
      collections.push({ name: alias, id, ...described(collection), ...(await statusOf(call.sql, one, open)) });
    }
    return { collections, version: project.version };
  },
});

function described(collection: { type: string; path?: unknown; glob?: unknown; url?: unknown; description?: unknown }) {
  const { type, path, glob, url, description } = collection;
  const source = type === 'file' ? `${path} (${glob})` : shownUrl(String(url));
  return { type, source, ...(typeof description === 'string' && { description }) };
}

export const collectionAdd = defineTool({
  name: 'collection_add',
  toolset: 'context',
  summary:
    'Add a collection of documents to the project: a folder with a glob, or a package by the URL of its manifest or bundle.',
  effect: 'write',
  outside: true,
  input: {
    name,
    path: z.string().optional().describe('Folder, relative to the project.'),
    glob: z.string().optional().describe(`Which files of the folder. Default: ${DEFAULT_GLOB}`),
    url: z.string().optional().describe('URL of a manifest (.json) or a bundle (.tar.gz, .tgz): file:// or https://.'),
    description: z.string().optional().describe('What it is for.'),
  },
  output: { name: z.string(), type: z.string(), id: z.string(), version: projectVersion },
  example: { input: { name: 'standards', url: 'https://example.com/standards/v2/manifest.json' } },
  errors: ['invalid_argument', 'not_found', 'conflict'],
  run: async ({ name, path, glob: givenGlob, url, description }, call) => {
    checkName(name);
    if ((path === undefined) === (url === undefined)) throw oneSource(name);
    if (url !== undefined && givenGlob !== undefined) throw globOfPackage(givenGlob);
    const project = await projectOf(call);
    const glob = givenGlob ?? DEFAULT_GLOB;
    const about = description === undefined ? {} : { description };
    const { id } =
      path === undefined
        ? identifyPackage(project.root, String(url))
        : await identifyFile(project.root, { path, glob }, canonicalPath);
    const value = path === undefined ? { type: 'pkg', url, ...about } : { type: 'file', path, glob, ...about };
    const answer = { name, type: value.type, id };
    const decide = (config: ProjectConfig): Edit[] => {
      if (collectionNamed(config, name)) throw exists(name);
      return [{ path: ['collections', name], value }];
    };
    if (call.dryRun) {
      checkBasis(call, project);
      decide(project.config);
      return { ...answer, version: project.version };
    }
    const changed = await changeProject(project.file, decide, { expectedVersion: call.version });
    return { ...answer, version: changed.version };
  },
});

const oneSource = (name: string) =>
  invalidArgument`Give either path or url for '${name}'`.advise(
    'Give the path of a folder, or the url of a manifest or bundle.',
  );

const globOfPackage = (glob: string) =>
  invalidArgument`glob '${glob}' is of no use with url: the manifest says which files belong to a package`.advise(
    'Leave glob out, or give a path.',
  );

const exists = (name: string) =>
  invalidArgument`A collection '${name}' exists already`.advise('Choose another name, or remove the old one first.');

export const collectionRemove = defineTool({
  name: 'collection_remove',
  toolset: 'context',
  summary: 'Remove a collection from the project. Its indexed documents stay for other projects unless drop is given.',
  effect: 'destroy',
  outside: true,
  input: { name, drop: z.boolean().optional().describe('Also drop its documents from the index.') },
  output: {
    name: z.string(),
    dropped: z.boolean().describe('Whether documents were dropped from the index.'),
    version: projectVersion,
  },
  example: { input: { name: 'docs' } },
  errors: ['not_found', 'invalid_argument', 'conflict'],
  run: async ({ name, drop = false }, call) => {
    const project = await projectOf(call);
    const collection = collectionNamed(project.config, name);
    if (!collection) throw missing(name);
    const { type } = collection;
    // Without drop, the source does not matter: also one that is not valid can be removed.
    const [one] = drop && type !== 'group' ? await collectionsOf(project, name) : [];
    if (call.dryRun) {
      checkBasis(call, project);
      const known = one && (await call.database.read((sql) => readState(sql, one.id)));
      return { name, dropped: known !== undefined, version: project.version };
    }
    const changed = await changeProject(project.file, () => [{ path: ['collections', name], value: undefined }], {
      expectedVersion: call.version,
    });
    const dropped = one !== undefined && (await call.database.write((sql) => dropCollection(sql, one.id)));
    return { name, dropped, version: changed.version };
  },
});

const missing = (name: string) =>
  notFound`No collection '${name}' in the project file`.advise('Use collection_list to see the names.');

export const collectionSync = defineTool({
  name: 'collection_sync',
  toolset: 'context',
  summary: 'Sync collections: bring the index to what their sources declare. Without a name, all of the project.',
  effect: 'write',
  outside: true,
  input: {
    name: name.optional(),
    force: z.boolean().optional().describe('Read and index everything again, whatever is known.'),
  },
  output: { results: z.array(syncResult), failed: z.number().describe('How many collections failed.') },
  example: { input: { name: 'docs' } },
  errors: ['not_found', 'invalid_argument', 'conflict', 'internal'],
  run: async ({ name, force = false }, call) => {
    const project = await projectOf(call);
    checkBasis(call, project);
    const chosen = await collectionsOf(project, name);
    const { database, dryRun, signal, onProgress } = call;
    const results = await withHttp(call, (http) =>
      syncAll({
        database,
        dryRun,
        signal,
        force,
        collections: chosen.map(({ alias, id, spec }) => ({
          alias,
          id,
          spec,
          openSource: () => openSource(spec, { limits, http }),
        })),
        onProgress: ({ step, done, total, path, kind }, { alias }) => {
          const line = path === undefined ? step : `${kind}: ${path}`;
          onProgress({ done, ...(total > 0 && { total }), message: `${alias}: ${line}` });
        },
      }),
    );
    const failures = results.flatMap(({ error }) => error ?? []);
    const answer = { results: results.map(shownResult), failed: failures.length };
    // Where nothing was synced, the call has failed, for the first reason that there is.
    if (failures[0] && failures.length === results.length) throw failures[0].with(answer);
    return answer;
  },
});
