/** Documents from elsewhere. */
import { collectionSync } from './collections.js';
import { indexStatus } from './index-status.js';
import { collectionPack, manifestInit, projectInit } from './packages.js';
import { refBatch } from './ref-batch.js';
import { refRelated } from './ref-related.js';
import { refSearch } from './ref-search.js';
import { refCollections, refDrop, refList, refOutline, refRead } from './refs.js';

export const contextTools = [
  projectInit,
  collectionSync,
  collectionPack,
  manifestInit,
  indexStatus,
  refCollections,
  refSearch,
  refBatch,
  refRelated,
  refRead,
  refOutline,
  refList,
  refDrop,
] as const;
