/** Documents from elsewhere. */
import { collectionAdd, collectionList, collectionRemove, collectionSync } from './collections.js';
import { collectionPack, manifestInit, projectInit } from './packages.js';
import { refCollections, refDrop, refList, refOutline, refRead, refSearch } from './refs.js';

export const contextTools = [
  projectInit,
  collectionList,
  collectionAdd,
  collectionRemove,
  collectionSync,
  collectionPack,
  manifestInit,
  refCollections,
  refSearch,
  refRead,
  refOutline,
  refList,
  refDrop,
] as const;
