// The arithmetic of a MiniLM forward pass, for WebAssembly with SIMD. AssemblyScript: `npm run wasm` compiles it.
// Products of matrices run on 16-bit integers, all else on 32-bit floats. The caller lays out the memory and
// passes addresses; rows are padded to a multiple of four, and every width is a multiple of eight.

const LOG2_E: f32 = <f32>Math.LOG2E;
const LN2_HIGH: f32 = 0.693359375;
const LN2_LOW: f32 = -2.1219444e-4;
/** In attention: queries and keys are cut to 14 bits, so that the sum of 32 products fits into 32 bits. */
const QUERY_STEPS: f32 = 8191;
const VALUE_STEPS: f32 = 32000;
const WEIGHT_STEPS: f32 = 16384;
/** One over the square root of the width of a head, 32. */
const HEAD_SCALE: f32 = 0.17677669529663687;

function sumOf(v: v128): f32 {
  return f32x4.extract_lane(v, 0) + f32x4.extract_lane(v, 1) + (f32x4.extract_lane(v, 2) + f32x4.extract_lane(v, 3));
}

function greatestOf(v: v128): f32 {
  return max<f32>(
    max<f32>(f32x4.extract_lane(v, 0), f32x4.extract_lane(v, 1)),
    max<f32>(f32x4.extract_lane(v, 2), f32x4.extract_lane(v, 3)),
  );
}

/** Four 16-bit floats, widened: the exponent is moved by a multiplication, which is right for the smallest ones too. */
function widened(halves: v128): v128 {
  const bits = i32x4.extend_low_i16x8_u(halves);
  const sign = i32x4.shl(v128.and(bits, i32x4.splat(0x8000)), 16);
  const rest = i32x4.shl(v128.and(bits, i32x4.splat(0x7fff)), 13);
  return v128.or(f32x4.mul(rest, i32x4.splat(0x77800000)), sign);
}

/** Eight floats as 16-bit integers, in steps of one over `steps`. */
function stepped(x: usize, steps: v128): v128 {
  return i16x8.narrow_i32x4_s(
    i32x4.trunc_sat_f32x4_s(f32x4.nearest(f32x4.mul(v128.load(x), steps))),
    i32x4.trunc_sat_f32x4_s(f32x4.nearest(f32x4.mul(v128.load(x, 16), steps))),
  );
}

export function widen(from: usize, to: usize, count: i32): void {
  for (let i = 0; i < count; i += 4) {
    v128.store(to, widened(v128.load64_zero(from)));
    from += 8;
    to += 16;
  }
}

/**
 * Weights, 16-bit floats in `rows` rows, become 16-bit integers with a scale for each row. They are stored as `gemm`
 * reads them: eight rows side by side, two columns of each at a time. `row` is a scratch row of floats.
 */
export function packWeights(
  from: usize,
  to: usize,
  scales: usize,
  rows: i32,
  columns: i32,
  steps: f32,
  row: usize,
): void {
  const width = (<usize>columns) << 2;
  for (let r = 0; r < rows; r++) {
    widen(from, row, columns);
    from += (<usize>columns) << 1;
    const greatest = greatestIn(row, width);
    store<f32>(scales + ((<usize>r) << 2), greatest / steps);
    const factor = f32x4.splat(steps / greatest);
    let out = to + ((<usize>(r >> 3) * columns) << 4) + ((<usize>(r & 7)) << 2);
    for (let j: usize = 0; j < width; j += 32) {
      const packed = stepped(row + j, factor);
      store<i32>(out, i32x4.extract_lane(packed, 0));
      store<i32>(out, i32x4.extract_lane(packed, 1), 32);
      store<i32>(out, i32x4.extract_lane(packed, 2), 64);
      store<i32>(out, i32x4.extract_lane(packed, 3), 96);
      out += 128;
    }
  }
}

function greatestIn(x: usize, bytes: usize): f32 {
  let greatest = f32x4.splat(0);
  for (let j: usize = 0; j < bytes; j += 16) greatest = f32x4.max(greatest, f32x4.abs(v128.load(x + j)));
  const found = greatestOf(greatest);
  return found == 0 ? 1 : found;
}

