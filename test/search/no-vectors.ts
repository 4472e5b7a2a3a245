/** The port of search by meaning, as it answers where there is no embedder. */
import type { VectorPort } from '../../src/search/vectors/port.js';

export const noVectors: VectorPort = {
  nearest: async () => [],
  nearestTo: async () => [],
  coverage: async () => ({ chunks: 0, embedded: 0 }),
};
