/** Why a change to the catalog is refused. */
import { type Failure, failing, notFound } from '../errors.js';
import { shown } from '../project/shown.js';
import type { Kind } from './names.js';

const alreadyExists = failing('already_exists');
const nameConflict = failing('name_conflict');
const categoryNotFound = failing('category_not_found');
const inUse = failing('in_use');
const invalidType = failing('invalid_type');

export const existsFailure = (kind: Kind, name: string): Failure =>
  alreadyExists`A ${kind} '${shown(name)}' exists already`.advise(
    `Choose another name, or use ${kind}_change for the one that is there.`,
  );

export const conflictFailure = (kind: Kind, newName: string): Failure =>
  nameConflict`A ${kind} '${shown(newName)}' exists already`;

export const missingFailure = (kind: Kind, name: string): Failure =>
  notFound`No ${kind} '${shown(name)}' in the project file`.advise(`Use ${kind}_list to see the names.`);

/** All of the missing names, so that one answer is enough to make them. */
export function categoriesFailure(missing: readonly string[]): Failure {
  const names = missing.map((name) => `'${shown(name, 60)}'`).join(', ');
  return categoryNotFound`${missing.length === 1 ? 'No category' : 'No categories'} ${names} in the project file`.with({
    missing,
  });
}

export const inUseFailure = (name: string, categories: readonly string[]): Failure =>
  inUse`Collection '${shown(name)}' is in use by ${categories.map((one) => `'${shown(one, 60)}'`).join(', ')}`
    .with({ categories })
    .advise('Remove those categories, or let them draw from another collection with category_change.');

export const categoriesOfSource = (name: string, type: string): Failure =>
  invalidType`'${shown(name)}' is a ${type} collection, which has no categories`.advise(
    'Leave the categories out, or make a group for them: collection_add without path and url.',
  );

export const categoryOfGroup = (collection: string): Failure =>
  invalidType`'${shown(collection)}' is a group: a category draws from a file or pkg collection`.advise(
    'Name a file or pkg collection, or leave collection out to draw from all of the project.',
  );