/** Each token's row is the sum of its word, its position and the type of the text: all three are 16-bit floats. */
export function embedTokens(words: usize, positions: usize, kind: usize, out: usize, tokens: i32, width: i32): void {
  for (let token = 0; token < tokens; token++) {
    for (let j: usize = 0; j < (<usize>width) << 1; j += 8) {
      const sum = f32x4.add(
        widened(v128.load64_zero(words + j)),
        f32x4.add(widened(v128.load64_zero(positions + j)), widened(v128.load64_zero(kind + j))),
      );
      v128.store(out, sum);
      out += 16;
    }
    words += (<usize>width) << 1;
    positions += (<usize>width) << 1;
  }
}

/** Rows of floats as 16-bit integers, with a scale for each row. */
export function quantise(x: usize, rows: i32, width: i32, out: usize, scales: usize, steps: f32): void {
  const bytes = (<usize>width) << 2;
  for (let r = 0; r < rows; r++) {
    const greatest = greatestIn(x, bytes);
    store<f32>(scales + ((<usize>r) << 2), greatest / steps);
    const factor = f32x4.splat(steps / greatest);
    for (let j: usize = 0; j < bytes; j += 32) v128.store(out + (j >> 1), stepped(x + j, factor));
    x += bytes;
    out += bytes >> 1;
  }
}

/**
 * The product of activations (`rows` by `depth`) and packed weights (`columns` by `depth`), plus the bias. Four rows and
 * eight columns are computed at a time: their sums, two vectors of weights and one value fill the sixteen registers.
 */
export function gemm(
  activations: usize,
  rowScales: usize,
  weights: usize,
  columnScales: usize,
  bias: usize,
  out: usize,
  rows: i32,
  columns: i32,
  depth: i32,
): void {
  const rowBytes = (<usize>depth) << 1;
  const outBytes = (<usize>columns) << 2;
  const panel = rowBytes << 3;
  for (let n: usize = 0; n < outBytes; n += 32) {
    const scaleX = v128.load(columnScales + n);
    const scaleY = v128.load(columnScales + n, 16);
    const biasX = v128.load(bias + n);
    const biasY = v128.load(bias + n, 16);
    const end = weights + panel;
    for (let m: usize = 0; m < <usize>rows; m += 4) {
      let a0 = activations + m * rowBytes;
      let a1 = a0 + rowBytes;
      let a2 = a1 + rowBytes;
      let a3 = a2 + rowBytes;
      let x0 = i32x4.splat(0);
      let x1 = i32x4.splat(0);
      let x2 = i32x4.splat(0);
      let x3 = i32x4.splat(0);
      let y0 = i32x4.splat(0);
      let y1 = i32x4.splat(0);
      let y2 = i32x4.splat(0);
      let y3 = i32x4.splat(0);
      let w = weights;
      do {
        let x = v128.load(w);
        let y = v128.load(w, 16);
        let a = v128.load32_splat(a0);
        x0 = i32x4.add(x0, i32x4.dot_i16x8_s(a, x));
        y0 = i32x4.add(y0, i32x4.dot_i16x8_s(a, y));
        a = v128.load32_splat(a1);
        x1 = i32x4.add(x1, i32x4.dot_i16x8_s(a, x));
        y1 = i32x4.add(y1, i32x4.dot_i16x8_s(a, y));
        a = v128.load32_splat(a2);
        x2 = i32x4.add(x2, i32x4.dot_i16x8_s(a, x));
        y2 = i32x4.add(y2, i32x4.dot_i16x8_s(a, y));
        a = v128.load32_splat(a3);
        x3 = i32x4.add(x3, i32x4.dot_i16x8_s(a, x));
        y3 = i32x4.add(y3, i32x4.dot_i16x8_s(a, y));
        // The next two columns, in the same round: half the rounds are a third less time.
        x = v128.load(w, 32);
        y = v128.load(w, 48);
        a = v128.load32_splat(a0, 4);
        x0 = i32x4.add(x0, i32x4.dot_i16x8_s(a, x));
        y0 = i32x4.add(y0, i32x4.dot_i16x8_s(a, y));
        a = v128.load32_splat(a1, 4);
        x1 = i32x4.add(x1, i32x4.dot_i16x8_s(a, x));
        y1 = i32x4.add(y1, i32x4.dot_i16x8_s(a, y));
        a = v128.load32_splat(a2, 4);
        x2 = i32x4.add(x2, i32x4.dot_i16x8_s(a, x));
        y2 = i32x4.add(y2, i32x4.dot_i16x8_s(a, y));
        a = v128.load32_splat(a3, 4);
        x3 = i32x4.add(x3, i32x4.dot_i16x8_s(a, x));
        y3 = i32x4.add(y3, i32x4.dot_i16x8_s(a, y));
        w += 64;
        a0 += 8;
        a1 += 8;
        a2 += 8;
        a3 += 8;
      } while (w < end);
      const scales = rowScales + (m << 2);
      let to = out + m * outBytes + n;
      storeScaled(to, x0, y0, v128.load32_splat(scales), scaleX, scaleY, biasX, biasY);
      to += outBytes;
      storeScaled(to, x1, y1, v128.load32_splat(scales, 4), scaleX, scaleY, biasX, biasY);
      to += outBytes;
      storeScaled(to, x2, y2, v128.load32_splat(scales, 8), scaleX, scaleY, biasX, biasY);
      to += outBytes;
      storeScaled(to, x3, y3, v128.load32_splat(scales, 12), scaleX, scaleY, biasX, biasY);
    }
    weights = end;
  }
}

