/** Scratch folders, workspaces and child processes for tests. Everything is gone when the test ends. */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import type { Environment } from '../../src/config/platform.js';
import type { SettingValues } from '../../src/config/settings.js';
import { openWorkspace, type Workspace, type WorkspaceOptions } from '../../src/workspace.js';

export const root = path.resolve(import.meta.dirname, '../..');
export const mainFile = path.join(root, 'dist', 'cli', 'main.cjs');

/** An empty folder that is removed when the test ends. */
export function scratchFolder(): string {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'ai-assist-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** An environment whose configuration and data folders are in `folder`, with the driver under test. */
export function scratchEnv(folder: string, more: Environment = {}): NodeJS.ProcessEnv {
  return {
    PATH: process.env.PATH,
    HOME: folder,
    XDG_CONFIG_HOME: path.join(folder, 'config'),
    XDG_DATA_HOME: path.join(folder, 'data'),
    // Compiled code is the same for all tests, and none of their business.
    ...(process.platform === 'linux'
      ? { XDG_CACHE_HOME: path.join(root, 'node_modules', '.cache') }
      : { NODE_DISABLE_COMPILE_CACHE: '1' }),
    AI_ASSIST_SQLITE_DRIVER: process.env.AI_ASSIST_SQLITE_DRIVER,
    // Tests of search by meaning ask for an embedder; the others need not wait for one.
    AI_ASSIST_EMBEDDER: 'none',
    ...more,
  };
}

type ScratchOptions = Omit<WorkspaceOptions, 'settings'> & { settings?: Partial<SettingValues>; folder?: string };

/** A workspace on a database file of its own, closed when the test ends. */
export async function scratchWorkspace(options: ScratchOptions = {}): Promise<Workspace> {
  const { folder = scratchFolder(), settings = {}, ...rest } = options;
  const workspace = await openWorkspace({
    env: scratchEnv(folder),
    settings: { 'limits.callsPerMinute': 0, ...settings },
    ...rest,
  });
  onTestFinished(() => workspace.close());
  return workspace;
}

export type Finished = { code: number | null; stdout: string; stderr: string };

/** Runs a program to its end. */
export function runNode(args: string[], env: NodeJS.ProcessEnv, input = '', cwd?: string): Promise<Finished> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, { env, cwd, stdio: ['pipe', 'pipe', 'pipe'] });
    let stdout = '';
    let stderr = '';
    child.stdout.setEncoding('utf8').on('data', (text) => (stdout += text));
    child.stderr.setEncoding('utf8').on('data', (text) => (stderr += text));
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, stdout, stderr }));
    // A program that ends without reading its input closes the pipe early.
    child.stdin.on('error', () => {});
    child.stdin.end(input);
  });
}

/** Runs the built command line. */
export const cli = (args: string[], env: NodeJS.ProcessEnv, input = '', cwd?: string): Promise<Finished> =>
  runNode([mainFile, ...args], env, input, cwd);
