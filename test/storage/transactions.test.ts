/** What transactions promise: a read sees one state and does not wait, a failed write leaves nothing. */
import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test, vi } from 'vitest';
import { Failure } from '../../src/errors.js';
import type { DriverName } from '../../src/storage/drivers/choose.js';
import { openDatabase } from '../../src/storage/open.js';
import { readSetting, writeSetting } from '../../src/storage/settings.js';
import type { Database, Sql } from '../../src/storage/sql.js';
import { runNode, scratchEnv, scratchFolder } from '../support/scratch.js';

const driver = (process.env.AI_ASSIST_SQLITE_DRIVER || 'auto') as DriverName;
const holdChild = fileURLToPath(new URL('./hold.child.mjs', import.meta.url));

async function opened(location: string): Promise<Database> {
  const database = await openDatabase({ location, driver });
  onTestFinished(() => database.close());
  return database;
}

const scratchFile = () => path.join(scratchFolder(), 'library.db');
const places = [
  ['in a file', scratchFile],
  ['in memory', () => ':memory:'],
] as const;

/** The one setting that these tests write. */
const mark = (sql: Sql) => readSetting(sql, 'mark');
const setMark = (database: Database, value: string) => database.write((sql) => writeSetting(sql, 'mark', value));

const thrownBy = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );

/** A child process that has a change under way, and the means to let it finish. */
async function holdingWriter(location: string) {
  const folder = scratchFolder();
  const [holding, release] = [path.join(folder, 'holding'), path.join(folder, 'release')];
  const finished = runNode([holdChild, location, holding, release], scratchEnv(folder));
  await vi.waitUntil(() => existsSync(holding), { timeout: 30_000 });
  return {
    finish: async () => {
      writeFileSync(release, '');
      expect(await finished).toEqual({ code: 0, stdout: '', stderr: '' });
    },
  };
}

test('G44 a read sees one state while another connection writes', async () => {
  const location = scratchFile();
  const [reader, writer] = [await opened(location), await opened(location)];
  await setMark(writer, 'before');
  const seen = await reader.read(async (sql) => {
    const first = await mark(sql);
    for (const value of ['1', '2', '3']) await setMark(writer, value);
    return [first, await mark(sql)];
  });
  expect(seen).toEqual(['before', 'before']);
  expect(await reader.read(mark)).toBe('3');
});

test.each(places)('G44 a read sees one state while the same database writes: %s', async (_, place) => {
  const database = await opened(place());
  await setMark(database, 'before');
  let writing: Promise<void> | undefined;
  const seen = await database.read(async (sql) => {
    const first = await mark(sql);
    writing = setMark(database, 'after');
    return [first, await mark(sql), await mark(sql)];
  });
  await writing;
  expect(seen).toEqual(['before', 'before', 'before']);
  expect(await database.read(mark)).toBe('after');
});

test('G44 reads do not wait for a writer in another process, and see nothing of its change', async () => {
  const location = scratchFile();
  const database = await opened(location);
  const writer = await holdingWriter(location);
  const reads = Array.from({ length: 20 }, () => database.read(mark));
  expect(new Set(await Promise.all(reads))).toEqual(new Set([undefined]));
  await writer.finish();
  expect(await database.read(mark)).toBe('held');
});

test('G44 reads do not wait for a writer in the same process, and see nothing of its change', async () => {
  const database = await opened(scratchFile());
  await database.write(async (sql) => {
    await writeSetting(sql, 'mark', 'held');
    const reads = Array.from({ length: 20 }, () => database.read(mark));
    expect(new Set(await Promise.all(reads))).toEqual(new Set([undefined]));
  });
  expect(await database.read(mark)).toBe('held');
});

test('G44 a write waits for the writer of another process, and then happens', async () => {
  const location = scratchFile();
  const database = await opened(location);
  const writer = await holdingWriter(location);
  const writing = database.write(async (sql) => writeSetting(sql, 'mark', `${await mark(sql)}, then changed`));
  await writer.finish();
  await writing;
  expect(await database.read(mark)).toBe('held, then changed');
});

test.each(places)('G45 a write that throws leaves nothing behind, and the next one works: %s', async (_, place) => {
  const database = await opened(place());
  const failing = database.write(async (sql) => {
    await writeSetting(sql, 'mark', 'half');
    throw new Error('changed my mind');
  });
  await expect(failing).rejects.toThrow('changed my mind');
  expect(await database.read(mark)).toBeUndefined();
  await setMark(database, 'whole');
  expect(await database.read(mark)).toBe('whole');
});

test.each(places)('G45 a write with a bad statement leaves nothing behind: %s', async (_, place) => {
  const database = await opened(place());
  const failing = database.write(async (sql) => {
    await writeSetting(sql, 'mark', 'half');
    await sql.run("INSERT INTO settings (name, value) VALUES ('other', NULL)");
  });
  await expect(failing).rejects.toThrow(/NOT NULL/);
  expect(await database.read(mark)).toBeUndefined();
});

test.each(places)('G45 a write that fails at its commit leaves nothing behind: %s', async (_, place) => {
  const database = await opened(place());
  const orphan = (sql: Sql) => sql.run("UPDATE nodes SET parent_id = 'nowhere' WHERE id = 'library'");
  const failing = database.write(async (sql) => {
    await writeSetting(sql, 'mark', 'half');
    await orphan(sql);
  });
  await expect(failing).rejects.toThrow(/FOREIGN KEY/);
  expect(await database.read(mark)).toBeUndefined();
  await setMark(database, 'whole');
  expect(await database.read(mark)).toBe('whole');
});

test('G45 a write that finds the disk full leaves nothing behind, and says so', async () => {
  const location = scratchFile();
  const database = await opened(location);
  // The file may not grow beyond what it has: to SQLite this is a full disk.
  const limitTo = (pages: number) => database.write((sql) => sql.all(`PRAGMA max_page_count = ${pages}`));
  await limitTo(1);
  const thrown = await thrownBy(
    database.write(async (sql) => {
      await writeSetting(sql, 'mark', 'half');
      await writeSetting(sql, 'other', 'x'.repeat(1_000_000));
    }),
  );
  expect(thrown).toBeInstanceOf(Failure);
  expect((thrown as Failure).message).toBe(`The database '${location}' cannot grow: the disk is full.`);
  expect(await database.read(mark)).toBeUndefined();
  await limitTo(1_000_000);
  await setMark(database, 'whole');
  expect(await database.read(mark)).toBe('whole');
});

test.each(places)('G45 a rehearsed write leaves nothing behind: %s', async (_, place) => {
  const database = await opened(place());
  const seen = await database.rehearse(async (sql) => {
    await writeSetting(sql, 'mark', 'tried');
    return mark(sql);
  });
  expect(seen).toBe('tried');
  expect(await database.read(mark)).toBeUndefined();
});
