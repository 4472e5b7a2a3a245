/** The stand-in for Node versions without a SQLite of their own. */
import { readFileSync } from 'node:fs';
import { createRequire, Module } from 'node:module';
import { packageFile } from '../../package-file.js';
import { type Connection, type Driver, primaryCode } from './connection.js';

// Parameters always go in one array: a lone Buffer as an argument aborts the process.
type Statement = {
  all(params: readonly unknown[]): unknown[];
  run(params: readonly unknown[]): { changes: number };
};
type LibsqlDatabase = { exec(text: string): void; prepare(text: string): Statement; close(): void };
type LibsqlModule = new (location: string) => LibsqlDatabase;

/** The driver, or undefined where the optional package is not installed. */
export function loadLibsql(): Driver | undefined {
  const Libsql = requireLibsql();
  if (!Libsql) return undefined;
  return {
    name: 'libsql',
    connect: (location) => connection(new Libsql(location)),
    resultCode: (error) => primaryCode((error as { rawCode?: unknown } | null)?.rawCode),
  };
}

function requireLibsql(): LibsqlModule | undefined {
  // Found by hand, which is sooner than to have Node weigh what the package exports.
  const main = packageFile('libsql/index.js', import.meta.url);
  if (main === undefined) return undefined;
  try {
    return withKnownLibc(createRequire(main), (near) => near(main) as LibsqlModule);
  } catch {
    return undefined;
  }
}

/**
 * To choose its binary, libsql has the whole process reported and gets ready to start programs, all to learn which C
 * library there is: as long as half of Node's own start. What the process has mapped tells it at once, so while libsql
 * loads, the two packages that it asks are answered for.
 */
function withKnownLibc<Result>(near: NodeJS.Require, load: (near: NodeJS.Require) => Result): Result {
  const libc = mappedLibc();
  if (!libc) return load(near);
  const answers = {
    '@neon-rs/load': { currentTarget: () => `linux-${process.arch}-${libc.suffix}` },
    'detect-libc': { GLIBC: 'glibc', MUSL: 'musl', familySync: () => libc.family },
  };
  const files = Object.entries(answers).map(([name, exports]) => {
    const file = near.resolve(name);
    near.cache[file] = Object.assign(new Module(file), { exports, loaded: true });
    return file;
  });
  try {
    return load(near);
  } finally {
    // Who else asks for them gets the packages themselves.
    for (const file of files) delete near.cache[file];
  }
}

/** Undefined where it cannot be told, and on processors that libsql names in a way of their own. */
function mappedLibc(): { family: string; suffix: string } | undefined {
  if (process.platform !== 'linux' || !['x64', 'arm64'].includes(process.arch)) return undefined;
  const mapped = readMapped();
  if (mapped.includes('/libc.so.6')) return { family: 'glibc', suffix: 'gnu' };
  if (mapped.includes('/ld-musl-')) return { family: 'musl', suffix: 'musl' };
  return undefined;
}

function readMapped(): string {
  try {
    return readFileSync('/proc/self/maps', 'latin1');
  } catch {
    return '';
  }
}

function connection(database: LibsqlDatabase): Connection {
  return {
    exec: (text) => database.exec(text),
    prepare: (text) => {
      const statement = database.prepare(text);
      return {
        all: (params) => statement.all(params),
        // Not its own get(): that one adds a _metadata property to the row.
        get: (params) => statement.all(params)[0],
        run: (params) => statement.run(params).changes,
      };
    },
    close: () => database.close(),
  };
}
