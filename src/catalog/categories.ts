/** Changes to categories, decided on what the project file says. Each answers the edits, or refuses by throwing. */
import type { Edit } from '../project/edit.js';
import { collectionNamed, type ProjectConfig } from '../project/schema.js';
import { describing, revised } from './collections.js';
import { categoryOfGroup } from './failures.js';
import { checkFree, checkRename, requireCategory, requireCollection, unique } from './names.js';
import { checkPatterns } from './patterns.js';

export type NewCategory = {
  collection?: string | undefined;
  patterns: readonly string[];
  description?: string | undefined;
};

export function addCategory(config: ProjectConfig, name: string, category: NewCategory): Edit[] {
  const { collection, patterns, description } = category;
  checkFree(config, name);
  checkSource(config, collection);
  checkPatterns(patterns);
  const value = { ...(collection && { collection }), patterns: unique(patterns), ...(description && { description }) };
  return [{ path: ['categories', name], value }];
}

/** A category draws from a collection that has documents of its own. An empty name stands for all of the project. */
function checkSource(config: ProjectConfig, collection: string | undefined): void {
  if (!collection) return;
  if (requireCollection(config, collection).type === 'group') throw categoryOfGroup(collection);
}

/** Takes a category away, also out of every group. */
export function removeCategory(config: ProjectConfig, name: string): Edit[] {
  requireCategory(config, name);
  return [...inGroups(config, name, undefined), { path: ['categories', name], value: undefined }];
}

/** The groups that have a category. */
export function groupsWith(config: ProjectConfig, category: string): string[] {
  return Object.keys(config.collections).filter((name) => groupCategories(config, name).includes(category));
}

function groupCategories(config: ProjectConfig, name: string): readonly string[] {
  const collection = collectionNamed(config, name);
  return collection?.type === 'group' ? collection.categories : [];
}

/** Puts another name in the place of a category in every group, or takes it out. */
function inGroups(config: ProjectConfig, category: string, newName: string | undefined): Edit[] {
  return groupsWith(config, category).map((group) => ({
    path: ['collections', group, 'categories'],
    value: groupCategories(config, group).flatMap((one) => (one === category ? (newName ?? []) : one)),
  }));
}

export type CategoryChange = {
  newName?: string | undefined;
  collection?: string | undefined;
  patterns?: readonly string[] | undefined;
  description?: string | undefined;
};

/** Replaces what is given and keeps what is not. A new name follows into groups. */
export function changeCategory(config: ProjectConfig, name: string, change: CategoryChange): Edit[] {
  const { newName, collection, patterns, description } = change;
  requireCategory(config, name);
  checkRename(config, name, newName);
  checkSource(config, collection);
  if (patterns) checkPatterns(patterns);
  const edits: Edit[] = [];
  if (collection !== undefined) {
    edits.push({ path: ['categories', name, 'collection'], value: collection === '' ? undefined : collection });
  }
  if (patterns) edits.push({ path: ['categories', name, 'patterns'], value: unique(patterns) });
  if (description !== undefined) edits.push(describing(['categories', name, 'description'], description));
  if (newName === undefined || newName === name) return edits;
  return [...edits, ...inGroups(config, name, newName), { path: ['categories', name], renameTo: newName }];
}

export type CategoryUpdate = {
  addPatterns?: readonly string[] | undefined;
  removePatterns?: readonly string[] | undefined;
};

/** Takes patterns out first, then puts others at the end. */
export function updateCategory(config: ProjectConfig, name: string, update: CategoryUpdate): Edit[] {
  const { addPatterns = [], removePatterns = [] } = update;
  const patterns = revised(requireCategory(config, name).patterns, addPatterns, removePatterns);
  // What was there before may be against the rules; only what is new is judged.
  if (addPatterns.length > 0) checkPatterns(patterns);
  return [{ path: ['categories', name, 'patterns'], value: patterns }];
}
