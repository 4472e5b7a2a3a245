/** A command run in this process: the same as a process of its own, but for standard input and the exit. */
import { vi } from 'vitest';
import { errorOutput, output } from '../../src/cli/output.js';
import { run } from '../../src/cli/run.js';
import type { Finished } from '../support/scratch.js';

export async function runHere(args: string[], env: NodeJS.ProcessEnv): Promise<Finished> {
  for (const name of ['EDITOR', 'VISUAL']) vi.stubEnv(name, undefined);
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
  const texts = { stdout: '', stderr: '' };
  const spies = [
    vi.spyOn(output, 'write').mockImplementation((text) => {
      texts.stdout += text;
    }),
    vi.spyOn(errorOutput, 'write').mockImplementation((text) => {
      texts.stderr += text;
    }),
  ];
  try {
    return { code: await run(args), ...texts };
  } finally {
    for (const spy of spies) spy.mockRestore();
    vi.unstubAllEnvs();
  }
}
