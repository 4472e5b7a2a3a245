/** All vectors of an embedder in memory, as blocks of 8-bit integers, and the scan over them. */
import { readFileSync } from 'node:fs';
import { paddedWidth, toQuery } from './quantise.js';

export type StoredBlock = { id: number; ids: Uint8Array; scales: Uint8Array; vectors: Uint8Array };

export type Matrix = {
  readonly dimensions: number;
  /** Of these blocks, those that are not in memory. */
  missing(blocks: readonly number[]): number[];
  /** Takes blocks in, and lets go of all that are not among `current`. */
  refresh(loaded: readonly StoredBlock[], current: readonly number[]): void;
  /** The scores of all vectors, and whose they are. Both hold until the next scan. */
  scan(query: Float32Array): { scores: Float32Array; ids: Uint32Array };
};

type Scan = (query: number, vectors: number, scales: number, count: number, width: number, out: number) => void;
type Block = { ids: Uint32Array; scales: number; vectors: number; room: number };

const PAGE = 65_536;
const ALIGNMENT = 16;
/** No dimensions are more than this: the query stands before all else. */
const QUERY_BYTES = PAGE;

export function emptyMatrix(dimensions: number): Matrix {
  const memory = new WebAssembly.Memory({ initial: 2 });
  const scan = compiled(memory);
  const width = paddedWidth(dimensions);
  const blocks = new Map<number, Block>();
  const free = new Map<number, number[]>();
  let top = QUERY_BYTES;

  const take = (room: number): number => {
    const place = free.get(room)?.pop();
    if (place !== undefined) return place;
    const fresh = top;
    top += room;
    if (top > memory.buffer.byteLength) memory.grow(Math.ceil((top - memory.buffer.byteLength) / PAGE));
    return fresh;
  };
  const release = ({ scales, room }: Block) => free.set(room, [...(free.get(room) ?? []), scales]);

  const add = ({ id, ids, scales, vectors }: StoredBlock) => {
    const scaleBytes = Math.ceil(scales.byteLength / ALIGNMENT) * ALIGNMENT;
    const room = roomFor(scaleBytes + vectors.byteLength);
    const at = take(room);
    const bytes = new Uint8Array(memory.buffer);
    bytes.set(scales, at);
    bytes.set(vectors, at + scaleBytes);
    blocks.set(id, { ids: new Uint32Array(new Uint8Array(ids).buffer), scales: at, vectors: at + scaleBytes, room });
  };

  return {
    dimensions,
    missing: (wanted) => wanted.filter((id) => !blocks.has(id)),
    refresh(loaded, current) {
      for (const block of loaded) if (!blocks.has(block.id)) add(block);
      if (blocks.size === current.length) return;
      const kept = new Set(current);
      for (const [id, block] of blocks) {
        if (kept.has(id)) continue;
        blocks.delete(id);
        release(block);
      }
    },
    scan(vector) {
      const total = [...blocks.values()].reduce((sum, { ids }) => sum + ids.length, 0);
      const { scale, values } = toQuery(vector);
      const room = roomFor(total * 4);
      const out = take(room);
      new Int16Array(memory.buffer, 0, width).set(values);
      const ids = new Uint32Array(total);
      let done = 0;
      for (const block of blocks.values()) {
        scan(0, block.vectors, block.scales, block.ids.length, width, out + 4 * done);
        ids.set(block.ids, done);
        done += block.ids.length;
      }
      const scores = new Float32Array(memory.buffer, out, total).slice();
      for (let at = 0; at < total; at++) scores[at] = (scores[at] as number) * scale;
      free.set(room, [...(free.get(room) ?? []), out]);
      return { scores, ids };
    },
  };
}

/** Rooms come in few sizes, so that one that is let go fits the next. */
function roomFor(bytes: number): number {
  let room = 1024;
  while (room < bytes) room *= bytes > 4 * PAGE ? 1.25 : 2;
  return Math.ceil(room / ALIGNMENT) * ALIGNMENT;
}

function compiled(memory: WebAssembly.Memory): Scan {
  const module = new WebAssembly.Module(readFileSync(new URL('./scan.wasm', import.meta.url)));
  return new WebAssembly.Instance(module, { env: { memory } }).exports.scan as Scan;
}
