/** One run of `osascript`: the script on standard input, no shell, and a limit of time. */
import { type ChildProcess, spawn } from 'node:child_process';

export type ScriptEnd =
  | { kind: 'answered'; text: string }
  /** It could not be started: nothing happened. */
  | { kind: 'not_started'; reason: string }
  | { kind: 'failed'; code: number | undefined; message: string }
  | { kind: 'killed'; reason: 'timeout' | 'signal' };

export type RunOptions = { env: NodeJS.ProcessEnv; timeoutMs: number };

const GRACE_MS = 2_000;

export async function runOsascript(script: string, { env, timeoutMs }: RunOptions): Promise<ScriptEnd> {
  try {
    // Detached: Ctrl-C at a terminal ends this process, and must not kill a script on its way to OmniFocus.
    const child = spawn('osascript', ['-l', 'JavaScript', '-'], { env, detached: true });
    return await endOf(child, script, timeoutMs);
  } catch (thrown) {
    return notStarted(thrown as NodeJS.ErrnoException);
  }
}

/** Without free file descriptors the process has no streams at all, only an error to come. */
function endOf(child: ChildProcess, script: string, timeoutMs: number): Promise<ScriptEnd> {
  return new Promise((resolve) => {
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
      letGo(child);
      resolve(how);
    };

    child.on('error', (error) => {
      // Later errors are of signals that could not be sent.
      if (child.pid === undefined) end(notStarted(error));
    });
    // Who is killed may leave a pipe open in others, so its end is not waited for. Who ends well has answered.
    child.on('exit', (code, signal) => {
      if (signal || (late && code !== 0)) end({ kind: 'killed', reason: late ? 'timeout' : 'signal' });
    });
    child.on('close', (code) => end(code === 0 ? answered(output()) : failed(errors())));
    // A program that ends without reading its input closes the pipe early.
    child.stdin?.on('error', () => {});
    child.stdin?.end(script);
  });
}

const notStarted = ({ code, message }: NodeJS.ErrnoException): ScriptEnd => ({
  kind: 'not_started',
  reason: code ?? message,
});

/** Nothing of it keeps this process from ending. */
function letGo(child: ChildProcess): void {
  for (const stream of [child.stdin, child.stdout, child.stderr]) stream?.destroy();
  child.unref();
}

/** All that a stream gives, of any size. */
function collect(stream: ChildProcess['stdout']): () => Buffer {
  const chunks: Buffer[] = [];
  stream?.on('data', (chunk: Buffer) => chunks.push(chunk));
  stream?.on('error', () => {});
  return () => Buffer.concat(chunks);
}

function answered(output: Buffer): ScriptEnd {
  try {
    return { kind: 'answered', text: output.toString('utf8').trimEnd() };
  } catch {
    return { kind: 'answered', text: '' };
  }
}

const LONGEST_ERROR = 500;
const ERROR_CODE = /\((-?\d+)\)\s*$/;

/** `osascript` writes `execution error: … (-1743)`: the number is what counts, the words depend on the language. */
function failed(errors: Buffer): ScriptEnd {
  const text = errors.subarray(-LONGEST_ERROR).toString('utf8').trim();
  const code = ERROR_CODE.exec(text)?.[1];
  return { kind: 'failed', code: code === undefined ? undefined : Number(code), message: text };
}
