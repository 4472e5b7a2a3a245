/** The command with which a client starts the server, such that it works from anywhere. */
import path from 'node:path';
import type { Launch } from './clients.js';

export type Running = {
  /** The first file of the command line. */
  mainFile: string;
  node: string;
  version: string;
  platform: NodeJS.Platform;
};

/**
 * Clients with a window do not see the PATH of a shell, so Node and the program are named in full. What npx keeps for
 * a while is no place to name: then npx is asked again.
 */
export function launchFor({ mainFile, node, version, platform }: Running, options: readonly string[]): Launch {
  if (!mainFile.split(/[\\/]/).includes('_npx')) return { command: node, args: [mainFile, 'mcp', ...options] };
  return npx(platform, ['-y', `ai-assist@${version}`, 'mcp', ...options]);
}

/** For a file that goes into version control: names no place of this machine where the project has ai-assist itself. */
export function sharedLaunch(running: Running, project: string, options: readonly string[]): Launch {
  const relative = path.relative(project, running.mainFile);
  const isOwn = relative.split(/[\\/]/)[0] === 'node_modules';
  if (!isOwn) return launchFor(running, options);
  return npx(running.platform, ['--no-install', 'ai-assist', 'mcp', ...options]);
}

/** npx is a script on Windows, which only a shell starts. */
const npx = (platform: NodeJS.Platform, args: readonly string[]): Launch =>
  platform === 'win32' ? { command: 'cmd', args: ['/c', 'npx', ...args] } : { command: 'npx', args };
