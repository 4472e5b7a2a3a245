/** Once a day, after a change, what is past its time is dropped. The clock is the test's own. */
import { expect, onTestFinished, test } from 'vitest';
import { loadConfig } from '../../src/config/config.js';
import type { SettingValues } from '../../src/config/settings.js';
import { openDatabase } from '../../src/storage/open.js';
import { openWorkspace, type Session } from '../../src/workspace.js';
import { scratchEnv, scratchFolder } from '../support/scratch.js';

const HOUR = 3_600_000;
const start = Date.UTC(2030, 0, 1);

type Clock = { hours: number };

/** A workspace whose clock stands at `clock.hours` after the start. */
async function workspaceAt(folder: string, clock: Clock, settings: Partial<SettingValues>) {
  const now = () => start + clock.hours * HOUR;
  return openWorkspace({ env: scratchEnv(folder), now, settings: { 'limits.callsPerMinute': 0, ...settings } });
}

/** A library in a folder of its own, with a process for each visit: opened at an hour, used, closed. */
function library(settings: Partial<SettingValues>) {
  const folder = scratchFolder();
  const visit = async (hours: number, work: (session: Session) => Promise<void>) => {
    const workspace = await workspaceAt(folder, { hours }, settings);
    await work(workspace.session({ agent: 'tester' }));
    await workspace.close();
  };
  const rename = (hours: number, newName: string) => visit(hours, (session) => renamed(session, newName));
  return { folder, visit, rename };
}

/** Renames the one folder that these tests work on, and makes it where it is not there yet. */
async function renamed(session: Session, newName: string): Promise<void> {
  const { folders } = (await session.call('list_folders', {})) as { folders: { id: string }[] };
  const id = folders[0]?.id;
  const done = await (id
    ? session.call('edit_folder', { id, newName })
    : session.call('add_folder', { name: newName }));
  expect(done.success).toBe(true);
}

async function stored(folder: string) {
  const config = loadConfig(scratchEnv(folder));
  const database = await openDatabase({ location: config.get('database'), driver: config.get('sqlite.driver') });
  onTestFinished(() => database.close());
  return database.read(async (sql) => {
    const history = await sql.all<{ name: string }>(
      "SELECT name FROM node_history WHERE type = 'folder' ORDER BY until",
    );
    const keys = await sql.all<{ key: string }>('SELECT key FROM idempotency_keys ORDER BY key');
    return { history: history.map(({ name }) => name), keys: keys.map(({ key }) => key) };
  });
}

const historyOf = async (folder: string) => (await stored(folder)).history;

test('G48 history older than the setting is dropped after a change, and younger history stays', async () => {
  const { folder, rename } = library({ 'history.days': 10 });
  await rename(0, 'A');
  await rename(1, 'B');
  await rename(5 * 24, 'C');
  expect(await historyOf(folder)).toEqual(['A', 'B']);
  await rename(11 * 24, 'D');
  expect(await historyOf(folder)).toEqual(['B', 'C']);
  await rename(30 * 24, 'E');
  expect(await historyOf(folder)).toEqual(['D']);
});

test('G48 history is looked at once a day, also when every change comes from a new process', async () => {
  const { folder, rename } = library({ 'history.days': 1 });
  await rename(0, 'A');
  await rename(1, 'B');
  await rename(24, 'C');
  expect(await historyOf(folder)).toEqual(['A', 'B']);
  // A is older than a day by now, but the last look was an hour ago.
  await rename(26, 'D');
  expect(await historyOf(folder)).toEqual(['A', 'B', 'C']);
  await rename(48.5, 'E');
  expect(await historyOf(folder)).toEqual(['C', 'D']);
});

test('G48 a process that runs for days drops old history too', async () => {
  const folder = scratchFolder();
  const clock = { hours: 0 };
  const workspace = await workspaceAt(folder, clock, { 'history.days': 1 });
  const session = workspace.session();
  for (const [hours, name] of [
    [0, 'A'],
    [1, 'B'],
    [24, 'C'],
    [26, 'D'],
    [48.5, 'E'],
  ] as const) {
    clock.hours = hours;
    await renamed(session, name);
  }
  await workspace.close();
  expect(await historyOf(folder)).toEqual(['C', 'D']);
});

test('G48 with 0 days history is kept for ever', async () => {
  const { folder, rename } = library({ 'history.days': 0 });
  await rename(0, 'A');
  await rename(1, 'B');
  await rename(100 * 365 * 24, 'C');
  expect(await historyOf(folder)).toEqual(['A', 'B']);
});

test('G48 younger history stays where another process with a wrong clock made a change', async () => {
  const { folder, rename } = library({ 'history.days': 10 });
  await rename(0, 'A');
  await rename(20 * 24, 'B');
  await rename(-365 * 24, 'C');
  await rename(22 * 24, 'D');
  expect(await historyOf(folder)).toContain('A');
});

test('G48 reading and rehearsing drop nothing', async () => {
  const { folder, rename, visit } = library({ 'history.days': 1 });
  await rename(0, 'A');
  await rename(1, 'B');
  await visit(100, async (session) => {
    await session.call('list_folders', {});
    await session.call('add_folder', { name: 'Z', dryRun: true });
  });
  expect(await historyOf(folder)).toEqual(['A']);
});

test('G48 a key expires after its hours, and is dropped by the upkeep of a day', async () => {
  const { folder, visit } = library({ 'idempotency.hours': 10 });
  const ids: string[] = [];
  const add = (hours: number, idempotencyKey: string) =>
    visit(hours, async (session) => {
      const added = await session.call('add_folder', { name: idempotencyKey, idempotencyKey });
      ids.push((added as { id: string }).id);
    });
  await add(0, 'first');
  await add(9, 'first');
  expect(ids[1]).toBe(ids[0]);
  await add(11, 'first');
  expect(ids[2]).not.toBe(ids[0]);
  await add(20, 'second');
  expect((await stored(folder)).keys).toEqual(['first', 'second']);
  await add(25, 'third');
  expect((await stored(folder)).keys).toEqual(['second', 'third']);
});
