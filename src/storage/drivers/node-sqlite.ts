/** The driver that comes with Node 22.13 and newer. */
import { type Connection, type Driver, primaryCode } from './connection.js';

// The type definitions of the oldest supported Node do not know the module yet.
type StatementSync = {
  all(...params: unknown[]): unknown[];
  get(...params: unknown[]): unknown;
  run(...params: unknown[]): { changes: number | bigint };
};
type DatabaseSync = { exec(text: string): void; prepare(text: string): StatementSync; close(): void };
type SqliteModule = { DatabaseSync: new (location: string) => DatabaseSync };

/** The driver, or undefined where this Node does not have it. */
export function loadNodeSqlite(): Driver | undefined {
  const builtin = withoutExperimentalWarning(() => process.getBuiltinModule('node:sqlite')) as SqliteModule | undefined;
  if (!builtin) return undefined;
  return {
    name: 'node',
    connect: (location) => connection(new builtin.DatabaseSync(location)),
    resultCode: (error) => primaryCode((error as { errcode?: unknown } | null)?.errcode),
  };
}

function connection(database: DatabaseSync): Connection {
  return {
    exec: (text) => database.exec(text),
    prepare: (text) => {
      const statement = database.prepare(text);
      return {
        all: (params) => statement.all(...params),
        get: (params) => statement.get(...params),
        run: (params) => Number(statement.run(...params).changes),
      };
    },
    close: () => database.close(),
  };
}

/** Node 22 warns on standard error when the module loads; people who type a command need not read that. */
function withoutExperimentalWarning<T>(load: () => T): T {
  const emitWarning = process.emitWarning;
  process.emitWarning = () => {};
  try {
    return load();
  } finally {
    process.emitWarning = emitWarning;
  }
}