function storeScaled(
  to: usize,
  x: v128,
  y: v128,
  row: v128,
  scaleX: v128,
  scaleY: v128,
  biasX: v128,
  biasY: v128,
): void {
  v128.store(to, f32x4.add(f32x4.mul(f32x4.mul(f32x4.convert_i32x4_s(x), scaleX), row), biasX));
  v128.store(to, f32x4.add(f32x4.mul(f32x4.mul(f32x4.convert_i32x4_s(y), scaleY), row), biasY), 16);
}

/** Adds the rows of `y` to those of `x`, if there are any, and normalises each row: mean 0, variance 1, then gain and shift. */
export function addAndNormalise(x: usize, y: usize, gain: usize, shift: usize, rows: i32, width: i32): void {
  const bytes = (<usize>width) << 2;
  const share: f32 = 1.0 / <f32>width;
  for (let r = 0; r < rows; r++) {
    let sum = f32x4.splat(0);
    for (let j: usize = 0; j < bytes; j += 16) {
      let v = v128.load(x + j);
      if (y) v = f32x4.add(v, v128.load(y + j));
      v128.store(x + j, v);
      sum = f32x4.add(sum, v);
    }
    const mean = f32x4.splat(sumOf(sum) * share);
    let squares = f32x4.splat(0);
    for (let j: usize = 0; j < bytes; j += 16) {
      const off = f32x4.sub(v128.load(x + j), mean);
      squares = f32x4.add(squares, f32x4.mul(off, off));
    }
    const factor = f32x4.splat(<f32>(1.0 / sqrt<f32>(sumOf(squares) * share + 1e-12)));
    for (let j: usize = 0; j < bytes; j += 16) {
      const v = f32x4.mul(f32x4.sub(v128.load(x + j), mean), factor);
      v128.store(x + j, f32x4.add(f32x4.mul(v, v128.load(gain + j)), v128.load(shift + j)));
    }
    x += bytes;
    if (y) y += bytes;
  }
}

/** e to the power of x, for x up to 88: two to a whole power, times a polynomial for the rest. */
function exponential(value: v128): v128 {
  const x = f32x4.min(f32x4.max(value, f32x4.splat(-87)), f32x4.splat(88));
  const power = f32x4.nearest(f32x4.mul(x, f32x4.splat(LOG2_E)));
  const high = f32x4.sub(x, f32x4.mul(power, f32x4.splat(LN2_HIGH)));
  const rest = f32x4.sub(high, f32x4.mul(power, f32x4.splat(LN2_LOW)));
  let p = f32x4.splat(1.98756915e-4);
  p = f32x4.add(f32x4.mul(p, rest), f32x4.splat(1.3981999507e-3));
  p = f32x4.add(f32x4.mul(p, rest), f32x4.splat(8.3334519073e-3));
  p = f32x4.add(f32x4.mul(p, rest), f32x4.splat(4.1665795894e-2));
  p = f32x4.add(f32x4.mul(p, rest), f32x4.splat(1.6666665459e-1));
  p = f32x4.add(f32x4.mul(p, rest), f32x4.splat(5.0000001201e-1));
  p = f32x4.add(f32x4.add(f32x4.mul(f32x4.mul(p, rest), rest), rest), f32x4.splat(1));
  return f32x4.mul(p, i32x4.shl(i32x4.add(i32x4.trunc_sat_f32x4_s(power), i32x4.splat(127)), 23));
}

