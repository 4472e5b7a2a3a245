/**
 * Opens the embedded database: finds out what the file is before touching it, brings it to the
 * current schema, and sets up the connections. A current database is opened without any DDL.
 */
import { closeSync, existsSync, mkdirSync, openSync } from 'node:fs';
import path from 'node:path';
import { whenFree } from './busy.js';
import { chooseDriver, type DriverName } from './drivers/choose.js';
import type { Connection, Driver } from './drivers/connection.js';
import { cannotOpen, databaseFailure, explain } from './faults.js';
import { migrations } from './migrations/steps.js';
import type { Database } from './sql.js';
import { sqliteDatabase } from './sqlite.js';

/** Marks a file as ours, so that another program's database is never migrated by mistake. */
const APPLICATION_ID = 0x61696173;

export type StorageOptions = { location: string; driver?: DriverName };

export async function openDatabase({ location, driver: name = 'auto' }: StorageOptions): Promise<Database> {
  refuseServerUrl(location);
  const driver = chooseDriver(name);
  if (location !== ':memory:') makeFile(location);
  const connection = connect(driver, location);
  try {
    await bringUpToDate(driver, connection, location);
  } catch (thrown) {
    connection.close();
    throw explain(driver, location, thrown);
  }
  return sqliteDatabase(driver, location, configure(connection, 0), () => configure(connect(driver, location), 5000));
}

function refuseServerUrl(location: string): void {
  if (!/^[a-z]{2,}:\/\//i.test(location)) return;
  throw databaseFailure(location.replace(/\/\/[^@/]*@/, '//'), {
    problem: 'is a server address, and only files are supported yet',
    remedy: 'Set AI_ASSIST_DATABASE to a file, or leave it unset.',
  });
}

/** A new file can be read by its owner only; SQLite gives the files beside it the same mode. */
function makeFile(location: string): void {
  if (existsSync(location)) return;
  try {
    mkdirSync(path.dirname(path.resolve(location)), { recursive: true, mode: 0o700 });
    closeSync(openSync(location, 'a', 0o600));
  } catch (thrown) {
    throw cannotOpen(location, thrown);
  }
}

function connect(driver: Driver, location: string): Connection {
  try {
    return driver.connect(location);
  } catch (thrown) {
    throw cannotOpen(location, thrown);
  }
}

function configure(connection: Connection, busyTimeout: number): Connection {
  connection.exec(`PRAGMA busy_timeout = ${busyTimeout}; PRAGMA foreign_keys = ON; PRAGMA synchronous = FULL`);
  return connection;
}

type Identity = { application: number; schema: number; tables: number };

function identify(connection: Connection): Identity {
  const number = (text: string) => Number(Object.values(connection.prepare(text).get([]) as object)[0]);
  return {
    tables: number('SELECT count(*) FROM sqlite_master'),
    application: number('PRAGMA application_id'),
    schema: number('PRAGMA user_version'),
  };
}

async function bringUpToDate(driver: Driver, connection: Connection, location: string): Promise<void> {
  const found = await whenFree(driver, () => identify(connection));
  if (isCurrent(found, location)) return;
  await whenFree(driver, () => connection.exec('PRAGMA journal_mode = WAL'));
  await whenFree(driver, () => connection.exec('BEGIN IMMEDIATE'));
  try {
    // Another process may have migrated while this one waited for the lock.
    const now = identify(connection);
    if (!isCurrent(now, location)) migrate(connection, now.schema);
    connection.exec('COMMIT');
  } catch (thrown) {
    connection.exec('ROLLBACK');
    throw thrown;
  }
}

/** Whether the file has the current schema. One that is not ours, or newer than we know, is refused. */
function isCurrent({ application, schema, tables }: Identity, location: string): boolean {
  if (tables > 0 && application !== APPLICATION_ID) {
    throw databaseFailure(location, {
      problem: 'belongs to another program',
      remedy: 'It was left as it is. Set AI_ASSIST_DATABASE to another file.',
    });
  }
  if (schema > migrations.length) {
    throw databaseFailure(location, {
      problem: `was made by a newer version of ai-assist (its schema is ${schema}, this version knows ${migrations.length})`,
      remedy: 'It was left as it is. Update ai-assist, or set AI_ASSIST_DATABASE to another file.',
    });
  }
  return schema === migrations.length;
}

function migrate(connection: Connection, from: number): void {
  for (const step of migrations.slice(from)) connection.exec(step);
  connection.exec(`PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${migrations.length}`);
}
