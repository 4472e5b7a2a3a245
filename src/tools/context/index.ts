/** Documents from elsewhere. */
import { collectionSync } from './collections.js';
import { indexStatus } from './index-status.js';
import { collectionPack, manifestInit, projectInit } from './packages.js';
import { refCollections, refDrop, refList, refOutline, refRead, refSearch } from './refs.js';

export const contextTools = [
  projectInit,
  collectionSync,
  collectionPack,
  manifestInit,
  indexStatus,
  refCollections,
  refSearch,
  refRead,
  refOutline,
  refList,
  refDrop,
] as const;
