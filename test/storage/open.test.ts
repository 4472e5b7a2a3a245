/** What opening a database file makes of it: a new one, a current one, and one opened by many at once. */
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { chooseDriver, type DriverName } from '../../src/storage/drivers/choose.js';
import type { Connection } from '../../src/storage/drivers/connection.js';
import { migrations } from '../../src/storage/migrations/steps.js';
import { openDatabase } from '../../src/storage/open.js';
import type { Database } from '../../src/storage/sql.js';
import { runNode, scratchEnv, scratchFolder } from '../support/scratch.js';

const driver = (process.env.AI_ASSIST_SQLITE_DRIVER || 'auto') as DriverName;
const openNewChild = fileURLToPath(new URL('./open-new.child.mjs', import.meta.url));

/** A connection beside the product's own, closed when the test ends. */
function bareConnection(location: string): Connection {
  const connection = chooseDriver(driver).connect(location);
  onTestFinished(() => connection.close());
  return connection;
}

async function opened(location: string): Promise<Database> {
  const database = await openDatabase({ location, driver });
  onTestFinished(() => database.close());
  return database;
}

async function openAndClose(location: string): Promise<void> {
  const database = await openDatabase({ location, driver });
  await database.close();
}

/** The answer to a statement with one value. */
const single = (connection: Connection, text: string): unknown =>
  Object.values(connection.prepare(text).get([]) as object)[0];

function pragmas(location: string): Record<string, unknown> {
  const connection = chooseDriver(driver).connect(location);
  try {
    const names = ['journal_mode', 'user_version', 'schema_version', 'integrity_check'];
    return Object.fromEntries(names.map((name) => [name, single(connection, `PRAGMA ${name}`)]));
  } finally {
    connection.close();
  }
}

/** A current file that nobody has open: libsql closes one only when its statements are garbage, a copy is at rest. */
async function makeAtRest(location: string): Promise<void> {
  const original = path.join(scratchFolder(), 'original.db');
  await openAndClose(original);
  for (const [file, statement] of [
    [original, `VACUUM INTO '${location}'`],
    [location, 'PRAGMA journal_mode = WAL'],
  ] as const) {
    const connection = chooseDriver(driver).connect(file);
    connection.exec(statement);
    connection.close();
  }
}

/** Everything about a file that a write would change. */
function trace(location: string) {
  const { mtimeMs, size, ino } = statSync(location);
  return { mtimeMs, size, ino, bytes: readFileSync(location).toString('base64') };
}

test('G40 a new file gets the current schema in WAL mode, in a folder that is made for it', async () => {
  const location = path.join(scratchFolder(), 'not', 'there', 'library.db');
  await openAndClose(location);
  expect(pragmas(location)).toMatchObject({
    journal_mode: 'wal',
    user_version: migrations.length,
    integrity_check: 'ok',
  });
});

test('G40 an empty file gets the current schema in WAL mode', async () => {
  const location = path.join(scratchFolder(), 'library.db');
  writeFileSync(location, '');
  await openAndClose(location);
  expect(pragmas(location)).toMatchObject({ journal_mode: 'wal', user_version: migrations.length });
});

test('G40 a database in memory gets the current schema', async () => {
  const database = await opened(':memory:');
  const version = await database.read((sql) => sql.get<{ user_version: number }>('PRAGMA user_version'));
  expect(version?.user_version).toBe(migrations.length);
});

test('G40 opening and closing a current file changes nothing of it', async () => {
  const location = path.join(scratchFolder(), 'library.db');
  await makeAtRest(location);
  const schema = pragmas(location).schema_version;
  const before = trace(location);
  for (let round = 0; round < 3; round++) await openAndClose(location);
  expect(trace(location)).toEqual(before);
  expect(pragmas(location).schema_version).toBe(schema);
  const log = `${location}-wal`;
  expect(existsSync(log) ? statSync(log).size : 0).toBe(0);
});

test('G40 a current file is opened while another connection holds the right to write', async () => {
  const location = path.join(scratchFolder(), 'library.db');
  await openAndClose(location);
  const writer = bareConnection(location);
  writer.exec('BEGIN IMMEDIATE');
  const database = await opened(location);
  const found = await database.read((sql) => sql.get<{ id: string }>('SELECT id FROM nodes'));
  expect(found?.id).toBe('library');
});

test('G43 eight processes that open a new file at once all succeed, time after time', async () => {
  const folder = scratchFolder();
  const rounds = 6;
  const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];
  const env = scratchEnv(folder);
  const runs = names.map((name) => runNode([openNewChild, folder, name, String(names.length), String(rounds)], env));
  const failures = (await Promise.all(runs)).filter(({ code, stderr }) => code !== 0 || stderr !== '');
  expect(failures).toEqual([]);

  for (let round = 0; round < rounds; round++) {
    const location = path.join(folder, `round-${round}`, 'new', 'library.db');
    expect(existsSync(location)).toBe(true);
    expect(pragmas(location)).toMatchObject({ journal_mode: 'wal', integrity_check: 'ok' });
    const database = await opened(location);
    const rows = await database.read((sql) =>
      sql.all<{ name: string }>("SELECT name FROM nodes WHERE type = 'folder'"),
    );
    expect(rows.map(({ name }) => name).sort()).toEqual(names);
  }
});
