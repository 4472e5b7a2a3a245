/** One run of `osascript`: the script on standard input, no shell, and a limit of time. */
import { spawn } from 'node:child_process';

export type ScriptEnd =
  | { kind: 'answered'; text: string }
  /** It could not be started: nothing happened. */
  | { kind: 'not_started'; reason: string }
  | { kind: 'failed'; code: number | undefined; message: string }
  | { kind: 'killed'; reason: 'timeout' | 'signal' };

export type RunOptions = { env: NodeJS.ProcessEnv; timeoutMs: number };

const GRACE_MS = 2_000;

export function runOsascript(script: string, { env, timeoutMs }: RunOptions): Promise<ScriptEnd> {
  return new Promise((resolve) => {
    const child = spawn('osascript', ['-l', 'JavaScript', '-'], { env, stdio: ['pipe', 'pipe', 'pipe'] });
    const output = collect(child.stdout);
    const errors = collect(child.stderr);
    let late = false;
    let timer = setTimeout(() => {
      late = true;
      child.kill('SIGTERM');
      timer = setTimeout(() => {
        child.kill('SIGKILL');
        // Its end is not waited for any longer: the calls behind it would wait too.
        end({ kind: 'killed', reason: 'timeout' });
      }, GRACE_MS);
    }, timeoutMs);
    const end = (how: ScriptEnd) => {
      clearTimeout(timer);
      resolve(how);
    };

    child.on('error', (error: NodeJS.ErrnoException) =>
      end({ kind: 'not_started', reason: error.code ?? error.message }),
    );
    // Who is killed may leave a pipe open in others, so its end is not waited for.
    child.on('exit', (_code, signal) => {
      if (late || signal) end({ kind: 'killed', reason: late ? 'timeout' : 'signal' });
    });
    child.on('close', (code) => end(code === 0 ? answered(output()) : failed(errors().toString('utf8'))));
    // A program that ends without reading its input closes the pipe early.
    child.stdin.on('error', () => {});
    child.stdin.end(script);
  });
}

/** All that a stream gives, of any size. */
function collect(stream: NodeJS.ReadableStream): () => Buffer {
  const chunks: Buffer[] = [];
  stream.on('data', (chunk: Buffer) => chunks.push(chunk));
  stream.on('error', () => {});
  return () => Buffer.concat(chunks);
}

function answered(output: Buffer): ScriptEnd {
  try {
    return { kind: 'answered', text: output.toString('utf8').trimEnd() };
  } catch {
    return { kind: 'answered', text: '' };
  }
}

const ERROR_CODE = /\((-?\d+)\)\s*$/;

/** `osascript` writes `execution error: … (-1743)`: the number is what counts, the words depend on the language. */
function failed(text: string): ScriptEnd {
  const code = ERROR_CODE.exec(text)?.[1];
  return { kind: 'failed', code: code === undefined ? undefined : Number(code), message: text.trim().slice(-500) };
}
