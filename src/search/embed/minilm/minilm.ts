/** all-MiniLM-L6-v2 in this process: no network, and no native code unless the user has installed it. Loaded by the first text. */
import type { Embedder, EmbedOptions } from '../embedder.js';
import { forwardAt } from './forward.js';
import { kernelMemory } from './kernel.js';
import { layoutFor } from './layout.js';
import { loadWeights } from './load.js';
import { findModel, MAX_TOKENS, type ModelFiles } from './model.js';
import type { Runtime } from './onnx/runtime.js';
import { startThreads } from './threads.js';
import { openWeights } from './weights.js';
import { loadTokenizer } from './wordpiece.js';

export type MinilmOptions = {
  /** Threads that embed texts. */
  threads: number;
  /** Finds the native runtime, if it may be used. */
  runtime?: (() => Promise<Runtime | undefined>) | undefined;
};

type Texts = {
  readonly name: string;
  embed(texts: readonly string[], options: EmbedOptions): Promise<Float32Array[]>;
  close(): Promise<void>;
};

/** A question up to this length is embedded where it is asked: to wait for a thread would take longer. */
const SHORT = 48;

export function minilm({ threads, runtime }: MinilmOptions): Embedder {
  const kernel = once(() => openKernel(threads));
  const native = once(async () => (runtime ? openNative(await runtime(), threads) : undefined));
  let engine = 'wasm';
  return {
    // Vectors of both engines are the same for all purposes, so they share a name.
    name: 'minilm-l6-v2',
    get engine() {
      return engine;
    },
    batch: 16,
    embed: async (texts, options = {}) => {
      const chosen: Texts = (await native.open().catch(() => undefined)) ?? (await kernel.open());
      engine = chosen.name;
      return chosen.embed(texts, options);
    },
    // Always by the kernel: it is ready long before a native runtime has started.
    embedQuery: async (text, { signal } = {}) => {
      const { encode, forward, threads } = await kernel.open();
      const ids = encode(text, MAX_TOKENS);
      return ids.length <= SHORT ? forward(ids) : threads.embed(text, signal, true);
    },
    close: async () => {
      for (const opened of [await kernel.opened(), await native.opened()]) await opened?.close();
    },
  };
}

/** Opened by the first use; what failed is tried again, because a package may be installed by then. */
function once<T>(make: () => Promise<T>) {
  let making: Promise<T> | undefined;
  return {
    open: (): Promise<T> => {
      making ??= make().catch((thrown: unknown) => {
        making = undefined;
        throw thrown;
      });
      return making;
    },
    opened: async (): Promise<T | undefined> => making?.catch(() => undefined),
  };
}

async function openKernel(threadCount: number) {
  const files = await findModel();
  const weights = openWeights(files.weightsPath);
  const layout = layoutFor(1 + threadCount);
  const memory = kernelMemory(layout.bytes);
  loadWeights(memory, layout, weights);
  const threads = startThreads(threadCount, { memory, layout, files });
  return {
    name: 'wasm',
    threads,
    encode: loadTokenizer(files.tokenizerPath).encode,
    forward: forwardAt(memory, layout, weights, 0),
    embed: (texts: readonly string[], { signal }: EmbedOptions) =>
      Promise.all(texts.map((text) => threads.embed(text, signal))),
    close: threads.close,
  };
}

async function openNative(runtime: Runtime | undefined, threads: number): Promise<Texts | undefined> {
  if (!runtime) return undefined;
  const files: ModelFiles = await findModel();
  const { openOnnx } = await import('./onnx/runtime.js');
  const engine = await openOnnx(runtime, openWeights(files.weightsPath), threads);
  const { encode } = loadTokenizer(files.tokenizerPath);
  return {
    name: 'onnxruntime',
    close: engine.close,
    async embed(texts, { signal }) {
      const vectors: Float32Array[] = [];
      for (const text of texts) {
        signal?.throwIfAborted();
        vectors.push(await engine.embed(encode(text, MAX_TOKENS)));
      }
      return vectors;
    },
  };
}
