/** One text through the model: numbers of word pieces in, a vector of length one out. */
import { kernelOn } from './kernel.js';
import type { Layer, Layout } from './layout.js';
import { activationSteps } from './load.js';
import { INNER_WIDTH, WIDTH } from './model.js';
import type { Weights } from './weights.js';

export type Forward = (ids: readonly number[]) => Float32Array;

const ROW_BYTES = WIDTH * 2;

/** For one thread: each has its own desk in the memory that they share. */
export function forwardAt(memory: WebAssembly.Memory, layout: Layout, weights: Weights, thread: number): Forward {
  const kernel = kernelOn(memory);
  const desk = layout.desks[thread];
  if (!desk) throw new Error(`The memory of the engine has no desk ${thread}.`);
  const { rows: x, integers, scales, qkv, mixed, inner, queries, keys, values, scores, shares, vector } = desk;

  const readWords = (ids: readonly number[]) => {
    for (const [index, id] of ids.entries()) {
      const to = new Uint8Array(memory.buffer, desk.words + index * ROW_BYTES, ROW_BYTES);
      weights.read('embeddings.word_embeddings.weight', to, id * ROW_BYTES);
    }
  };
  const multiply = (from: number, matrix: Layer['inner'], to: number, rows: number, size: [number, number]) => {
    const [columns, depth] = size;
    kernel.quantise(from, rows, depth, integers, scales, activationSteps(depth));
    kernel.gemm(integers, scales, matrix.values, matrix.scales, matrix.bias, to, rows, columns, depth);
  };
  const passLayer = (layer: Layer, tokens: number, rows: number) => {
    multiply(x, layer.attention, qkv, rows, [3 * WIDTH, WIDTH]);
    kernel.attend(qkv, mixed, tokens, WIDTH, queries, keys, values, scores, shares);
    multiply(mixed, layer.attentionOut, inner, rows, [WIDTH, WIDTH]);
    kernel.addAndNormalise(x, inner, layer.attentionNorm.gain, layer.attentionNorm.shift, tokens, WIDTH);
    multiply(x, layer.inner, inner, rows, [INNER_WIDTH, WIDTH]);
    kernel.gelu(inner, rows * INNER_WIDTH);
    multiply(inner, layer.outer, mixed, rows, [WIDTH, INNER_WIDTH]);
    kernel.addAndNormalise(x, mixed, layer.outerNorm.gain, layer.outerNorm.shift, tokens, WIDTH);
  };

  return (ids) => {
    const tokens = ids.length;
    const rows = Math.ceil(tokens / 4) * 4;
    readWords(ids);
    kernel.embedTokens(desk.words, layout.positions, layout.kind, x, tokens, WIDTH);
    // What an earlier text left in the rows that only fill up must not become a number without end.
    new Float32Array(memory.buffer, x + tokens * WIDTH * 4, (rows - tokens) * WIDTH).fill(0);
    kernel.addAndNormalise(x, 0, layout.embeddingNorm.gain, layout.embeddingNorm.shift, tokens, WIDTH);
    for (const layer of layout.layers) passLayer(layer, tokens, rows);
    kernel.pool(x, tokens, WIDTH, vector);
    return new Float32Array(memory.buffer, vector, WIDTH).slice();
  };
}
