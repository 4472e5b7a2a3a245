/** Changes to the collections of a project: add, remove, change, update. */
import { z } from 'zod';
import {
  addCollection,
  changeCollection,
  type NewCollection,
  removeCollection,
  updateCollection,
} from '../../catalog/collections.js';
import { categoriesOfSource } from '../../catalog/failures.js';
import { checkNewName, requireCollection, unique } from '../../catalog/names.js';
import { dropCollection, readState } from '../../context/collection-store.js';
import { collectionsOf } from '../../context/collections.js';
import { identifyFile, identifyPackage } from '../../context/identity.js';
import { compilePatterns } from '../../context/sources/patterns.js';
import { invalidArgument } from '../../errors.js';
import { canonicalPath } from '../../project/canonical.js';
import { fromRoot } from '../../project/from-root.js';
import { checkDescription, checkName } from '../../project/name.js';
import { DEFAULT_GLOB } from '../../project/schema.js';
import type { ToolCall } from '../call.js';
import { folderOf } from '../context/place.js';
import { checkReach, checkUrlReach } from '../context/reach.js';
import { defineTool } from '../define.js';
import { changeCatalog, countOf, doneMessage, givenDescription, sessionProject } from './place.js';
import {
  catalogChange,
  categories,
  changeErrors,
  collectionAfter,
  collectionName,
  collectionValue,
  description,
  descriptionErrors,
  message,
  newCollectionName,
  newDescription,
  newName,
  projectVersion,
  shownCollectionValue,
} from './shapes.js';

const answer = { value: collectionValue, message, version: projectVersion };

export const collectionAdd = defineTool({
  ...catalogChange,
  name: 'collection_add',
  summary:
    'Add a collection to the project: a folder of documents with path, a package with url, or else a group of categories.',
  effect: 'write',
  input: {
    name: newCollectionName,
    description,
    categories: categories.describe('Categories of the group.'),
    path: z.string().optional().describe('Folder of a file collection, relative to the folder of the session.'),
    glob: z.string().optional().describe(`Which files of the folder. Default: ${DEFAULT_GLOB}`),
    url: z.string().optional().describe('URL of a manifest (.json) or a bundle (.tar.gz, .tgz): file:// or https://.'),
  },
  judgesText: ['name', 'description'],
  output: {
    ...answer,
    id: z.string().optional().describe('What its documents are stored under.'),
  },
  example: { input: { name: 'writing', description: 'How we write', categories: ['guides'] } },
  errors: [
    'already_exists',
    'invalid_name',
    'category_not_found',
    'invalid_type',
    ...descriptionErrors,
    ...changeErrors,
  ],
  run: async ({ name, description, categories, path, glob, url }, call) => {
    checkName(name);
    const about = givenDescription(description);
    const given = sourceOf(name, { path, glob, url });
    if (given && categories) throw categoriesOfSource(name, given.type);
    const project = await sessionProject(call);
    const source = given && (await keptSource(project.root, folderOf(call), given));
    const id = source && { id: await permittedId(call, project.root, source) };
    const value: NewCollection = source
      ? { ...source, ...about }
      : { type: 'group', ...about, categories: unique(categories ?? []) };
    const { config, version } = await changeCatalog(call, project, (config) => addCollection(config, name, value));
    const added = `Collection '${name}' (${value.type}) added.`;
    return { value: collectionAfter(config, name), message: added, ...id, version };
  },
});

type Given = { path?: string | undefined; glob?: string | undefined; url?: string | undefined };
type SourceEntry = { type: 'file'; path: string; glob: string } | { type: 'pkg'; url: string };

/** The entry of a collection that has a source. A group has none. */
function sourceOf(name: string, { path, glob, url }: Given): SourceEntry | undefined {
  if (path !== undefined && url !== undefined) throw oneSource(name);
  if (path === '') throw noPath(name);
  if (path !== undefined) return fileSource(path, glob ?? DEFAULT_GLOB);
  if (glob !== undefined) throw globAlone(glob, url);
  return url === undefined ? undefined : { type: 'pkg', url };
}

/** A glob that no sync could use is refused now. */
function fileSource(path: string, glob: string): SourceEntry {
  compilePatterns([glob]);
  return { type: 'file', path, glob };
}

/** The project file is read from the root, wherever in the project a person stands who adds to it. */
async function keptSource(root: string, folder: string, source: SourceEntry): Promise<SourceEntry> {
  if (source.type === 'pkg') return source;
  return { ...source, path: fromRoot(root, await canonicalPath(folder), source.path) };
}

async function permittedId(call: ToolCall, root: string, source: SourceEntry): Promise<string> {
  if (source.type === 'file') {
    await checkReach(call, root, source.path);
    return (await identifyFile(root, source, canonicalPath)).id;
  }
  const { id, spec } = identifyPackage(root, source.url);
  if (spec.type === 'pkg') await checkUrlReach(call, root, spec.url);
  return id;
}

