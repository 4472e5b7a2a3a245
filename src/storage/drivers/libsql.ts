/** The stand-in for Node versions without a SQLite of their own. */
import { createRequire } from 'node:module';
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
  try {
    return createRequire(import.meta.url)('libsql') as LibsqlModule;
  } catch {
    return undefined;
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
