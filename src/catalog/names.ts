/** The one namespace of collections and categories. */
import { checkName } from '../project/name.js';
import {
  type Category,
  type Collection,
  categoryNamed,
  collectionNamed,
  type ProjectConfig,
} from '../project/schema.js';
import { categoriesFailure, conflictFailure, existsFailure, missingFailure } from './failures.js';

export type Kind = 'collection' | 'category';

/** What a name stands for, if anything. */
function kindOf(config: ProjectConfig, name: string): Kind | undefined {
  if (collectionNamed(config, name)) return 'collection';
  return categoryNamed(config, name) ? 'category' : undefined;
}

/** Refuses a name for something new that something else has. */
export function checkFree(config: ProjectConfig, name: string): void {
  const kind = kindOf(config, name);
  if (kind) throw existsFailure(kind, name);
}

/** Refuses a new name that is against the rules. To keep the old name is allowed, whatever it is. */
export function checkNewName(name: string, newName: string | undefined): void {
  if (newName !== undefined && newName !== name) checkName(newName);
}

/** Refuses a rename to a name that something else has. */
export function checkRename(config: ProjectConfig, name: string, newName: string | undefined): void {
  if (newName === undefined || newName === name) return;
  const kind = kindOf(config, newName);
  if (kind) throw conflictFailure(kind, newName);
}

export function requireCollection(config: ProjectConfig, name: string): Collection {
  const found = collectionNamed(config, name);
  if (!found) throw missingFailure('collection', name);
  return found;
}

export function requireCategory(config: ProjectConfig, name: string): Category {
  const found = categoryNamed(config, name);
  if (!found) throw missingFailure('category', name);
  return found;
}

export function requireCategories(config: ProjectConfig, names: readonly string[]): void {
  const missing = unique(names).filter((name) => !categoryNamed(config, name));
  if (missing.length > 0) throw categoriesFailure(missing);
}

/** Each once, where it first stands. */
export const unique = (names: readonly string[]): string[] => [...new Set(names)];
