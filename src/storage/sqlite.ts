/** The embedded implementation of `Database`: one connection that writes, a few that read. */

import { givingWay, whenFree } from './busy.js';
import type { Connection, Driver, Statement } from './drivers/connection.js';
import { explain } from './faults.js';
import type { Database, Sql } from './sql.js';

const MAX_READERS = 4;
/** Prepared statements that a connection keeps: more than the product has, but reads of old revisions each have their own. */
const MAX_STATEMENTS = 500;

type Reader = { connection: Connection; sql: Sql };

export function sqliteDatabase(
  driver: Driver,
  location: string,
  writer: Connection,
  openReader: () => Connection,
): Database {
  const writing = sqlOver(writer);
  const inTurn = queue();
  const turns = givingWay();
  const readers = location === ':memory:' ? undefined : readerPool(openReader);
  let closed = false;

  async function transact<T>(begin: string, end: 'COMMIT' | 'ROLLBACK', work: (sql: Sql) => Promise<T>): Promise<T> {
    await turns.before();
    await whenFree(driver, () => writer.exec(begin));
    try {
      const result = await work(writing);
      writer.exec(end);
      return result;
    } catch (thrown) {
      rollBack(writer);
      throw thrown;
    } finally {
      turns.after();
    }
  }

  async function guarded<T>(work: () => Promise<T>): Promise<T> {
    if (closed) throw new Error(`The database '${location}' was closed.`);
    try {
      return await work();
    } catch (thrown) {
      throw explain(driver, location, thrown);
    }
  }

  return {
    location,
    write: (work) => guarded(() => inTurn(() => transact('BEGIN IMMEDIATE', 'COMMIT', work))),
    rehearse: (work) => guarded(() => inTurn(() => transact('BEGIN IMMEDIATE', 'ROLLBACK', work))),
    read: (work) =>
      guarded(() =>
        readers ? readers.lend((reader) => readWith(reader, work)) : inTurn(() => transact('BEGIN', 'COMMIT', work)),
      ),
    close: async () => {
      if (closed) return;
      closed = true;
      await inTurn(async () => {});
      await readers?.close();
      tidyLog(writer);
      writer.close();
    },
  };
}

async function readWith<T>({ connection, sql }: Reader, work: (sql: Sql) => Promise<T>): Promise<T> {
  connection.exec('BEGIN');
  try {
    return await work(sql);
  } finally {
    rollBack(connection);
  }
}

/**
 * Moves the write-ahead log into the file, as far as other processes allow. SQLite does so when the
 * last connection closes, but a driver may keep one open until its statements are collected.
 */
function tidyLog(connection: Connection): void {
  try {
    connection.prepare('PRAGMA wal_checkpoint(TRUNCATE)').all([]);
  } catch {
    // The log stays for whoever opens the file next.
  }
}

/** A statement that failed may have ended the transaction already. */
export function rollBack(connection: Connection): void {
  try {
    connection.exec('ROLLBACK');
  } catch {
    // Nothing is open any more, which is what was wanted.
  }
}

function sqlOver(connection: Connection): Sql {
  const statements = new Map<string, Statement>();
  const prepared = (text: string): Statement => {
    const known = statements.get(text);
    if (known) return known;
    const statement = connection.prepare(text);
    if (statements.size >= MAX_STATEMENTS) statements.delete(statements.keys().next().value as string);
    statements.set(text, statement);
    return statement;
  };
  return {
    all: async <Row>(text: string, params: Parameters<Sql['all']>[1] = []) => prepared(text).all(params) as Row[],
    get: async <Row>(text: string, params: Parameters<Sql['get']>[1] = []) =>
      prepared(text).get(params) as Row | undefined,
    run: async (text, params = []) => prepared(text).run(params),
  };
}

/** Runs one piece of work after the other, in the order they were asked for. */
function queue(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const result = last.then(work);
    last = result.catch(() => {});
    return result;
  };
}

/** Lends connections for reading. More are opened while all are lent, up to a limit; then readers take turns. */
function readerPool(open: () => Connection) {
  const all: Reader[] = [];
  const idle: Reader[] = [];
  const waiting: ((reader: Reader) => void)[] = [];

  const nextFree = async (): Promise<Reader> => idle.pop() ?? new Promise((resolve) => waiting.push(resolve));
  const take = async (): Promise<Reader> => {
    if (idle.length > 0 || all.length >= MAX_READERS) return nextFree();
    const connection = open();
    const reader = { connection, sql: sqlOver(connection) };
    all.push(reader);
    return reader;
  };
  const giveBack = (reader: Reader) => {
    const next = waiting.shift();
    if (next) next(reader);
    else idle.push(reader);
  };

  return {
    async lend<T>(work: (reader: Reader) => Promise<T>): Promise<T> {
      const reader = await take();
      try {
        return await work(reader);
      } finally {
        giveBack(reader);
      }
    },
    async close(): Promise<void> {
      await Promise.all(all.map(nextFree));
      for (const { connection } of all) connection.close();
    },
  };
}
