/** The tools for names of documents: collections, groups, categories, and their text. */
import { categoryAdd, categoryChange, categoryList, categoryRemove, categoryUpdate } from './categories.js';
import { collectionAdd, collectionChange, collectionRemove, collectionUpdate } from './collections.js';
import { getContent } from './content.js';
import { collectionList } from './list.js';

export const catalogTools = [
  collectionList,
  collectionAdd,
  collectionRemove,
  collectionChange,
  collectionUpdate,
  categoryList,
  categoryAdd,
  categoryRemove,
  categoryChange,
  categoryUpdate,
  getContent,
] as const;
