/** Vectors as integers: 16 bits a number to keep and to score with, 8 bits a number to scan. */

/** The widest number becomes the greatest integer. */
const KEPT_STEPS = 32_767;
const SCANNED_STEPS = 127;
const SCALE_BYTES = 4;

function greatestOf(vector: Float32Array): number {
  let greatest = 0;
  for (let at = 0; at < vector.length; at++) greatest = Math.max(greatest, Math.abs(vector[at] as number));
  return greatest || 1;
}

/** The form that is stored: the scale, then the numbers. Its error is below a hundred-thousandth. */
export function toKept(vector: Float32Array): Uint8Array {
  const scale = greatestOf(vector) / KEPT_STEPS;
  const bytes = new Uint8Array(SCALE_BYTES + 2 * vector.length);
  new Float32Array(bytes.buffer, 0, 1)[0] = scale;
  const kept = new Int16Array(bytes.buffer, SCALE_BYTES);
  for (let at = 0; at < vector.length; at++) kept[at] = Math.round((vector[at] as number) / scale);
  return bytes;
}

export function fromKept(stored: Uint8Array): Float32Array {
  // A copy, because a driver may give bytes that begin at an odd place.
  const bytes = new Uint8Array(stored).buffer;
  const scale = new Float32Array(bytes, 0, 1)[0] as number;
  const kept = new Int16Array(bytes, SCALE_BYTES);
  const vector = new Float32Array(kept.length);
  // A loop: with a function for each number, a search would spend most of its time here.
  for (let at = 0; at < vector.length; at++) vector[at] = (kept[at] as number) * scale;
  return vector;
}

/** The product with a stored vector, in one go: a search makes hundreds of them. */
export function dotKept(stored: Uint8Array, query: Float32Array): number {
  const bytes = new Uint8Array(stored).buffer;
  const kept = new Int16Array(bytes, SCALE_BYTES);
  let sum = 0;
  for (let at = 0; at < kept.length; at++) sum += (kept[at] as number) * (query[at] as number);
  return sum * (new Float32Array(bytes, 0, 1)[0] as number);
}

/** Kernels take sixteen numbers at a time. */
export const paddedWidth = (dimensions: number): number => Math.ceil(dimensions / 16) * 16;

export type Scanned = { readonly scale: number; readonly values: Int8Array };

export function toScanned(vector: Float32Array): Scanned {
  const scale = greatestOf(vector) / SCANNED_STEPS;
  const values = new Int8Array(paddedWidth(vector.length));
  for (let at = 0; at < vector.length; at++) values[at] = Math.round((vector[at] as number) / scale);
  return { scale, values };
}

/** So fine that the sum of all products with scanned vectors still fits into 32 bits. */
export function toQuery(vector: Float32Array): { scale: number; values: Int16Array } {
  const width = paddedWidth(vector.length);
  const steps = Math.min(KEPT_STEPS, Math.floor((2 ** 31 - 1) / (SCANNED_STEPS * width)));
  const scale = greatestOf(vector) / steps;
  const values = new Int16Array(width);
  for (let at = 0; at < vector.length; at++) values[at] = Math.round((vector[at] as number) / scale);
  return { scale, values };
}

export function dot(one: Float32Array, other: Float32Array): number {
  let sum = 0;
  for (let at = 0; at < one.length; at++) sum += (one[at] as number) * (other[at] as number);
  return sum;
}

/** A vector of length one in the same direction, or undefined where there is no direction. */
export function unit(vector: Float32Array): Float32Array | undefined {
  const length = Math.sqrt(dot(vector, vector));
  return length > 0 && Number.isFinite(length) ? vector.map((value) => value / length) : undefined;
}
