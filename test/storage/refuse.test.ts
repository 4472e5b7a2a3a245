/** Files that are not ours to open: each gets an error that names the file, and stays as it is. */
import { execFile } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { Failure } from '../../src/errors.js';
import { chooseDriver, type DriverName } from '../../src/storage/drivers/choose.js';
import { migrations } from '../../src/storage/migrations/steps.js';
import { openDatabase } from '../../src/storage/open.js';
import { cli, mainFile, scratchEnv, scratchFolder } from '../support/scratch.js';

const driver = (process.env.AI_ASSIST_SQLITE_DRIVER || 'auto') as DriverName;
const PAGE = 4096;
const next = migrations.length + 1;

/** Runs a program that is expected to fail, and ends it if it hangs. */
const runBounded = (program: string, args: string[], env: NodeJS.ProcessEnv): Promise<{ stderr: string }> =>
  promisify(execFile)(program, args, { env, timeout: 20_000 }).catch((error) => error);

/** Makes a file with plain SQL, as another program would. */
function makeFile(location: string, statements: string): void {
  const connection = chooseDriver(driver).connect(location);
  connection.exec(statements);
  connection.close();
}

/** A library that nobody has open: libsql closes a file only when its statements are garbage, a copy is at rest. */
async function makeLibrary(location: string): Promise<void> {
  const original = path.join(scratchFolder(), 'library.db');
  const database = await openDatabase({ location: original, driver });
  await database.close();
  makeFile(original, `VACUUM INTO '${location}'`);
  makeFile(location, 'PRAGMA journal_mode = WAL');
}

/** Opens the file and reads every node, and answers the failure. */
async function failureOf(location: string): Promise<Failure> {
  const thrown = await openAndRead(location).then(
    () => new Error(`'${location}' was opened`),
    (error: unknown) => error,
  );
  expect(thrown).toBeInstanceOf(Failure);
  return thrown as Failure;
}

async function openAndRead(location: string): Promise<void> {
  const database = await openDatabase({ location, driver });
  try {
    await database.read((sql) => sql.all('SELECT * FROM nodes'));
  } finally {
    await database.close();
  }
}

/** SQLite's own companions of an open file, without content. */
const isCompanion = (file: string) => file.endsWith('-shm') || (file.endsWith('-wal') && statSync(file).size === 0);

/** Everything in a folder, with what a write would change. */
function trace(folder: string) {
  const names = readdirSync(folder).filter((name) => !isCompanion(path.join(folder, name)));
  return names.map((name) => {
    const { mtimeMs, size } = statSync(path.join(folder, name));
    return { name, mtimeMs, size, bytes: readFileSync(path.join(folder, name)).toString('base64') };
  });
}

/** A file in a folder of its own is refused with a text, and nothing in the folder changes. */
async function expectRefused(location: string, text: RegExp): Promise<void> {
  const folder = path.dirname(location);
  const before = trace(folder);
  for (let attempt = 0; attempt < 2; attempt++) {
    const failure = await failureOf(location);
    expect(failure.message).toContain(`'${location}'`);
    expect(failure.message).toMatch(text);
    expect(failure.instruction).toContain('AI_ASSIST_DATABASE');
  }
  expect(trace(folder)).toEqual(before);
}

test.each([next, 1_000, 2_147_483_647])(
  'G41 a database with the newer schema %i is refused and left',
  async (schema) => {
    const location = path.join(scratchFolder(), 'library.db');
    await makeLibrary(location);
    makeFile(location, `PRAGMA user_version = ${schema}`);
    await expectRefused(location, /newer version/);
  },
);

test('G41 the command line says that a database is newer, and leaves it', async () => {
  const folder = scratchFolder();
  const location = path.join(folder, 'library.db');
  await makeLibrary(location);
  makeFile(location, 'PRAGMA user_version = 99');
  const before = trace(folder);
  const env = scratchEnv(folder, { AI_ASSIST_DATABASE: location });
  const { code, stdout } = await cli(['tool', 'add_folder', '--name', 'Work', '--json'], env);
  expect(code).toBe(1);
  expect(JSON.parse(stdout)).toMatchObject({ success: false, error: expect.stringMatching(/library\.db.*newer/) });
  expect(trace(folder)).toEqual(before);
});

const noDatabases = {
  'a note': 'Buy milk.\n',
  'one byte': 'x',
  'a long text': 'All work and no play. '.repeat(10_000),
  'bytes of nothing': Buffer.alloc(3 * PAGE),
};

test.each(Object.entries(noDatabases))('G42 a file that is no database is refused and left: %s', async (_, content) => {
  const location = path.join(scratchFolder(), 'notes.txt');
  writeFileSync(location, content);
  await expectRefused(location, /is not a database/);
});

