/** The contract of a SQLite driver: one synchronous connection, and error codes by their SQLite names. */
import type { SqlValue } from '../sql.js';

export interface Statement {
  all(params: readonly SqlValue[]): unknown[];
  get(params: readonly SqlValue[]): unknown;
  run(params: readonly SqlValue[]): number;
}

export interface Connection {
  exec(text: string): void;
  prepare(text: string): Statement;
  close(): void;
}

export interface Driver {
  readonly name: string;
  connect(location: string): Connection;
  /** SQLite's primary result code of an error that this driver threw, such as 5 for BUSY. */
  resultCode(error: unknown): number | undefined;
}

export const SQLITE = { BUSY: 5, LOCKED: 6, READONLY: 8, IOERR: 10, CORRUPT: 11, FULL: 13, CANTOPEN: 14, NOTADB: 26 };

/** SQLite keeps the primary code in the low byte of an extended one. */
export const primaryCode = (code: unknown): number | undefined => (typeof code === 'number' ? code & 0xff : undefined);
