/** The built command line, run in the folder of a project. Everything is gone when the test ends. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { addFiles } from '../support/files.js';
import { cli, type Finished, scratchEnv, scratchFolder } from '../support/scratch.js';

export type Answer = { success: boolean; [field: string]: unknown };

export type InProject = {
  readonly folder: string;
  readonly env: NodeJS.ProcessEnv;
  /** Writes files into the project. */
  add(files: Record<string, string | Uint8Array>): void;
  read(file: string): string;
  /** The collections that the project file declares. */
  declared(): Record<string, unknown>;
  run(...args: string[]): Promise<Finished>;
  /** The same with --json, read. */
  json(...args: string[]): Promise<Answer>;
};

/** Two projects with one `home` share their database. */
export function inProject(files: Record<string, string | Uint8Array> = {}, home = scratchFolder()): InProject {
  const folder = scratchFolder();
  const env = scratchEnv(home);
  addFiles(folder, files);
  const read = (file: string) => readFileSync(path.join(folder, file), 'utf8');
  return {
    folder,
    env,
    read,
    add: (more) => addFiles(folder, more),
    declared: () => JSON.parse(read('context.json')).collections,
    run: (...args) => runIn(folder, args, env),
    json: async (...args) => JSON.parse((await runIn(folder, [...args, '--json'], env)).stdout) as Answer,
  };
}

/** A project whose file declares these collections. */
export function projectWith(
  collections: Record<string, object>,
  files: Record<string, string | Uint8Array> = {},
  home?: string,
): InProject {
  return inProject({ ...files, 'context.json': JSON.stringify({ collections }) }, home);
}

export const docsCollection = { type: 'file', path: './docs', glob: '**/*.md' };

export const runIn = (cwd: string, args: string[], env: NodeJS.ProcessEnv): Promise<Finished> =>
  cli(args, env, '', cwd);
