/** Many processes change one project file, and some are killed: no reader sees a part, and no success is lost. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { expect, onTestFinished, test } from 'vitest';
import { changeProject, initProject } from '../../src/project/change.js';
import { factor } from '../support/effort.js';
import { keepReading } from '../support/keep-reading.js';
import { scratchFolder } from '../support/scratch.js';

const script = path.join(import.meta.dirname, 'change.child.mjs');
const FOR_EVER = Number.MAX_SAFE_INTEGER;

type Worker = { child: ChildProcess; names: string[]; closed: Promise<unknown[]> };

function start(file: string, name: string, count: number): Worker {
  const child = spawn(process.execPath, [script, file, name, String(count)], { stdio: ['ignore', 'pipe', 'inherit'] });
  const names: string[] = [];
  createInterface({ input: child.stdout }).on('line', (line) => names.push(line));
  onTestFinished(() => void child.kill('SIGKILL'));
  return { child, names, closed: once(child, 'close') };
}

/** Kills a worker once it has reported so many changes, and answers what it had reported by then. */
async function killAfter({ child, names, closed }: Worker, count: number): Promise<string[]> {
  let ended = false;
  void closed.then(() => (ended = true));
  while (names.length < count && !ended)
    await Promise.race([once(child.stdout as NodeJS.ReadableStream, 'data'), closed]);
  if (ended) throw new Error('The process ended by itself.');
  child.kill('SIGKILL');
  await closed;
  return names;
}

async function toItsEnd({ names, closed }: Worker): Promise<string[]> {
  const [code] = await closed;
  expect(code).toBe(0);
  return names;
}

test('C120 ten processes at once, some of them killed, lose no change that was reported', {
  timeout: 60_000 * factor,
}, async () => {
  const folder = scratchFolder();
  const { file } = await initProject(folder, 'context.json', false);
  const stopReading = keepReading(file);
  const steady = ['a', 'b', 'c', 'd', 'e'].map((name) => toItsEnd(start(file, name, 8 * factor)));
  const killed = ['v', 'w', 'x', 'y', 'z'].map(async (name) => {
    const reported: string[] = [];
    for (let round = 0; round < 3 * factor; round++) {
      reported.push(...(await killAfter(start(file, `${name}${round}`, FOR_EVER), 1 + (round % 3))));
    }
    return reported;
  });
  const reported = (await Promise.all([...steady, ...killed])).flat();
  expect(await stopReading()).toBeGreaterThan(0);

  const { config } = await changeProject(file, () => [{ path: ['last'], value: true }], { waitMs: 60_000 });
  expect(Object.keys(config.collections)).toEqual(expect.arrayContaining(reported));
  expect(reported.length).toBeGreaterThanOrEqual(5 * 8 * factor + 5 * 3 * factor);
  expect(readdirSync(folder), 'nothing is left behind').toEqual(['context.json']);
});
