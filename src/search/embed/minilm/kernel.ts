/** The compiled kernel, `wasm/minilm.ts`: what it exports, and an instance of it on a memory that threads share. */
import { readFileSync } from 'node:fs';

export type Kernel = {
  widen(from: number, to: number, count: number): void;
  packWeights(
    from: number,
    to: number,
    scales: number,
    rows: number,
    columns: number,
    steps: number,
    row: number,
  ): void;
  embedTokens(words: number, positions: number, kind: number, out: number, tokens: number, width: number): void;
  quantise(x: number, rows: number, width: number, out: number, scales: number, steps: number): void;
  gemm(
    activations: number,
    rowScales: number,
    weights: number,
    columnScales: number,
    bias: number,
    out: number,
    rows: number,
    columns: number,
    depth: number,
  ): void;
  addAndNormalise(x: number, y: number, gain: number, shift: number, rows: number, width: number): void;
  gelu(x: number, count: number): void;
  attend(
    qkv: number,
    out: number,
    tokens: number,
    width: number,
    queries: number,
    keys: number,
    values: number,
    scores: number,
    shares: number,
  ): void;
  pool(x: number, rows: number, width: number, out: number): void;
};

const PAGE = 65_536;

export function kernelMemory(bytes: number): WebAssembly.Memory {
  const pages = Math.ceil(bytes / PAGE);
  return new WebAssembly.Memory({ initial: pages, maximum: pages, shared: true });
}

export function kernelOn(memory: WebAssembly.Memory): Kernel {
  const compiled = new WebAssembly.Module(readFileSync(new URL('./minilm.wasm', import.meta.url)));
  const { exports } = new WebAssembly.Instance(compiled, { env: { memory } });
  return exports as unknown as Kernel;
}
