// @ts-check
/** A scratch folder for the files of a benchmark, and what a reader needs to know of the run. */
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

/**
 * @param {(folder: string) => Promise<void>} work
 */
export async function inScratchFolder(work) {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'ai-assist-bench-'));
  try {
    await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * An environment whose configuration and data are in the folder.
 * @param {string} folder
 * @returns {NodeJS.ProcessEnv}
 */
export const scratchEnv = (folder) => ({
  PATH: process.env.PATH,
  HOME: folder,
  XDG_CONFIG_HOME: path.join(folder, 'config'),
  XDG_DATA_HOME: path.join(folder, 'data'),
  APPDATA: path.join(folder, 'config'),
  LOCALAPPDATA: path.join(folder, 'data'),
});

/** @param {string} [driver] */
export function machine(driver) {
  const parts = [
    `Node ${process.versions.node}`,
    `${os.platform()} ${os.arch()}`,
    `${os.availableParallelism()} cores`,
  ];
  return driver === undefined ? parts.join(', ') : [`driver ${driver}`, ...parts].join(', ');
}
