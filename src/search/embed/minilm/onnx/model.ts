/** The model as an ONNX file, made in memory from the weights: takes the numbers of word pieces, gives the mean of its rows. */
import { INNER_WIDTH, LAYERS, MAX_TOKENS, WIDTH } from '../model.js';
import type { Weights } from '../weights.js';
import { part, real, whole } from './protobuf.js';

const FLOAT = 1;
const INT64 = 7;
const HALF = 10;
const IR_VERSION = 9;
const OPSET = 20;
const HEADS = 12;
const VOCABULARY = 30_522;

type Attribute = readonly [name: string, value: number | readonly number[] | { real: number }];

/** The fields of the messages are those of onnx.proto. */
export function onnxModel(weights: Weights): Uint8Array {
  const graph = graphOf(weights);
  return Buffer.concat([whole(1, IR_VERSION), part(7, graph), part(8, [part(1, ''), whole(2, OPSET)])]);
}

function graphOf(weights: Weights): Uint8Array[] {
  const nodes: Uint8Array[] = [];
  const tensors: Uint8Array[] = [];
  let made = 0;

  const node = (
    kind: string,
    inputs: readonly string[],
    attributes: readonly Attribute[] = [],
    output = `v${made++}`,
  ) => {
    const fields = [...inputs.map((name) => part(1, name)), part(2, output), part(4, kind)];
    nodes.push(part(1, [...fields, ...attributes.map(attribute)]));
    return output;
  };
  /** Weights stay 16-bit floats in the file; the runtime widens them once. */
  const weight = (name: string, ...shape: readonly number[]) => {
    const bytes = new Uint8Array(shape.reduce((size, length) => size * length, 2));
    weights.read(name, bytes);
    tensors.push(part(5, tensor(name, HALF, shape, bytes)));
    return node('Cast', [name], [['to', FLOAT]]);
  };
  const constant = (kind: typeof FLOAT | typeof INT64, values: readonly number[], shape: readonly number[]) => {
    const name = `c${made++}`;
    const numbers = kind === FLOAT ? Float32Array.from(values) : BigInt64Array.from(values, BigInt);
    tensors.push(part(5, tensor(name, kind, shape, new Uint8Array(numbers.buffer))));
    return name;
  };
  const linear = (x: string, name: string, rows: number, columns: number) =>
    node('Gemm', [x, weight(`${name}.weight`, rows, columns), weight(`${name}.bias`, rows)], [['transB', 1]]);
  const normal = (x: string, name: string) =>
    node(
      'LayerNormalization',
      [x, weight(`${name}.weight`, WIDTH), weight(`${name}.bias`, WIDTH)],
      [
        ['axis', -1],
        ['epsilon', { real: 1e-12 }],
      ],
    );

  const headShape = constant(INT64, [-1, HEADS, WIDTH / HEADS], [3]);
  const rowShape = constant(INT64, [-1, WIDTH], [2]);
  const scale = constant(FLOAT, [Math.sqrt(HEADS / WIDTH)], []);
  const heads = (x: string, order: readonly number[]) =>
    node('Transpose', [node('Reshape', [x, headShape])], [['perm', order]]);

  const words = node('Gather', [weight('embeddings.word_embeddings.weight', VOCABULARY, WIDTH), 'ids']);
  const places = node('Gather', [weight('embeddings.position_embeddings.weight', MAX_TOKENS, WIDTH), 'positions']);
  const kind = weight('embeddings.token_type_embeddings.weight', WIDTH);
  let x = normal(node('Add', [node('Add', [words, places]), kind]), 'embeddings.LayerNorm');
  for (let layer = 0; layer < LAYERS; layer++) {
    const name = `encoder.layer.${layer}`;
    const projected = (which: string) => linear(x, `${name}.attention.self.${which}`, WIDTH, WIDTH);
    const scores = node('MatMul', [heads(projected('query'), [1, 0, 2]), heads(projected('key'), [1, 2, 0])]);
    const shares = node('Softmax', [node('Mul', [scores, scale])], [['axis', -1]]);
    const mixed = node('MatMul', [shares, heads(projected('value'), [1, 0, 2])]);
    const rows = node('Reshape', [node('Transpose', [mixed], [['perm', [1, 0, 2]]]), rowShape]);
    const attended = linear(rows, `${name}.attention.output.dense`, WIDTH, WIDTH);
    x = normal(node('Add', [x, attended]), `${name}.attention.output.LayerNorm`);
    const inner = node('Gelu', [linear(x, `${name}.intermediate.dense`, INNER_WIDTH, WIDTH)]);
    const outer = linear(inner, `${name}.output.dense`, WIDTH, INNER_WIDTH);
    x = normal(node('Add', [x, outer]), `${name}.output.LayerNorm`);
  }
  node('ReduceMean', [x, constant(INT64, [0], [1])], [['keepdims', 0]], 'mean');

  return [
    ...nodes,
    part(2, 'minilm'),
    ...tensors,
    part(11, value('ids', INT64, 'tokens')),
    part(11, value('positions', INT64, 'tokens')),
    part(12, value('mean', FLOAT, WIDTH)),
  ];
}

function attribute([name, value]: Attribute): Uint8Array {
  const [INT, INTS, REAL] = [2, 7, 1];
  if (typeof value === 'number') return part(5, [part(1, name), whole(3, value), whole(20, INT)]);
  if ('real' in value) return part(5, [part(1, name), real(2, value.real), whole(20, REAL)]);
  return part(5, [part(1, name), ...value.map((one) => whole(8, one)), whole(20, INTS)]);
}

const tensor = (name: string, kind: number, shape: readonly number[], bytes: Uint8Array): Uint8Array[] => [
  ...shape.map((length) => whole(1, length)),
  whole(2, kind),
  part(8, name),
  part(9, bytes),
];

/** An input or output with one dimension, which is a number or has a name. */
function value(name: string, kind: number, length: number | string): Uint8Array[] {
  const dimension = typeof length === 'number' ? whole(1, length) : part(2, length);
  return [part(1, name), part(2, [part(1, [whole(1, kind), part(2, [part(1, [dimension])])])])];
}
