/** all-MiniLM-L6-v2 in this process: no network, no native code. Nothing is loaded before the first text. */
import type { Embedder } from '../embedder.js';
import { forwardAt } from './forward.js';
import { kernelMemory } from './kernel.js';
import { layoutFor } from './layout.js';
import { loadWeights } from './load.js';
import { findModel, MAX_TOKENS } from './model.js';
import { startThreads } from './threads.js';
import { openWeights } from './weights.js';
import { loadTokenizer } from './wordpiece.js';

/** A question up to this length is embedded where it is asked: to wait for a thread would take longer. */
const SHORT = 48;

export function minilm(threadCount: number): Embedder {
  let opening: Promise<Engine> | undefined;
  const open = () => {
    opening ??= openEngine(threadCount);
    // What failed once is tried again: the package may be installed by then.
    opening.catch(() => {
      opening = undefined;
    });
    return opening;
  };
  return {
    name: 'minilm-l6-v2',
    engine: 'wasm',
    batch: 16,
    embed: async (texts, { signal } = {}) => {
      const { threads } = await open();
      return Promise.all(texts.map((text) => threads.embed(text, signal)));
    },
    embedQuery: async (text, { signal } = {}) => {
      const { threads, encode, forward } = await open();
      const ids = encode(text, MAX_TOKENS);
      return ids.length <= SHORT ? forward(ids) : threads.embed(text, signal, true);
    },
    close: async () => {
      await (await opening?.catch(() => undefined))?.threads.close();
    },
  };
}

type Engine = Awaited<ReturnType<typeof openEngine>>;

async function openEngine(threadCount: number) {
  const files = await findModel();
  const weights = openWeights(files.weightsPath);
  const layout = layoutFor(1 + threadCount);
  const memory = kernelMemory(layout.bytes);
  loadWeights(memory, layout, weights);
  const { encode } = loadTokenizer(files.tokenizerPath);
  const threads = startThreads(threadCount, { memory, layout, files });
  return { threads, encode, forward: forwardAt(memory, layout, weights, 0) };
}
