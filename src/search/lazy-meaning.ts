/** Search by meaning that is loaded by its first use: most commands never need it, and all of them start. */
import type { Meaning, MeaningOptions } from './meaning.js';

export function lazyMeaning(options: () => MeaningOptions, background: boolean): Meaning {
  let opening: Promise<Meaning> | undefined;
  let closed = false;
  const open = (): Promise<Meaning> => {
    opening ??= import('./meaning.js').then(({ openMeaning }) => openMeaning(options()));
    return opening;
  };
  return {
    vectors: {
      nearest: async (...args) => (await open()).vectors.nearest(...args),
      nearestTo: async (...args) => (await open()).vectors.nearestTo(...args),
      coverage: async (...args) => (await open()).vectors.coverage(...args),
    },
    embedding: {
      probe: async (...args) => (await open()).embedding.probe(...args),
      status: async (...args) => (await open()).embedding.status(...args),
      complete: async (...args) => (await open()).embedding.complete(...args),
    },
    afterCall() {
      if (!background || closed) return;
      // What keeps it from loading is told by the first call that needs it.
      open().then(
        ({ afterCall }) => afterCall(),
        () => {},
      );
    },
    async close() {
      closed = true;
      await (await opening?.catch(() => undefined))?.close();
    },
  };
}