test('G42 a database whose pages are garbled is refused and left', async () => {
  const location = path.join(scratchFolder(), 'library.db');
  await makeLibrary(location);
  const content = readFileSync(location);
  content.fill(0xa5, PAGE);
  writeFileSync(location, content);
  await expectRefused(location, /is damaged/);
});

test('G42 a database whose first page is garbled behind its header is refused and left', async () => {
  const location = path.join(scratchFolder(), 'library.db');
  await makeLibrary(location);
  const content = readFileSync(location);
  content.fill(0xa5, 100, PAGE);
  writeFileSync(location, content);
  await expectRefused(location, /is damaged/);
});

test.each([100, 1000, PAGE, 2 * PAGE])(
  'G42 a database that was cut off after %i bytes is refused and left',
  async (size) => {
    const location = path.join(scratchFolder(), 'library.db');
    await makeLibrary(location);
    truncateSync(location, size);
    await expectRefused(location, /is damaged|is not a database/);
  },
);

const otherPrograms = {
  'with tables': 'CREATE TABLE notes (text)',
  'with tables and an application id': 'PRAGMA application_id = 77; CREATE TABLE notes (text)',
  'with tables and the number of our schema': `PRAGMA user_version = ${migrations.length}; CREATE TABLE notes (text)`,
  'in WAL mode': 'PRAGMA journal_mode = WAL; CREATE TABLE notes (text)',
  'without tables, with an application id': 'PRAGMA application_id = 77',
  'without tables, with the number of our schema': `PRAGMA user_version = ${migrations.length}`,
};

test.each(Object.entries(otherPrograms))(
  'G42 a database of another program is refused and left: %s',
  async (_, sql) => {
    const location = path.join(scratchFolder(), 'notes.db');
    makeFile(location, sql);
    await expectRefused(location, /belongs to another program/);
  },
);

test('G42 a path that is a folder gets an error that names it', async () => {
  const location = path.join(scratchFolder(), 'folder');
  mkdirSync(location);
  const failure = await failureOf(location);
  expect(failure.message).toBe(`The database '${location}' cannot be opened.`);
  expect(readdirSync(location)).toEqual([]);
});

test('G42 a path below a file gets an error that names it, and the file stays', async () => {
  const folder = scratchFolder();
  const file = path.join(folder, 'notes.txt');
  writeFileSync(file, 'Buy milk.\n');
  const before = trace(folder);
  const location = path.join(file, 'library.db');
  expect((await failureOf(location)).message).toBe(`The database '${location}' cannot be opened.`);
  expect(trace(folder)).toEqual(before);
});

test('G42 a link to a folder that is not there gets an error that names it', async () => {
  const folder = scratchFolder();
  const location = path.join(folder, 'library.db');
  symlinkSync(path.join(folder, 'gone', 'library.db'), location);
  expect((await failureOf(location)).message).toBe(`The database '${location}' cannot be opened.`);
});

test.runIf(process.platform === 'linux')('G42 a place where nobody may write gets an error that names it', async () => {
  for (const location of ['/proc/library.db', '/proc/ai-assist/library.db']) {
    const env = scratchEnv(scratchFolder(), { AI_ASSIST_DATABASE: location });
    // Node tries for ever to make a folder in /proc when it is asked for all of a path.
    const { stderr } = await runBounded(process.execPath, [mainFile, 'tool', 'list_folders'], env);
    expect(stderr).toContain(`The database '${location}' cannot be opened.`);
  }
});

test.runIf(process.platform === 'linux')('G42 a new file that may not grow gets an error that names it', async () => {
  const location = path.join(scratchFolder(), 'library.db');
  const env = scratchEnv(scratchFolder(), { AI_ASSIST_DATABASE: location });
  const limited = `ulimit -f 80; trap '' XFSZ; exec '${process.execPath}' '${mainFile}' tool list_folders`;
  const { stderr } = await runBounded('sh', ['-c', limited], env);
  expect(stderr).toContain(`The database '${location}' cannot `);
});

test('G42 the command line names the file that it cannot use', async () => {
  const folder = scratchFolder();
  const location = path.join(folder, 'notes.txt');
  writeFileSync(location, 'Buy milk.\n');
  const { code, stderr } = await cli(['tool', 'list_folders'], scratchEnv(folder, { AI_ASSIST_DATABASE: location }));
  expect(code).toBe(1);
  expect(stderr).toContain(`The database '${location}' is not a database.`);
  expect(readFileSync(location, 'utf8')).toBe('Buy milk.\n');
});
