/** Writes a .tar.gz whose bytes depend on nothing but the names and contents of its files. */
import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { constants, createGzip } from 'node:zlib';

export type PackedFile = { path: string; bytes: Uint8Array };

/** Sizes of the archive compressed and not, and the hex sha256 of the compressed one. */
export type Written = { bytes: number; unpacked: number; sha256: string };

/** The place in a gzip header that tells the operating system, and the value for an unknown one. */
const GZIP_SYSTEM = 9;
const UNKNOWN_SYSTEM = 255;

/** Writes the files in the order given. The file must not exist yet. */
export async function writeArchive(file: string, files: AsyncIterable<PackedFile>): Promise<Written> {
  const hash = createHash('sha256');
  let bytes = 0;
  let unpacked = 0;
  const tar = async function* () {
    for await (const chunk of tarBytes(files)) {
      unpacked += chunk.length;
      yield chunk;
    }
  };
  const stamp = async function* (chunks: AsyncIterable<Buffer>) {
    for await (const chunk of chunks) {
      if (bytes === 0) chunk[GZIP_SYSTEM] = UNKNOWN_SYSTEM;
      bytes += chunk.length;
      hash.update(chunk);
      yield chunk;
    }
  };
  // Node writes no time into the header; all else that shapes the bytes is fixed here.
  const gzip = createGzip({ level: constants.Z_BEST_COMPRESSION, memLevel: 8, windowBits: 15 });
  await pipeline(Readable.from(tar()), gzip, stamp, createWriteStream(file, { flags: 'wx' }));
  return { bytes, unpacked, sha256: hash.digest('hex') };
}

async function* tarBytes(files: AsyncIterable<PackedFile>): AsyncGenerator<Uint8Array> {
  const { createTarPacker } = await import('modern-tar');
  const { readable, controller } = createTarPacker();
  const adding = addFiles(files, controller);
  // A failure there fails the reading below.
  adding.catch(() => {});
  yield* readable;
  await adding;
}

type Controller = {
  add(header: object & { name: string; size: number }): {
    getWriter(): { write(bytes: Uint8Array): Promise<void>; close(): Promise<void> };
  };
  finalize(): void;
  error(reason: unknown): void;
};

async function addFiles(files: AsyncIterable<PackedFile>, controller: Controller): Promise<void> {
  try {
    for await (const { path: name, bytes } of files) {
      const header = { name, size: bytes.length, mode: 0o644, uid: 0, gid: 0, mtime: new Date(0) };
      const writer = controller.add(header).getWriter();
      await writer.write(bytes);
      await writer.close();
    }
    controller.finalize();
  } catch (error) {
    controller.error(error);
    throw error;
  }
}
