// Scores of many vectors against one, for WebAssembly with SIMD. AssemblyScript: `npm run wasm` compiles it.

/**
 * The products of `count` vectors of 8-bit integers with one of 16-bit integers. A width is a multiple of sixteen. Each
 * product is multiplied by the scale of its vector.
 */
export function scan(query: usize, vectors: usize, scales: usize, count: i32, width: i32, out: usize): void {
  const end = scales + ((<usize>count) << 2);
  const bytes = <usize>width;
  for (; scales < end; scales += 4) {
    let low = i32x4.splat(0);
    let high = i32x4.splat(0);
    let q = query;
    for (const last = vectors + bytes; vectors < last; vectors += 16) {
      const v = v128.load(vectors);
      low = i32x4.add(low, i32x4.dot_i16x8_s(i16x8.extend_low_i8x16_s(v), v128.load(q)));
      high = i32x4.add(high, i32x4.dot_i16x8_s(i16x8.extend_high_i8x16_s(v), v128.load(q, 16)));
      q += 32;
    }
    const sum = i32x4.add(low, high);
    const total =
      i32x4.extract_lane(sum, 0) + i32x4.extract_lane(sum, 1) + i32x4.extract_lane(sum, 2) + i32x4.extract_lane(sum, 3);
    store<f32>(out, <f32>total * load<f32>(scales));
    out += 4;
  }
}
