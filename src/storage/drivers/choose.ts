/** Picks the SQLite driver: the one that is asked for, else Node's own, else libsql. */
import { plainFailure } from '../../errors.js';
import type { Driver } from './connection.js';
import { loadLibsql } from './libsql.js';
import { loadNodeSqlite } from './node-sqlite.js';

export type DriverName = 'auto' | 'node' | 'libsql';

type Explanation = [problem: string, remedy: string];

const missing = {
  auto: ['No SQLite driver was found', 'Use Node 22.13 or newer, or install the optional package libsql.'],
  node: [
    `Node ${process.versions.node} has no node:sqlite`,
    'Use Node 22.13 or newer, or set AI_ASSIST_SQLITE_DRIVER to libsql.',
  ],
  libsql: ['The package libsql is not installed', 'Run npm install libsql, or set AI_ASSIST_SQLITE_DRIVER to node.'],
} satisfies Record<DriverName, Explanation>;

const loaders = {
  auto: () => loadNodeSqlite() ?? loadLibsql(),
  node: loadNodeSqlite,
  libsql: loadLibsql,
} satisfies Record<DriverName, () => Driver | undefined>;

export function chooseDriver(name: DriverName): Driver {
  const driver = loaders[name]();
  if (driver) return driver;
  const [problem, remedy] = missing[name];
  throw plainFailure('internal', problem).advise(remedy);
}
