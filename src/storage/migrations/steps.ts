/** The steps from an empty file to the current schema. Append a step; never edit one that was released. */
import { ground } from './001-ground.js';
import { tree } from './002-tree.js';
import { context } from './003-context.js';
import { marks } from './004-marks.js';
import { vectors } from './005-vectors.js';
import { tokens } from './006-tokens.js';
import { retrieval } from './007-retrieval.js';
import { documents } from './008-documents.js';
import { complete } from './009-complete.js';

export const migrations: readonly string[] = [
  ground,
  tree,
  context,
  marks,
  vectors,
  tokens,
  retrieval,
  documents,
  complete,
];
