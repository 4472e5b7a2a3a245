/** Many processes change one catalog, and some are killed: no reader sees a part, and no success is lost. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { expect, onTestFinished, test } from 'vitest';
import { parseProject } from '../../src/project/schema.js';
import { keepReading } from '../support/keep-reading.js';
import { scratchFolder, scratchWorkspace } from '../support/scratch.js';

const script = path.join(import.meta.dirname, 'change.child.mjs');
const CHANGES = 50;

type Worker = { child: ChildProcess; reported: string[]; closed: Promise<unknown[]> };

function start(project: string, name: string): Worker {
  const child = spawn(process.execPath, [script, project, name, String(CHANGES)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const reported: string[] = [];
  createInterface({ input: child.stdout }).on('line', (line) => reported.push(line));
  onTestFinished(() => void child.kill('SIGKILL'));
  return { child, reported, closed: once(child, 'close') };
}

/** Kills a process once it has reported so many changes, and answers what it had reported by then. */
async function killAfter({ child, reported, closed }: Worker, count: number): Promise<string[]> {
  while (reported.length < count) await Promise.race([once(child.stdout as NodeJS.ReadableStream, 'data'), closed]);
  child.kill('SIGKILL');
  await closed;
  return reported;
}

async function toItsEnd({ reported, closed }: Worker): Promise<string[]> {
  expect(await closed).toEqual([0, null]);
  expect(reported).toHaveLength(CHANGES);
  return reported;
}

test('K45 ten processes with 50 changes each, some of them killed, lose no change that was reported', async () => {
  const folder = scratchFolder();
  const file = path.join(folder, 'context.json');
  writeFileSync(file, JSON.stringify({ collections: { shared: { type: 'group', categories: [] } }, own: 1 }, null, 2));
  const stopReading = keepReading(file);
  const steady = ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((name) => toItsEnd(start(folder, name)));
  const killed = ['x', 'y', 'z'].map((name, index) => killAfter(start(folder, name), 5 + 10 * index));
  const reported = (await Promise.all([...steady, ...killed])).flat();
  expect(await stopReading()).toBeGreaterThan(0);

  // A lock that a killed process left is taken over at once.
  const session = (await scratchWorkspace({ settings: { database: ':memory:' } })).session({ project: folder });
  expect(await session.call('category_add', { name: 'last' })).toMatchObject({ success: true });
  const { collections, categories, own } = parseProject(await readFile(file), 'context.json');
  const { shared } = collections;
  const members = shared?.type === 'group' ? shared.categories : [];
  const now = [
    ...Object.keys(categories ?? {}).map((name) => `category ${name}`),
    ...members.map((name) => `member ${name}`),
  ];
  expect(now).toEqual(expect.arrayContaining(reported));
  expect(reported.length).toBeGreaterThanOrEqual(7 * CHANGES + 5 + 15 + 25);
  expect(own).toBe(1);
  expect(readdirSync(folder), 'nothing is left behind').toEqual(['context.json']);
});
