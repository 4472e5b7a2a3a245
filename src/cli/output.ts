/**
 * Standard output and standard error. Into a file or a pipe they are written without Node's streams, which take longer to
 * load than many a command takes to answer. A terminal gets the stream.
 */
import { fstatSync, writeSync } from 'node:fs';
import { holdUp } from '../clock.js';

export type Output = { readonly isTerminal: boolean; write(text: string): void };

type Descriptor = 1 | 2;
type Write = (descriptor: number, bytes: Uint8Array, from: number) => number;

export const output = standard(1, () => process.stdout);
export const errorOutput = standard(2, () => process.stderr);

function standard(descriptor: Descriptor, stream: () => NodeJS.WriteStream): Output {
  if (isFileOrPipe(descriptor)) {
    return { isTerminal: false, write: (text) => guarded(() => writeAll(descriptor, Buffer.from(text)), descriptor) };
  }
  stream().on('error', (error: NodeJS.ErrnoException) => whenClosed(error, descriptor));
  return { isTerminal: stream().isTTY === true, write: (text) => void stream().write(text) };
}

function isFileOrPipe(descriptor: Descriptor): boolean {
  try {
    const stats = fstatSync(descriptor);
    return stats.isFile() || stats.isFIFO() || stats.isSocket();
  } catch {
    return false;
  }
}

/** Returns when all is written. A pipe that somebody made not to wait is asked again until it has room. */
export function writeAll(descriptor: number, bytes: Uint8Array, write: Write = writeSync): void {
  for (let at = 0; at < bytes.length; ) {
    try {
      at += write(descriptor, bytes, at);
    } catch (thrown) {
      if ((thrown as NodeJS.ErrnoException).code !== 'EAGAIN') throw thrown;
      holdUp(1);
    }
  }
}

function guarded(work: () => void, descriptor: Descriptor): void {
  try {
    work();
  } catch (thrown) {
    whenClosed(thrown as NodeJS.ErrnoException, descriptor);
  }
}

/**
 * `ai-assist … | head` closes the pipe early, which is no error: nobody wants the rest. What else goes wrong, such as a
 * full disk, is told where that can still be done.
 */
function whenClosed({ code, message }: NodeJS.ErrnoException, descriptor: Descriptor): void {
  if (descriptor === 2) return;
  if (code === 'EPIPE') process.exit(0);
  errorOutput.write(`Error: The answer cannot be written: ${message}\nNext:  Write it to another place.\n`);
  process.exit(1);
}
