/**
 * Opens the embedded database: finds out what the file is before touching it, brings it to the
 * current schema, and sets up the connections. A current database is opened without any DDL.
 */
import { whenFree } from './busy.js';
import { chooseDriver, type DriverName } from './drivers/choose.js';
import type { Connection, Driver } from './drivers/connection.js';
import { cannotOpen, databaseFailure, explain } from './faults.js';
import { prepareFile } from './file.js';
import { migrations } from './migrations/steps.js';
import type { Database } from './sql.js';
import { rollBack, sqliteDatabase } from './sqlite.js';

/** Marks a file as ours, so that another program's database is never migrated by mistake. */
const APPLICATION_ID = 0x61696173;

export type StorageOptions = { location: string; driver?: DriverName };

export async function openDatabase({ location, driver: name = 'auto' }: StorageOptions): Promise<Database> {
  refuseServerUrl(location);
  const driver = chooseDriver(name);
  if (location !== ':memory:') prepareFile(location);
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
  throw databaseFailure(location.replace(/\/\/.*@/, '//'), {
    problem: 'is a server address, and only files are supported yet',
    remedy: 'Set AI_ASSIST_DATABASE to a file, or leave it unset.',
  });
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

/** One statement, so that it sees one state while another process makes the file. */
const identity = `SELECT (SELECT count(*) FROM sqlite_master) AS tables,
  (SELECT application_id FROM pragma_application_id) AS application,
  (SELECT user_version FROM pragma_user_version) AS schema`;

/** A statement that was refused is tried again itself: left behind, it would keep its lock until it is collected. */
async function identify(driver: Driver, connection: Connection): Promise<Identity> {
  const statement = await whenFree(driver, () => connection.prepare(identity));
  return whenFree(driver, () => statement.get([]) as Identity);
}

async function bringUpToDate(driver: Driver, connection: Connection, location: string): Promise<void> {
  const found = await identify(driver, connection);
  if (isCurrent(found, location)) return;
  await whenFree(driver, () => connection.exec('PRAGMA journal_mode = WAL'));
  await whenFree(driver, () => connection.exec('BEGIN IMMEDIATE'));
  try {
    // Another process may have migrated while this one waited for the lock.
    const now = await identify(driver, connection);
    if (!isCurrent(now, location)) migrate(connection, now.schema);
    connection.exec('COMMIT');
  } catch (thrown) {
    rollBack(connection);
    throw thrown;
  }
}

/** Whether the file has the current schema. One that is not ours, or newer than we know, is refused. */
function isCurrent({ application, schema, tables }: Identity, location: string): boolean {
  const isNew = tables === 0 && application === 0 && schema === 0;
  if (application !== APPLICATION_ID && !isNew) {
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
