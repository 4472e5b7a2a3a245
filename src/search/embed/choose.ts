/** The embedder that the settings ask for. Nothing of it is loaded, and no server asked, before its first text. */
import os from 'node:os';
import type { Embedder } from './embedder.js';
import { minilm } from './minilm/minilm.js';
import { openai } from './openai.js';

export type EmbedderSettings = {
  readonly kind: 'minilm' | 'openai' | 'none';
  /** What runs minilm: the package onnxruntime-node where it is installed, or always the own kernel. */
  readonly engine?: 'auto' | 'wasm';
  /** 0: as many as fit the machine. */
  readonly threads: number;
  /** True leaves half of the machine to others. */
  readonly sparing: boolean;
  readonly openai: { url: string; model: string; dimensions: number; key: string | undefined; timeoutMs: number };
};

const MOST_THREADS = 8;

export function chooseEmbedder({
  kind,
  engine,
  threads,
  sparing,
  openai: server,
}: EmbedderSettings): Embedder | undefined {
  if (kind === 'openai') return openai(server);
  if (kind === 'none') return undefined;
  return minilm({
    threads: threads || threadsFor(os.availableParallelism(), sparing),
    runtime: engine === 'auto' ? async () => (await import('./minilm/onnx/runtime.js')).findRuntime() : undefined,
  });
}

export const threadsFor = (cores: number, sparing: boolean): number =>
  Math.max(1, Math.min(MOST_THREADS, sparing ? Math.floor(cores / 2) : cores));
