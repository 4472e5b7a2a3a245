/** A command run in this process: the same as a process of its own, but for standard input and the exit. */
import { vi } from 'vitest';
import { run } from '../../src/cli/run.js';
import type { Finished } from '../support/scratch.js';

export async function runHere(args: string[], env: NodeJS.ProcessEnv): Promise<Finished> {
  for (const name of ['EDITOR', 'VISUAL']) vi.stubEnv(name, undefined);
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
  const streams = { stdout: process.stdout, stderr: process.stderr };
  const texts = { stdout: '', stderr: '' };
  const spies = (['stdout', 'stderr'] as const).map((name) =>
    vi.spyOn(streams[name], 'write').mockImplementation((chunk) => {
      texts[name] += String(chunk);
      return true;
    }),
  );
  try {
    return { code: await run(args), ...texts };
  } finally {
    for (const spy of spies) spy.mockRestore();
    vi.unstubAllEnvs();
  }
}
