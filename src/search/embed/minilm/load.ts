/** Brings the weights into the memory of the engine, in the form that its kernel reads. */
import { type Kernel, kernelOn } from './kernel.js';
import type { Layer, Layout, Matrix, Norm } from './layout.js';
import { INNER_WIDTH, MAX_TOKENS, WIDTH } from './model.js';
import type { Weights } from './weights.js';

const HALF = 2;
const FLOAT = 4;
/** Weights are cut into this many steps on each side of zero. */
const WEIGHT_STEPS = 511;

/** So many steps of an activation that `depth` products with weights can never overflow 32 bits. */
export const activationSteps = (depth: number): number => Math.floor((2 ** 31 - 1) / (WEIGHT_STEPS * depth));

export function loadWeights(memory: WebAssembly.Memory, layout: Layout, weights: Weights): void {
  const kernel = kernelOn(memory);
  // A desk that is not in use yet: a tensor as it is in the file, and one row of it as floats.
  const [{ inner: raw, qkv: row } = missingDesk()] = layout.desks;
  const bytes = (at: number, length: number) => new Uint8Array(memory.buffer, at, length);
  const floats = (name: string, to: number, count: number) => {
    weights.read(name, bytes(raw, count * HALF));
    kernel.widen(raw, to, count);
  };
  const norm = (name: string, { gain, shift }: Norm) => {
    floats(`${name}.weight`, gain, WIDTH);
    floats(`${name}.bias`, shift, WIDTH);
  };
  /** Several tensors of one shape may stand below each other in one matrix. */
  const matrix = (names: readonly string[], to: Matrix, rows: number, columns: number) => {
    for (const [index, name] of names.entries()) {
      const from = index * rows;
      weights.read(`${name}.weight`, bytes(raw, rows * columns * HALF));
      pack(kernel, raw, to, { from, rows, columns }, row);
      floats(`${name}.bias`, to.bias + from * FLOAT, rows);
    }
  };

  weights.read('embeddings.position_embeddings.weight', bytes(layout.positions, MAX_TOKENS * WIDTH * HALF));
  weights.read('embeddings.token_type_embeddings.weight', bytes(layout.kind, WIDTH * HALF));
  norm('embeddings.LayerNorm', layout.embeddingNorm);
  for (const [index, layer] of layout.layers.entries()) loadLayer(`encoder.layer.${index}`, layer, { matrix, norm });
}

type Load = {
  matrix: (names: readonly string[], to: Matrix, rows: number, columns: number) => void;
  norm: (name: string, to: Norm) => void;
};

function loadLayer(name: string, layer: Layer, { matrix, norm }: Load): void {
  const attention = ['query', 'key', 'value'].map((part) => `${name}.attention.self.${part}`);
  matrix(attention, layer.attention, WIDTH, WIDTH);
  matrix([`${name}.attention.output.dense`], layer.attentionOut, WIDTH, WIDTH);
  norm(`${name}.attention.output.LayerNorm`, layer.attentionNorm);
  matrix([`${name}.intermediate.dense`], layer.inner, INNER_WIDTH, WIDTH);
  matrix([`${name}.output.dense`], layer.outer, WIDTH, INNER_WIDTH);
  norm(`${name}.output.LayerNorm`, layer.outerNorm);
}

type Rows = { from: number; rows: number; columns: number };

function pack(kernel: Kernel, raw: number, to: Matrix, { from, rows, columns }: Rows, row: number): void {
  const values = to.values + from * columns * HALF;
  kernel.packWeights(raw, values, to.scales + from * FLOAT, rows, columns, WEIGHT_STEPS, row);
}

function missingDesk(): never {
  throw new Error('The memory of the engine has no desk.');
}
