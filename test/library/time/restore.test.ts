import fc from 'fast-check';
import { expect, test } from 'vitest';
import { openChange } from '../../../src/library/tree/change.js';
import { dropHistory } from '../../../src/library/tree/retention.js';
import { diffBetween } from '../../../src/library/tree/time/diff.js';
import { createSnapshot, restoreSnapshot } from '../../../src/library/tree/time/snapshots.js';
import { undoLast } from '../../../src/library/tree/time/undo.js';
import type { Database } from '../../../src/storage/sql.js';
import { factor } from '../../support/effort.js';
import { applyDiff } from './picture.js';
import { changes, makeChange, request, type Step, withTree } from './random-tree.js';
import { dumpNow, expectSound, Past, revisionNow } from './sound.js';

const snapshot = (database: Database, label = 'here') =>
  database.write((sql) => createSnapshot(openChange(request(sql, 'ann')), label));

const restore = (database: Database, id: string, version?: string) =>
  database.write((sql) => restoreSnapshot(openChange(request(sql, 'ann', version)), id, 'snapshotId'));

/** Makes the changes and takes a snapshot after each of them. */
async function makeHistory(database: Database, steps: readonly Step[][], past: Past): Promise<string[]> {
  const ids: string[] = [];
  for (const step of steps) {
    await makeChange(database, step);
    await past.note(database);
    ids.push((await snapshot(database)).id);
  }
  return ids;
}

const picks = fc.array(fc.nat(1000), { minLength: 1, maxLength: 4 });

test('T320 T321 T322 restoring gives back exactly what was, and the past stays what it was', async () => {
  await fc.assert(
    fc.asyncProperty(changes, picks, (steps, restores) =>
      withTree(async (database) => {
        const past = new Past();
        const ids = await makeHistory(database, steps, past);
        for (const pick of restores) {
          const before = await dumpNow(database);
          const found = await database.read((sql) =>
            sql.get<{ revision: number }>('SELECT revision FROM snapshots WHERE id = ?', [
              ids[pick % ids.length] as string,
            ]),
          );
          const { safetySnapshotId } = await restore(database, ids[pick % ids.length] as string);
          await past.note(database);
          expect(await dumpNow(database)).toEqual(past.at(found?.revision as number));
          await expectSound(database);

          await restore(database, safetySnapshotId);
          await past.note(database);
          expect(await dumpNow(database)).toEqual(before);
          await restore(database, ids[pick % ids.length] as string);
          await makeChange(database, steps[pick % steps.length] as Step[]);
          await past.note(database);
          await expectSound(database);
        }
        await past.expectUnchanged(database);
      }),
    ),
    { numRuns: 40 * factor },
  );
});

test('T323 a restore can be undone', async () => {
  await fc.assert(
    fc.asyncProperty(changes, fc.nat(1000), (steps, pick) =>
      withTree(async (database) => {
        const ids = await makeHistory(database, steps, new Past());
        const before = await dumpNow(database);
        const revision = await revisionNow(database);
        await restore(database, ids[pick % ids.length] as string);
        if ((await revisionNow(database)) === revision) return;
        await database.write((sql) => undoLast(openChange(request(sql, 'ann'))));
        expect(await dumpNow(database)).toEqual(before);
        await expectSound(database);
      }),
    ),
    { numRuns: 40 * factor },
  );
});

test('T324 a restore is refused when what it touches has changed after the version of the caller', async () => {
  await fc.assert(
    fc.asyncProperty(changes, fc.nat(1000), fc.nat(5), (steps, pick, lag) =>
      withTree(async (database) => {
        const past = new Past();
        const ids = await makeHistory(database, steps, past);
        const latest = await revisionNow(database);
        const basis = Math.max(0, latest - lag);
        const before = await dumpNow(database);
        const snapshots = await database.read((sql) =>
          sql.all<{ id: string; revision: number }>('SELECT id, revision FROM snapshots'),
        );
        const target = snapshots.find(({ id }) => id === ids[pick % ids.length]);
        const [toDo, missed] = await database.read(async (sql) => [
          await diffBetween(sql, latest, target?.revision as number),
          await diffBetween(sql, basis, latest),
        ]);
        const outcome = await restore(database, target?.id as string, `r${basis}`).catch((thrown) => thrown);
        const named = (diff: typeof toDo) =>
          [...diff.added, ...diff.removed, ...diff.moved, ...diff.changed].map(({ nodeId }) => nodeId);
        const overlap = named(toDo).some((id) => named(missed).includes(id));
        if (overlap) expect(outcome.type).toBe('conflict');
        if (basis === latest) expect(outcome.safetySnapshotId).toBeDefined();
        if (outcome.type !== 'conflict') return;
        expect(outcome.details.currentVersion).toBe(`r${latest}`);
        expect(await dumpNow(database)).toEqual(before);
        expect(await revisionNow(database)).toBe(latest);
      }),
    ),
    { numRuns: 60 * factor },
  );
});

test('T325 snapshots pin what they need: old history is dropped, and they still compare and restore exactly', async () => {
  await fc.assert(
    fc.asyncProperty(changes, fc.nat(1000), fc.nat(1000), (steps, first, second) =>
      withTree(async (database) => {
        const past = new Past();
        const pinned: { id: string; revision: number }[] = [];
        for (const [index, step] of steps.entries()) {
          await makeChange(database, step);
          await past.note(database);
          if (index % 3 === first % 3) pinned.push(await snapshot(database));
        }
        const now = await dumpNow(database);
        // Everything was made at the time 1000: all history that no snapshot needs goes.
        await database.write((sql) => dropHistory(sql, 2000));
        const [a, b] = [pinned[first % (pinned.length || 1)], pinned[second % (pinned.length || 1)]];
        if (!a || !b) return;
        const [then, other] = [past.at(a.revision).picture, past.at(b.revision).picture];
        const [between, tillNow] = await database.read(async (sql) => [
          await diffBetween(sql, a.revision, b.revision),
          await diffBetween(sql, a.revision, await revisionNowIn(sql)),
        ]);
        expect(applyDiff(then, between)).toEqual(other);
        expect(applyDiff(then, tillNow)).toEqual(now.picture);
        await restore(database, a.id);
        expect(await dumpNow(database)).toEqual(past.at(a.revision));
        await expectSound(database);
        await restore(database, b.id);
        expect(await dumpNow(database)).toEqual(past.at(b.revision));
      }),
    ),
    { numRuns: 50 * factor },
  );
});

const revisionNowIn = async (sql: Parameters<Parameters<Database['read']>[0]>[0]): Promise<number> =>
  (await sql.get<{ revision: number }>('SELECT max(revision) AS revision FROM revisions'))?.revision ?? 0;
