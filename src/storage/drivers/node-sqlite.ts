/** The driver that comes with Node 22.13 and newer. */
import { type Connection, type Driver, primaryCode } from './connection.js';

// The type definitions of the oldest supported Node do not know the module yet.
type StatementSync = {
  all(...params: unknown[]): unknown[];
  get(...params: unknown[]): unknown;
  run(...params: unknown[]): { changes: number | bigint };
  columns?(): { name: string }[];
  setReturnArrays?(enabled: boolean): void;
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
      const toRow = rowReader(statement);
      return {
        all: (params) => statement.all(...params).map(toRow),
        get: (params) => toRow(statement.get(...params)),
        run: (params) => Number(statement.run(...params).changes),
      };
    },
    close: () => database.close(),
  };
}

/**
 * Node builds each row as an object without a prototype, which is slow to make and to read. Where it
 * can give arrays instead (24 and newer), plain objects made from those take a third less time.
 */
function rowReader(statement: StatementSync): (row: unknown) => unknown {
  if (!statement.setReturnArrays || !statement.columns) return (row) => row;
  const names = statement.columns().map(({ name }) => name);
  statement.setReturnArrays(true);
  return (row) => row && toObject(names, row as unknown[]);
}

function toObject(names: readonly string[], values: readonly unknown[]): Record<string, unknown> {
  const row: Record<string, unknown> = {};
  for (let index = 0; index < names.length; index++) row[names[index] as string] = values[index];
  return row;
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
