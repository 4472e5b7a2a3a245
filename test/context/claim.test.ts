/** Claims: one process at a time syncs a collection. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import os from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { type Claim, type ClaimOptions, withClaim } from '../../src/context/claim.js';
import { dropCollection, ensureCollection } from '../../src/context/collection-store.js';
import type { Failure } from '../../src/errors.js';
import type { Database } from '../../src/storage/sql.js';
import { scratchDatabase } from '../support/library-port.js';
import { scratchFolder } from '../support/scratch.js';

const id = 'file:1';

const options = (more: Partial<ClaimOptions> = {}): ClaimOptions => ({
  signal: new AbortController().signal,
  now: Date.now,
  waitMs: 60_000,
  prepare: (sql) => ensureCollection(sql, id, { type: 'file', path: '/docs', glob: '*' }, 0),
  ...more,
});

const claimed = <T>(database: Database, work: (claim: Claim) => Promise<T>, more: Partial<ClaimOptions> = {}) =>
  withClaim(database, id, options(more), work);

const holder = (database: Database) =>
  database.read((sql) =>
    sql.get<{ by: string | null; until: number | null }>(
      'SELECT claimed_by AS "by", claimed_until AS until FROM collections WHERE id = ?',
      [id],
    ),
  );

/** Leaves a claim as a process that is gone, or one elsewhere, would. */
async function leaveClaim(database: Database, by: string, until = Date.now() + 60_000): Promise<void> {
  await database.write(async (sql) => {
    await options().prepare(sql);
    await sql.run('UPDATE collections SET claimed_by = ?, claimed_until = ? WHERE id = ?', [by, until, id]);
  });
}

/** The id of a process that has ended. */
async function deadPid(): Promise<number> {
  const child = spawn(process.execPath, ['-e', '']);
  await once(child, 'close');
  return child.pid as number;
}

/** A promise, and the function that resolves it. */
function signalled() {
  let resolve = () => {};
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}

test('C420 the second waits until the first has ended', async () => {
  const database = await scratchDatabase(path.join(scratchFolder(), 'data.db'));
  const [entered, leave] = [signalled(), signalled()];
  const order: string[] = [];
  const first = claimed(database, async () => {
    entered.resolve();
    await leave.promise;
    order.push('first');
  });
  await entered.promise;
  const second = claimed(database, async () => void order.push('second'));
  leave.resolve();
  await Promise.all([first, second]);
  expect(order).toEqual(['first', 'second']);
  expect(await holder(database)).toEqual({ by: null, until: null });
});

test('C420 twenty at once take turns', async () => {
  const database = await scratchDatabase(path.join(scratchFolder(), 'data.db'));
  let inside = 0;
  const work = async (claim: Claim) => {
    inside++;
    await database.write((sql) => claim.keep(sql));
    expect(inside).toBe(1);
    inside--;
  };
  await Promise.all(Array.from({ length: 20 }, () => claimed(database, work)));
});

test('C421 one who may not wait longer is told who holds the collection', async () => {
  const database = await scratchDatabase();
  await claimed(database, async () => {
    const failure = (await claimed(database, async () => {}, { waitMs: 0 }).catch((thrown) => thrown)) as Failure;
    expect(failure).toMatchObject({
      type: 'conflict',
      message: `The collection '${id}' is being synced by process ${process.pid} on '${os.hostname()}'.`,
      instruction: 'Wait until that sync has ended, then sync again.',
    });
  });
});

test('C421 waiting ends when it is cancelled', async () => {
  const database = await scratchDatabase();
  const controller = new AbortController();
  await claimed(database, async () => {
    const waiting = claimed(database, async () => {}, { signal: controller.signal });
    controller.abort(new Error('cancelled'));
    await expect(waiting).rejects.toThrow('cancelled');
  });
});

test('C422 the claim of a process of this machine that is gone is taken over', async () => {
  const database = await scratchDatabase();
  await leaveClaim(database, `${os.hostname()}/${await deadPid()}/x`);
  expect(await claimed(database, async () => 'done', { waitMs: 0 })).toBe('done');
});

test('C422 the claim of a living process or of another machine holds until it runs out', async () => {
  const database = await scratchDatabase();
  for (const by of [`${os.hostname()}/${process.ppid}/x`, `elsewhere/${await deadPid()}/x`]) {
    await leaveClaim(database, by);
    await expect(claimed(database, async () => {}, { waitMs: 0 })).rejects.toMatchObject({ type: 'conflict' });
    await leaveClaim(database, by, Date.now() - 1);
    expect(await claimed(database, async () => 'done', { waitMs: 0 })).toBe('done');
  }
});

test('C423 one whose claim was taken over, or whose collection was dropped, changes nothing more', async () => {
  const database = await scratchDatabase();
  for (const takeAway of [
    () => leaveClaim(database, 'elsewhere/1/x'),
    () => database.write((sql) => dropCollection(sql, id)),
  ]) {
    const work = claimed(
      database,
      async (claim) => {
        await database.write((sql) => claim.keep(sql));
        await takeAway();
        await database.write((sql) => claim.keep(sql));
      },
      { isAlive: () => false },
    );
    await expect(work).rejects.toMatchObject({ type: 'conflict' });
    await leaveClaim(database, 'nobody/1/x', 0);
  }
});

test('C423 the claim of another is not given back by one who lost his', async () => {
  const database = await scratchDatabase();
  await claimed(database, () => leaveClaim(database, 'elsewhere/1/x'));
  expect((await holder(database))?.by).toBe('elsewhere/1/x');
});

test('C424 a claim stays alive while its holder works, and ends with it', async () => {
  const database = await scratchDatabase(path.join(scratchFolder(), 'data.db'));
  let time = 1000;
  await claimed(
    database,
    async () => {
      const before = (await holder(database))?.until ?? 0;
      time += 5000;
      let after = before;
      while (after === before) {
        // Lets the timers run.
        await new Promise(setImmediate);
        after = (await holder(database))?.until ?? 0;
      }
      expect(after).toBe(before + 5000);
    },
    { now: () => time, leaseMs: 30 },
  );
  const failing = claimed(database, async () => Promise.reject(new Error('stop')));
  await expect(failing).rejects.toThrow('stop');
  expect(await holder(database)).toEqual({ by: null, until: null });
});

test('C425 a claim that another process left when it was killed is taken over', async () => {
  const location = path.join(scratchFolder(), 'data.db');
  const database = await scratchDatabase(location);
  const child = spawn(process.execPath, [path.join(import.meta.dirname, 'claim.child.mjs'), location, id], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  expect(await Promise.race([once(child.stdout, 'data'), once(child, 'close')])).toEqual([Buffer.from('claimed\n')]);
  const held = claimed(database, async () => {}, { waitMs: 0 });
  await expect(held).rejects.toThrow(`is being synced by process ${child.pid} on '${os.hostname()}'`);
  child.kill('SIGKILL');
  await once(child, 'close');
  expect(await claimed(database, async () => 'done', { waitMs: 0 })).toBe('done');
});
