/** What the rest of the product knows of a database: asynchronous SQL inside a transaction. */

export type SqlValue = string | number | null | Uint8Array;

/** The statements of one open transaction. Do not keep it beyond the transaction. */
export interface Sql {
  all<Row>(text: string, params?: readonly SqlValue[]): Promise<Row[]>;
  get<Row>(text: string, params?: readonly SqlValue[]): Promise<Row | undefined>;
  /** Runs a statement and answers how many rows it changed. */
  run(text: string, params?: readonly SqlValue[]): Promise<number>;
}

type Work<T> = (sql: Sql) => Promise<T>;

export interface Database {
  /** The file, or `:memory:`. */
  readonly location: string;
  /** Runs `work` on one consistent state. Reads never wait for writers. */
  read<T>(work: Work<T>): Promise<T>;
  /** Runs `work` as one change: all of it is durable when the promise resolves, or none of it happened. */
  write<T>(work: Work<T>): Promise<T>;
  /** Runs `work` like `write`, then undoes it. */
  rehearse<T>(work: Work<T>): Promise<T>;
  close(): Promise<void>;
}
