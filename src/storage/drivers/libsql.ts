/** The stand-in for Node versions without a SQLite of their own. */
import { readFileSync, realpathSync } from 'node:fs';
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
  const quick = main === undefined ? undefined : attempt(() => withKnownLibc(realpathSync(main)));
  return quick ?? attempt(() => createRequire(import.meta.url)('libsql') as LibsqlModule);
}

function attempt<Result>(load: () => Result): Result | undefined {
  try {
    return load();
  } catch {
    return undefined;
  }
}

/**
 * To choose its binary, libsql has the whole process reported and gets ready to start programs, all to learn which C
 * library there is: as long as half of Node's own start. What the process has mapped tells it at once, so while libsql
 * loads, the two packages that it asks are answered for.
 */
function withKnownLibc(main: string): LibsqlModule | undefined {
  const libc = mappedLibc();
  if (!libc) return undefined;
  const near = createRequire(main);
  const answers = {
    '@neon-rs/load': { currentTarget: () => `linux-${process.arch}-${libc.suffix}` },
    'detect-libc': { GLIBC: 'glibc', MUSL: 'musl', familySync: () => libc.family },
  };
  const replaced = Object.entries(answers).map(([name, exports]) => {
    const file = near.resolve(name);
    const before = near.cache[file];
    near.cache[file] = Object.assign(new Module(file), { exports, loaded: true });
    return { file, before };
  });
  try {
    return near(main) as LibsqlModule;
  } finally {
    // Who else asks for them gets the packages themselves.
    for (const { file, before } of replaced) {
      if (before) near.cache[file] = before;
      else delete near.cache[file];
    }
  }
}

/** Undefined where it cannot be told, and on processors that libsql names in a way of their own. */
function mappedLibc(): { family: string; suffix: string } | undefined {
  if (process.platform !== 'linux' || !['x64', 'arm64'].includes(process.arch)) return undefined;
  const mapped = attempt(() => readFileSync('/proc/self/maps', 'latin1')) ?? '';
  if (mapped.includes('/libc.so.6')) return { family: 'glibc', suffix: 'gnu' };
  if (mapped.includes('/ld-musl-')) return { family: 'musl', suffix: 'musl' };
  return undefined;
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