/** x times the share of a normal distribution below x, by Abramowitz and Stegun's formula 7.1.26. */
export function gelu(x: usize, count: i32): void {
  const end = x + ((<usize>count) << 2);
  const one = f32x4.splat(1);
  for (; x < end; x += 16) {
    const v = v128.load(x);
    const z = f32x4.mul(f32x4.abs(v), f32x4.splat(<f32>Math.SQRT1_2));
    const t = f32x4.div(one, f32x4.add(one, f32x4.mul(z, f32x4.splat(0.3275911))));
    let p = f32x4.splat(1.061405429);
    p = f32x4.add(f32x4.mul(p, t), f32x4.splat(-1.453152027));
    p = f32x4.add(f32x4.mul(p, t), f32x4.splat(1.421413741));
    p = f32x4.add(f32x4.mul(p, t), f32x4.splat(-0.284496736));
    p = f32x4.add(f32x4.mul(p, t), f32x4.splat(0.254829592));
    const error = f32x4.sub(one, f32x4.mul(f32x4.mul(p, t), exponential(f32x4.neg(f32x4.mul(z, z)))));
    const signed = v128.or(error, v128.and(v, i32x4.splat(0x80000000)));
    v128.store(x, f32x4.mul(f32x4.mul(v, f32x4.splat(0.5)), f32x4.add(one, signed)));
  }
}

function greatestInHead(x: usize, rowBytes: usize, rows: i32): f32 {
  let greatest = f32x4.splat(0);
  for (let i = 0; i < rows; i++) {
    for (let d: usize = 0; d < 128; d += 16) greatest = f32x4.max(greatest, f32x4.abs(v128.load(x + d)));
    x += rowBytes;
  }
  const found = greatestOf(greatest);
  return found == 0 ? 1 : found;
}

function packQueries(from: usize, to: usize, rowBytes: usize, rows: i32, steps: v128): void {
  for (let i = 0; i < rows; i++) {
    for (let d: usize = 0; d < 64; d += 16) v128.store(to + d, stepped(from + (d << 1), steps));
    from += rowBytes;
    to += 64;
  }
}

/** Keys, two values of each side by side, all keys of a pair of values after each other; padding is zero. */
function packKeys(from: usize, to: usize, rowBytes: usize, tokens: i32, padded: usize, steps: v128): void {
  const stride = padded << 2;
  for (let j: usize = 0; j < padded; j++) {
    const there = j < <usize>tokens;
    for (let d: usize = 0; d < 4; d++) {
      const keys = there ? stepped(from + (d << 5), steps) : i32x4.splat(0);
      const at = to + (d << 2) * stride + (j << 2);
      store<i32>(at, i32x4.extract_lane(keys, 0));
      store<i32>(at + stride, i32x4.extract_lane(keys, 1));
      store<i32>(at + 2 * stride, i32x4.extract_lane(keys, 2));
      store<i32>(at + 3 * stride, i32x4.extract_lane(keys, 3));
    }
    from += rowBytes;
  }
}

/** Values of two tokens interleaved, so that one instruction weighs both; padding is zero. */
function packValues(from: usize, to: usize, rowBytes: usize, tokens: i32, padded: i32, steps: v128): void {
  for (let j = 0; j < padded; j += 2) {
    for (let d: usize = 0; d < 4; d++) {
      const one = j < tokens ? stepped(from + (d << 5), steps) : i32x4.splat(0);
      const other = j + 1 < tokens ? stepped(from + rowBytes + (d << 5), steps) : i32x4.splat(0);
      const at = to + (d << 5);
      v128.store(at, i16x8.shuffle(one, other, 0, 8, 1, 9, 2, 10, 3, 11));
      v128.store(at, i16x8.shuffle(one, other, 4, 12, 5, 13, 6, 14, 7, 15), 16);
    }
    from += 2 * rowBytes;
    to += 128;
  }
}

