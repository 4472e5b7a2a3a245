/** As much of the protobuf format as it takes to write a model: numbers, texts and messages, each after its field. */

const VARINT = 0;
const BYTES = 2;
const FIXED32 = 5;

function varint(value: number): Uint8Array {
  const bytes: number[] = [];
  let rest = BigInt.asUintN(64, BigInt(value));
  for (; rest > 127n; rest >>= 7n) bytes.push(Number(rest & 127n) | 128);
  return Uint8Array.from([...bytes, Number(rest)]);
}

const key = (field: number, kind: number): Uint8Array => varint(field * 8 + kind);

export const whole = (field: number, value: number): Uint8Array => Buffer.concat([key(field, VARINT), varint(value)]);

export function real(field: number, value: number): Uint8Array {
  return Buffer.concat([key(field, FIXED32), new Uint8Array(Float32Array.of(value).buffer)]);
}

/** Bytes, a text, or a message that is made of parts. */
export function part(field: number, content: string | Uint8Array | readonly Uint8Array[]): Uint8Array {
  const bytes =
    typeof content === 'string'
      ? Buffer.from(content, 'utf8')
      : content instanceof Uint8Array
        ? content
        : Buffer.concat(content);
  return Buffer.concat([key(field, BYTES), varint(bytes.byteLength), bytes]);
}
