/** Where everything stands in the memory of the engine: the weights once, then a desk for each thread. */
import { INNER_WIDTH, LAYERS, MAX_TOKENS, WIDTH } from './model.js';

/** A matrix of packed weights, with a scale and a bias for each of its rows. */
export type Matrix = { readonly values: number; readonly scales: number; readonly bias: number };
export type Norm = { readonly gain: number; readonly shift: number };

export type Layer = {
  readonly attention: Matrix;
  readonly attentionOut: Matrix;
  readonly attentionNorm: Norm;
  readonly inner: Matrix;
  readonly outer: Matrix;
  readonly outerNorm: Norm;
};

export type Layout = {
  readonly positions: number;
  readonly kind: number;
  readonly embeddingNorm: Norm;
  readonly layers: readonly Layer[];
  readonly desks: readonly Desk[];
  readonly bytes: number;
};

/** The places that one thread computes in. */
export type Desk = Readonly<Record<DeskPlace, number>>;
type DeskPlace = keyof typeof deskBytes;

const FLOAT = 4;
const HALF = 2;
const HEAD_WIDTH = 32;

const deskBytes = {
  words: MAX_TOKENS * WIDTH * HALF,
  rows: MAX_TOKENS * WIDTH * FLOAT,
  integers: MAX_TOKENS * INNER_WIDTH * HALF,
  scales: MAX_TOKENS * FLOAT,
  qkv: MAX_TOKENS * 3 * WIDTH * FLOAT,
  mixed: MAX_TOKENS * WIDTH * FLOAT,
  inner: MAX_TOKENS * INNER_WIDTH * FLOAT,
  queries: MAX_TOKENS * HEAD_WIDTH * HALF,
  keys: MAX_TOKENS * HEAD_WIDTH * HALF,
  values: MAX_TOKENS * HEAD_WIDTH * HALF,
  scores: 4 * MAX_TOKENS * FLOAT,
  shares: 4 * MAX_TOKENS * HALF,
  vector: WIDTH * FLOAT,
};

/** The beginning is left free: an address of 0 means that there is nothing. */
const FIRST = 1024;
const ALIGNMENT = 64;

export function layoutFor(threads: number): Layout {
  let top = FIRST;
  const take = (bytes: number) => {
    const place = top;
    top = Math.ceil((top + bytes) / ALIGNMENT) * ALIGNMENT;
    return place;
  };
  const matrix = (rows: number, columns: number): Matrix => ({
    values: take(rows * columns * HALF),
    scales: take(rows * FLOAT),
    bias: take(rows * FLOAT),
  });
  const norm = (): Norm => ({ gain: take(WIDTH * FLOAT), shift: take(WIDTH * FLOAT) });
  const layer = (): Layer => ({
    attention: matrix(3 * WIDTH, WIDTH),
    attentionOut: matrix(WIDTH, WIDTH),
    attentionNorm: norm(),
    inner: matrix(INNER_WIDTH, WIDTH),
    outer: matrix(WIDTH, INNER_WIDTH),
    outerNorm: norm(),
  });
  const desk = (): Desk => {
    const places = Object.entries(deskBytes).map(([name, bytes]) => [name, take(bytes)]);
    return Object.fromEntries(places) as Desk;
  };
  return {
    positions: take(MAX_TOKENS * WIDTH * HALF),
    kind: take(WIDTH * HALF),
    embeddingNorm: norm(),
    layers: Array.from({ length: LAYERS }, layer),
    desks: Array.from({ length: threads }, desk),
    bytes: top,
  };
}