/** How well four queries fit every key. */
function scoreKeys(queries: usize, keys: usize, scores: usize, bytes: usize, scale: v128): void {
  for (let j: usize = 0; j < bytes; j += 16) {
    let s0 = i32x4.splat(0);
    let s1 = i32x4.splat(0);
    let s2 = i32x4.splat(0);
    let s3 = i32x4.splat(0);
    let key = keys + j;
    for (let q = queries; q < queries + 64; q += 4) {
      const k = v128.load(key);
      key += bytes;
      s0 = i32x4.add(s0, i32x4.dot_i16x8_s(v128.load32_splat(q), k));
      s1 = i32x4.add(s1, i32x4.dot_i16x8_s(v128.load32_splat(q, 64), k));
      s2 = i32x4.add(s2, i32x4.dot_i16x8_s(v128.load32_splat(q, 128), k));
      s3 = i32x4.add(s3, i32x4.dot_i16x8_s(v128.load32_splat(q, 192), k));
    }
    v128.store(scores + j, f32x4.mul(f32x4.convert_i32x4_s(s0), scale));
    v128.store(scores + bytes + j, f32x4.mul(f32x4.convert_i32x4_s(s1), scale));
    v128.store(scores + 2 * bytes + j, f32x4.mul(f32x4.convert_i32x4_s(s2), scale));
    v128.store(scores + 3 * bytes + j, f32x4.mul(f32x4.convert_i32x4_s(s3), scale));
  }
}

/** The scores of one query become shares of one, as 16-bit integers. */
function softmax(scores: usize, shares: usize, tokens: i32, bytes: usize): void {
  for (let j = (<usize>tokens) << 2; j < bytes; j += 4) store<f32>(scores + j, -1e30);
  let greatest = f32x4.splat(-1e30);
  for (let j: usize = 0; j < bytes; j += 16) greatest = f32x4.max(greatest, v128.load(scores + j));
  const top = f32x4.splat(greatestOf(greatest));
  let sum = f32x4.splat(0);
  for (let j: usize = 0; j < bytes; j += 16) {
    const e = exponential(f32x4.sub(v128.load(scores + j), top));
    v128.store(scores + j, e);
    sum = f32x4.add(sum, e);
  }
  const factor = f32x4.splat(WEIGHT_STEPS / sumOf(sum));
  for (let j: usize = 0; j < bytes; j += 16) {
    const share = i32x4.trunc_sat_f32x4_s(f32x4.nearest(f32x4.mul(v128.load(scores + j), factor)));
    v128.store64_lane(shares + (j >> 1), i16x8.narrow_i32x4_s(share, share), 0);
  }
}

/** Sixteen columns of the values, weighed for two queries. */
function weighValues(shares: usize, bytes: usize, values: usize, out: usize, outBytes: usize, scale: v128): void {
  let x0 = i32x4.splat(0);
  let x1 = i32x4.splat(0);
  let x2 = i32x4.splat(0);
  let x3 = i32x4.splat(0);
  let y0 = i32x4.splat(0);
  let y1 = i32x4.splat(0);
  let y2 = i32x4.splat(0);
  let y3 = i32x4.splat(0);
  for (const end = shares + bytes; shares < end; shares += 4) {
    const x = v128.load32_splat(shares);
    const y = v128.load32_splat(shares + bytes);
    let v = v128.load(values);
    x0 = i32x4.add(x0, i32x4.dot_i16x8_s(x, v));
    y0 = i32x4.add(y0, i32x4.dot_i16x8_s(y, v));
    v = v128.load(values, 16);
    x1 = i32x4.add(x1, i32x4.dot_i16x8_s(x, v));
    y1 = i32x4.add(y1, i32x4.dot_i16x8_s(y, v));
    v = v128.load(values, 32);
    x2 = i32x4.add(x2, i32x4.dot_i16x8_s(x, v));
    y2 = i32x4.add(y2, i32x4.dot_i16x8_s(y, v));
    v = v128.load(values, 48);
    x3 = i32x4.add(x3, i32x4.dot_i16x8_s(x, v));
    y3 = i32x4.add(y3, i32x4.dot_i16x8_s(y, v));
    values += 128;
  }
  v128.store(out, f32x4.mul(f32x4.convert_i32x4_s(x0), scale));
  v128.store(out, f32x4.mul(f32x4.convert_i32x4_s(x1), scale), 16);
  v128.store(out, f32x4.mul(f32x4.convert_i32x4_s(x2), scale), 32);
  v128.store(out, f32x4.mul(f32x4.convert_i32x4_s(x3), scale), 48);
  const next = out + outBytes;
  v128.store(next, f32x4.mul(f32x4.convert_i32x4_s(y0), scale));
  v128.store(next, f32x4.mul(f32x4.convert_i32x4_s(y1), scale), 16);
  v128.store(next, f32x4.mul(f32x4.convert_i32x4_s(y2), scale), 32);
  v128.store(next, f32x4.mul(f32x4.convert_i32x4_s(y3), scale), 48);
}

