/** A file of weights in the safetensors format: a header that says where each tensor stands, then the tensors. */
import { openSync, readSync } from 'node:fs';

export type Weights = {
  /** Reads a tensor of 16-bit floats into `to`, or as much of it as fits there, from a row on. */
  read(name: string, to: Uint8Array, fromByte?: number): void;
};

type Header = Record<string, { dtype: string; data_offsets: [number, number] } | undefined>;

/** The file stays open: most of it are the vectors of words, and only those that a text has are read. */
export function openWeights(file: string): Weights {
  const descriptor = openSync(file, 'r');
  const read = (to: Uint8Array, position: number) => {
    if (readSync(descriptor, to, 0, to.byteLength, position) !== to.byteLength) {
      throw new Error(`The file of weights '${file}' is not whole.`);
    }
  };
  const length = new BigUint64Array(1);
  read(new Uint8Array(length.buffer), 0);
  const size = Number(length[0]);
  const json = Buffer.alloc(size);
  read(json, 8);
  const header = JSON.parse(json.toString('utf8')) as Header;

  return {
    read(name, to, fromByte = 0) {
      const tensor = header[name];
      if (tensor?.dtype !== 'F16') throw new Error(`The file of weights '${file}' has no tensor '${name}'.`);
      read(to, 8 + size + tensor.data_offsets[0] + fromByte);
    },
  };
}