const oneSource = (name: string) =>
  invalidArgument`Give either path or url for '${name}', not both`.advise(
    'Give the path of a folder, or the url of a manifest or bundle. A group has neither.',
  );

const noPath = (name: string) =>
  invalidArgument`path: the path of '${name}' is empty`.advise(
    'Give the path of a folder; . is the one of the session.',
  );

const globAlone = (glob: string, url: string | undefined) =>
  url === undefined
    ? invalidArgument`glob '${glob}' is of no use without path`.advise('Leave glob out, or give a path.')
    : invalidArgument`glob '${glob}' is of no use with url: the manifest says which files belong to a package`.advise(
        'Leave glob out, or give a path.',
      );

export const collectionRemove = defineTool({
  ...catalogChange,
  name: 'collection_remove',
  summary: 'Remove a collection from the project. Its indexed documents stay for other projects unless drop is given.',
  effect: 'destroy',
  input: { name: collectionName, drop: z.boolean().optional().describe('Also drop its documents from the index.') },
  output: {
    value: collectionValue.describe('The collection as it was.'),
    message,
    dropped: z.boolean().describe('Whether documents were dropped from the index.'),
    version: projectVersion,
  },
  example: { input: { name: 'house' } },
  errors: ['not_found', 'in_use', ...changeErrors],
  run: async ({ name, drop = false }, call) => {
    const project = await sessionProject(call);
    const collection = requireCollection(project.config, name);
    // Without drop, the source does not matter: also one that is not valid can be removed.
    const [one] = drop && collection.type !== 'group' ? await collectionsOf(project, name) : [];
    let removed = collection;
    const { version } = await changeCatalog(call, project, (config) => {
      removed = requireCollection(config, name);
      return removeCollection(config, name);
    });
    const dropped = one !== undefined && (await dropOrRehearse(call, one.id));
    const value = shownCollectionValue(name, removed);
    return { value, message: `Collection '${name}' removed.`, dropped, version };
  },
});

/** Whether there were documents to drop. */
async function dropOrRehearse({ dryRun, database }: Parameters<typeof changeCatalog>[0], id: string): Promise<boolean> {
  if (dryRun) return (await database.read((sql) => readState(sql, id))) !== undefined;
  return database.write((sql) => dropCollection(sql, id));
}

export const collectionChange = defineTool({
  ...catalogChange,
  name: 'collection_change',
  summary: 'Change a collection: rename it, or replace its description or the categories of a group. The rest stays.',
  effect: 'write',
  input: {
    name: collectionName,
    new_name: newName,
    description: newDescription,
    categories: categories.describe('All categories that the group has from now on. Only for groups.'),
  },
  judgesText: ['new_name', 'description'],
  output: answer,
  example: { input: { name: 'house', new_name: 'house-rules', description: '' } },
  errors: [
    'not_found',
    'invalid_name',
    'name_conflict',
    'category_not_found',
    'invalid_type',
    ...descriptionErrors,
    ...changeErrors,
  ],
  run: async ({ name, new_name: newName, description, categories }, call) => {
    checkNewName(name, newName);
    if (description !== undefined) checkDescription(description);
    const project = await sessionProject(call);
    const change = { newName, description, categories };
    const changed = await changeCatalog(call, project, (config) => changeCollection(config, name, change));
    const value = collectionAfter(changed.config, newName ?? name);
    const done = value.name === name ? 'changed.' : `changed, and renamed to '${value.name}'.`;
    return { value, message: doneMessage(`Collection '${name}'`, changed, done), version: changed.version };
  },
});

export const collectionUpdate = defineTool({
  ...catalogChange,
  name: 'collection_update',
  summary: 'Update the categories of a group: take some out, then add others at the end. The rest stays as it is.',
  effect: 'write',
  input: {
    name: collectionName,
    add_categories: categories.describe('Categories to add. Those that are there already stay where they are.'),
    remove_categories: categories.describe(
      'Categories to take out, before others are added. Missing ones do not matter.',
    ),
  },
  output: answer,
  example: { input: { name: 'house', add_categories: ['names'], remove_categories: ['guides'] } },
  errors: ['not_found', 'category_not_found', 'invalid_type', ...changeErrors],
  run: async ({ name, add_categories: addCategories, remove_categories: removeCategories }, call) => {
    const project = await sessionProject(call);
    const update = { addCategories, removeCategories };
    const changed = await changeCatalog(call, project, (config) => updateCollection(config, name, update));
    const value = collectionAfter(changed.config, name);
    const done = `updated: it has ${countOf(value.categories?.length ?? 0, 'category', 'categories')}.`;
    return { value, message: doneMessage(`Collection '${name}'`, changed, done), version: changed.version };
  },
});
