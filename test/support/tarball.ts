/** Tar archives block by block, also such as no tool would write. */
import { gzipSync } from 'node:zlib';

/** `type` is the type flag: '0' file, '1' hard link, '2' symbolic link, '3' device, '5' folder, '6' pipe, 'x' pax. */
export type TarEntry = { name: string; type?: string; body?: string | Uint8Array; link?: string };

const file = { type: '0', body: '', link: '' };

export function tarEntry(entry: TarEntry): Buffer {
  const { name, type, body, link } = { ...file, ...entry };
  const content = Buffer.from(body);
  const header = Buffer.alloc(512);
  header.write(name, 0, 100);
  header.write('0000644\0', 100);
  header.write('0000000\0', 108);
  header.write('0000000\0', 116);
  header.write(`${content.length.toString(8).padStart(11, '0')}\0`, 124);
  header.write('00000000000\0', 136);
  header.write('        ', 148);
  header.write(type, 156);
  header.write(link, 157, 100);
  header.write('ustar\x0000', 257);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return Buffer.concat([header, content, Buffer.alloc(-content.length & 511)]);
}

/** The pax header that gives the next entry a name that no other field can hold. */
export function paxName(name: string): TarEntry {
  const record = (length: number) => `${length} path=${name}\n`;
  const size = Buffer.byteLength(record(0)) - 1;
  const length = size + String(size + String(size).length).length;
  return { name: 'pax', type: 'x', body: record(length) };
}

export const tarEnd = Buffer.alloc(1024);

export function tarball(entries: readonly TarEntry[]): Buffer {
  return gzipSync(Buffer.concat([...entries.map(tarEntry), tarEnd]));
}

/** A bundle with a manifest at its root and some documents. */
export function bundle(manifest: object, files: Record<string, string | Uint8Array> = {}): Buffer {
  const entries = Object.entries(files).map(([name, body]) => ({ name, body }));
  return tarball([{ name: 'manifest.json', body: JSON.stringify(manifest) }, ...entries]);
}
