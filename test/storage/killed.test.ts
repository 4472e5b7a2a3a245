/** Processes that are killed while they write: whatever they were told is done, is done, and nothing is half done. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { loadConfig } from '../../src/config/config.js';
import { openDatabase } from '../../src/storage/open.js';
import { scratchEnv, scratchFolder, scratchWorkspace } from '../support/scratch.js';

const killedChild = fileURLToPath(new URL('./killed.child.mjs', import.meta.url));

type Writer = { child: ChildProcess; lines: string[]; closed: Promise<unknown> };

/** A process that adds folders for ever. It is ended with the test at the latest. */
function startWriter(folder: string): Writer {
  const child = spawn(process.execPath, [killedChild], {
    env: scratchEnv(folder),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const lines: string[] = [];
  createInterface({ input: child.stdout }).on('line', (line) => lines.push(line));
  onTestFinished(() => void child.kill('SIGKILL'));
  return { child, lines, closed: once(child, 'close') };
}

/** Waits until the process has printed so many lines. */
async function printed({ child, lines, closed }: Writer, count: number): Promise<void> {
  while (lines.length < count) {
    const ended = await Promise.race([
      closed.then(() => true),
      once(child.stdout as NodeJS.ReadableStream, 'data').then(() => false),
    ]);
    if (ended) throw new Error(`The process ended by itself after ${lines.length} lines.`);
  }
}

/** Kills the process after so many lines, and answers the ids that it had printed by then. */
async function killAfter(writer: Writer, lines: number): Promise<string[]> {
  await printed(writer, lines);
  writer.child.kill('SIGKILL');
  await writer.closed;
  return writer.lines.slice(1);
}

/** A copy without the memory that living processes share: opening it has to recover what the killed one left. */
function coldCopy(folder: string): string {
  const copy = scratchFolder();
  cpSync(folder, copy, { recursive: true, filter: (file) => !file.endsWith('-shm') });
  return copy;
}

async function stateOf(folder: string) {
  const config = loadConfig(scratchEnv(folder));
  const database = await openDatabase({ location: config.get('database'), driver: config.get('sqlite.driver') });
  onTestFinished(() => database.close());
  return database.read(async (sql) => {
    const count = async (text: string) =>
      (await sql.get<{ count: number }>(`SELECT count(*) AS count FROM ${text}`))?.count;
    return {
      integrity: await sql.all('PRAGMA integrity_check'),
      orphans: await sql.all('PRAGMA foreign_key_check'),
      ids: (await sql.all<{ id: string }>("SELECT id FROM nodes WHERE type = 'folder'")).map(({ id }) => id),
      revisions: await count('revisions'),
      recorded: await count("audit WHERE tool = 'add_folder' AND outcome = 'succeeded'"),
    };
  });
}

/** The file is sound, holds what was promised, and its tables agree with each other. */
async function expectSound(left: string, promised: readonly string[]): Promise<void> {
  const folder = coldCopy(left);
  const { integrity, orphans, ids, revisions, recorded } = await stateOf(folder);
  expect(integrity).toEqual([{ integrity_check: 'ok' }]);
  expect(orphans).toEqual([]);
  expect(ids).toEqual(expect.arrayContaining([...promised]));
  expect({ revisions, recorded }).toEqual({ revisions: ids.length, recorded: ids.length });
  const workspace = await scratchWorkspace({ folder });
  expect(await workspace.session({ role: 'owner' }).call('audit_verify', {})).toMatchObject({ intact: true });
}

test('G47 a process killed again and again in the middle of writing leaves a valid database', async () => {
  const folder = scratchFolder();
  const promised: string[] = [];
  for (let round = 0; round < 15; round++) {
    const lines = 1 + Math.ceil(Math.random() * 30);
    promised.push(...(await killAfter(startWriter(folder), lines)));
    await expectSound(folder, promised);
  }
  expect(promised.length).toBeGreaterThan(15);
});

test('G47 a process killed while it makes a new database leaves one that can be used', async () => {
  for (let round = 0; round < 5; round++) {
    const folder = scratchFolder();
    const promised = await killAfter(startWriter(folder), 1);
    await expectSound(folder, promised);
  }
});

test('G47 when one of two writers is killed, the other goes on', async () => {
  const folder = scratchFolder();
  const [first, second] = [startWriter(folder), startWriter(folder)];
  await Promise.all([printed(first, 5), printed(second, 5)]);
  const promised = await killAfter(first, 10);
  await printed(second, second.lines.length + 10);
  promised.push(...(await killAfter(second, 1)));
  await expectSound(folder, promised);
});
