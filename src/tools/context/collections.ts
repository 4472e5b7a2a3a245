/** The collections of a project: list, add, remove, sync. */
import { z } from 'zod';
import { dropCollection } from '../../context/collection-store.js';
import { collectionsOf } from '../../context/collections.js';
import { identifyFile, identifyPackage } from '../../context/identity.js';
import { openSource } from '../../context/open-source.js';
import { statusOf } from '../../context/status.js';
import { syncAll } from '../../context/sync-all.js';
import { shownUrl } from '../../context/url.js';
import { invalidArgument, notFound, plainFailure } from '../../errors.js';
import { canonicalPath } from '../../project/canonical.js';
import { changeProject } from '../../project/change.js';
import { checkName } from '../../project/name.js';
import { collectionNamed, DEFAULT_GLOB } from '../../project/schema.js';
import { defineTool } from '../define.js';
import { shownCollection, shownResult, syncResult } from './collection-shapes.js';
import { limits, projectOf, withHttp } from './place.js';

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
    const collections = await withHttp(call, async (http) => {
      const listed = [];
      for (const one of await collectionsOf(project)) {
        const { spec, alias, id, collection } = one;
        const isLocal = spec.type === 'file' || spec.url.startsWith('file:');
        const status = await statusOf(call.sql, one, () => (isLocal ? openSource(spec, { limits, http }) : undefined));
        listed.push({ name: alias, id, ...described(collection), ...status });
      }
      return listed;
    });
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
  run: async ({ name, path, glob = DEFAULT_GLOB, url, description }, call) => {
    checkName(name);
    if ((path === undefined) === (url === undefined)) throw invalidArgument`Give either path or url for '${name}'`;
    const project = await projectOf(call);
    const about = description === undefined ? {} : { description };
    const { id } =
      path === undefined
        ? identifyPackage(project.root, String(url))
        : await identifyFile(project.root, { path, glob }, canonicalPath);
    const value = path === undefined ? { type: 'pkg', url, ...about } : { type: 'file', path, glob, ...about };
    const answer = { name, type: value.type, id };
    if (call.dryRun) return { ...answer, version: project.version };
    const changed = await changeProject(
      project.file,
      (config) => {
        if (collectionNamed(config, name)) throw exists(name);
        return [{ path: ['collections', name], value }];
      },
      { expectedVersion: call.version },
    );
    return { ...answer, version: changed.version };
  },
});

const exists = (name: string) =>
  invalidArgument`A collection '${name}' exists already`.advise('Choose another name, or remove the old one first.');

export const collectionRemove = defineTool({
  name: 'collection_remove',
  toolset: 'context',
  summary: 'Remove a collection from the project. Its indexed documents stay for other projects unless drop is given.',
  effect: 'destroy',
  outside: true,
  input: { name, drop: z.boolean().optional().describe('Also drop its documents from the index.') },
  output: { name: z.string(), dropped: z.boolean(), version: projectVersion },
  example: { input: { name: 'docs' } },
  errors: ['not_found', 'invalid_argument', 'conflict'],
  run: async ({ name, drop = false }, call) => {
    const project = await projectOf(call);
    if (!collectionNamed(project.config, name)) throw missing(name);
    const [one] = collectionNamed(project.config, name)?.type === 'group' ? [] : await collectionsOf(project, name);
    if (call.dryRun) return { name, dropped: drop, version: project.version };
    const changed = await changeProject(project.file, () => [{ path: ['collections', name], value: undefined }], {
      expectedVersion: call.version,
    });
    if (drop && one) await call.database.write((sql) => dropCollection(sql, one.id));
    return { name, dropped: drop, version: changed.version };
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
  errors: ['not_found', 'invalid_argument', 'internal'],
  run: async ({ name, force = false }, call) => {
    const project = await projectOf(call);
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
    const failed = results.filter(({ status }) => status === 'failed');
    const only = failed[0];
    if (only && failed.length === results.length)
      throw allFailed(only.error?.message ?? '', results.map(shownResult), only.error?.instruction);
    return { results: results.map(shownResult), failed: failed.length };
  },
});

function allFailed(message: string, results: unknown[], instruction = 'Correct the source, then sync again.') {
  return plainFailure('internal', message).with({ results, failed: results.length }).advise(instruction);
}