/**
 * Attention of heads that are 32 wide. `qkv` has the queries, keys and values of a token in one row. The scratch places
 * hold, for one head: all queries, keys and values as integers; for four queries: the scores and the shares.
 */
export function attend(
  qkv: usize,
  out: usize,
  tokens: i32,
  width: i32,
  queries: usize,
  keys: usize,
  values: usize,
  scores: usize,
  shares: usize,
): void {
  const outBytes = (<usize>width) << 2;
  const rowBytes = outBytes + (outBytes << 1);
  const padded = (tokens + 3) & ~3;
  const bytes = (<usize>padded) << 2;
  for (let head: usize = 0; head < outBytes; head += 128) {
    const query = qkv + head;
    const key = query + outBytes;
    const value = key + outBytes;
    const topQuery = greatestInHead(query, rowBytes, tokens);
    const topKey = greatestInHead(key, rowBytes, tokens);
    const topValue = greatestInHead(value, rowBytes, tokens);
    packQueries(query, queries, rowBytes, padded, f32x4.splat(QUERY_STEPS / topQuery));
    packKeys(key, keys, rowBytes, tokens, padded, f32x4.splat(QUERY_STEPS / topKey));
    packValues(value, values, rowBytes, tokens, padded, f32x4.splat(VALUE_STEPS / topValue));
    const scoreScale = f32x4.splat((HEAD_SCALE * topQuery * topKey) / (QUERY_STEPS * QUERY_STEPS));
    const valueScale = f32x4.splat(topValue / (VALUE_STEPS * WEIGHT_STEPS));
    for (let i: usize = 0; i < <usize>padded; i += 4) {
      scoreKeys(queries + (i << 6), keys, scores, bytes, scoreScale);
      for (let r: usize = 0; r < 4; r++) softmax(scores + r * bytes, shares + ((r * bytes) >> 1), tokens, bytes);
      const to = out + i * outBytes + head;
      weighValues(shares, bytes >> 1, values, to, outBytes, valueScale);
      weighValues(shares, bytes >> 1, values + 64, to + 64, outBytes, valueScale);
      weighValues(shares + bytes, bytes >> 1, values, to + 2 * outBytes, outBytes, valueScale);
      weighValues(shares + bytes, bytes >> 1, values + 64, to + 2 * outBytes + 64, outBytes, valueScale);
    }
  }
}

/** The mean of the rows, of length one. */
export function pool(x: usize, rows: i32, width: i32, out: usize): void {
  const bytes = (<usize>width) << 2;
  let squares = f32x4.splat(0);
  for (let j: usize = 0; j < bytes; j += 16) {
    let sum = f32x4.splat(0);
    for (let r: usize = 0; r < <usize>rows; r++) sum = f32x4.add(sum, v128.load(x + r * bytes + j));
    v128.store(out + j, sum);
    squares = f32x4.add(squares, f32x4.mul(sum, sum));
  }
  const length = sqrt<f32>(sumOf(squares));
  const factor = f32x4.splat(length == 0 ? 0 : <f32>1 / length);
  for (let j: usize = 0; j < bytes; j += 16) v128.store(out + j, f32x4.mul(v128.load(out + j), factor));
}
