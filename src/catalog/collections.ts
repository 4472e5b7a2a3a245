/** Changes to collections, decided on what the project file says. Each answers the edits, or refuses by throwing. */
import type { Edit } from '../project/edit.js';
import type { ProjectConfig } from '../project/schema.js';
import { categoriesOfSource, inUseFailure } from './failures.js';
import { checkFree, checkRename, requireCategories, requireCollection, unique } from './names.js';

/** A collection as it is written to the file. */
export type NewCollection = { type: string; categories?: readonly string[]; [key: string]: unknown };

export function addCollection(config: ProjectConfig, name: string, collection: NewCollection): Edit[] {
  checkFree(config, name);
  requireCategories(config, collection.categories ?? []);
  return [{ path: ['collections', name], value: collection }];
}

export function removeCollection(config: ProjectConfig, name: string): Edit[] {
  const { type } = requireCollection(config, name);
  const users = type === 'group' ? [] : categoriesFrom(config, name);
  if (users.length > 0) throw inUseFailure(name, users);
  return [{ path: ['collections', name], value: undefined }];
}

/** The categories that draw from a collection. */
function categoriesFrom({ categories = {} }: ProjectConfig, collection: string): string[] {
  return Object.keys(categories).filter((name) => categories[name]?.collection === collection);
}

export type CollectionChange = {
  newName?: string | undefined;
  description?: string | undefined;
  categories?: readonly string[] | undefined;
};

/** Replaces what is given and keeps what is not. A new name follows into the categories that draw from it. */
export function changeCollection(config: ProjectConfig, name: string, change: CollectionChange): Edit[] {
  const { newName, description, categories } = change;
  const { type } = requireCollection(config, name);
  if (categories && type !== 'group') throw categoriesOfSource(name, type);
  checkRename(config, name, newName);
  requireCategories(config, categories ?? []);
  const edits: Edit[] = [];
  if (description !== undefined) edits.push(describing(['collections', name, 'description'], description));
  if (categories) edits.push({ path: ['collections', name, 'categories'], value: unique(categories) });
  return newName === undefined ? edits : [...edits, ...renamed(config, name, newName)];
}

/** An empty description is none. */
export const describing = (path: Edit['path'], description: string): Edit => ({
  path,
  value: description === '' ? undefined : description,
});

function renamed(config: ProjectConfig, name: string, renameTo: string): Edit[] {
  const followers = categoriesFrom(config, name).map(
    (category): Edit => ({ path: ['categories', category, 'collection'], value: renameTo }),
  );
  return [...followers, { path: ['collections', name], renameTo }];
}

export type CollectionUpdate = {
  addCategories?: readonly string[] | undefined;
  removeCategories?: readonly string[] | undefined;
};

/** Takes categories out of a group first, then puts others at its end. */
export function updateCollection(config: ProjectConfig, name: string, update: CollectionUpdate): Edit[] {
  const { addCategories = [], removeCategories = [] } = update;
  const collection = requireCollection(config, name);
  const isAsked = update.addCategories !== undefined || update.removeCategories !== undefined;
  if (collection.type !== 'group') {
    if (isAsked) throw categoriesOfSource(name, collection.type);
    return [];
  }
  requireCategories(config, addCategories);
  return [
    {
      path: ['collections', name, 'categories'],
      value: revised(collection.categories, addCategories, removeCategories),
    },
  ];
}

/** A list without what is removed, and with what is added at its end. What is there already stays where it is. */
export function revised(list: readonly string[], add: readonly string[], remove: readonly string[]): string[] {
  const removed = new Set(remove);
  return unique([...list.filter((one) => !removed.has(one)), ...add]);
}
