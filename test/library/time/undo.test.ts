import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Failure } from '../../../src/errors.js';
import { openChange } from '../../../src/library/tree/change.js';
import { type Differences, differencesBetween, isEmpty } from '../../../src/library/tree/time/differences.js';
import { type Reverted, redoLast, undoLast } from '../../../src/library/tree/time/undo.js';
import type { Database } from '../../../src/storage/sql.js';
import { factor } from '../../support/effort.js';
import type { Dump, Picture } from './picture.js';
import { AGENTS, changes, makeChange, request, withTree } from './random-tree.js';
import { dumpNow, expectSound, Past, revisionNow } from './sound.js';

const undo = (database: Database, agent = 'ann') => database.write((sql) => undoLast(openChange(request(sql, agent))));
const redo = (database: Database, agent = 'ann') => database.write((sql) => redoLast(openChange(request(sql, agent))));

test('T330 T331 undoing all of one’s changes goes back step by step, and redoing them goes forth again', async () => {
  await fc.assert(
    fc.asyncProperty(changes, fc.nat(30), (steps, wish) =>
      withTree(async (database) => {
        const past = new Past();
        await past.note(database);
        const states = [await dumpNow(database)];
        for (const step of steps) {
          const revision = await revisionNow(database);
          await makeChange(database, step, 'ann');
          const done = await database.read((sql) => differencesBetween(sql, revision, revision + 1));
          if (!isEmpty(done)) states.push(await dumpNow(database));
          await past.note(database);
        }
        const count = Math.min(wish, states.length - 1);
        let at = states.length - 1;
        for (let round = 0; round < count; round++) {
          await undo(database);
          expect(await dumpNow(database)).toEqual(states[--at]);
          await expectSound(database);
          await past.note(database);
        }
        for (let round = 0; round < count; round++) {
          await redo(database);
          expect(await dumpNow(database)).toEqual(states[++at]);
          await expectSound(database);
          await past.note(database);
        }
        expect((await redo(database).catch((thrown: Failure) => thrown)).constructor.name).toBe('Failure');
        await past.expectUnchanged(database);
      }),
    ),
    { numRuns: 40 * factor },
  );
});

type Move = { undo: boolean; agent: number };
const moves = fc.array(fc.record({ undo: fc.boolean(), agent: fc.nat(1) }), { minLength: 1, maxLength: 6 });

test('T332 T333 T334 agents undo only their own changes, exactly those, or get a conflict and nothing changes', async () => {
  let [succeeded, refused] = [0, 0];
  await fc.assert(
    fc.asyncProperty(changes, moves, (steps, turns) =>
      withTree(async (database) => {
        const past = new Past();
        await past.note(database);
        for (const step of steps) {
          await makeChange(database, step);
          await past.note(database);
        }
        for (const turn of turns) {
          const done = await takeTurn(database, turn, past);
          if (done) succeeded++;
          else refused++;
        }
        await past.expectUnchanged(database);
      }),
    ),
    { numRuns: 80 * factor },
  );
  expect(succeeded).toBeGreaterThan(0);
  expect(refused).toBeGreaterThan(0);
});

async function takeTurn(database: Database, turn: Move, past: Past): Promise<boolean> {
  const agent = AGENTS[turn.agent] as string;
  const before = await dumpNow(database);
  const revision = await revisionNow(database);
  const outcome: Reverted | Failure = await (turn.undo ? undo : redo)(database, agent).catch((thrown) => thrown);
  const after = await dumpNow(database);
  await expectSound(database);
  await past.note(database);
  if (!('revision' in outcome)) {
    expect(['conflict', 'invalid_argument']).toContain(outcome.type);
    if (outcome.type === 'conflict') expect(outcome.details.currentVersion).toBe(`r${revision}`);
    expect(after).toEqual(before);
    expect(await revisionNow(database)).toBe(revision);
    return false;
  }
  const maker = await database.read((sql) =>
    sql.get<{ agent: string; by: number }>('SELECT agent, reverted_by AS "by" FROM revisions WHERE revision = ?', [
      outcome.revision,
    ]),
  );
  expect(maker).toEqual({ agent, by: revision + 1 });
  const done = await database.read((sql) => differencesBetween(sql, outcome.revision - 1, outcome.revision));
  const [then, changed] = [past.at(outcome.revision - 1), past.at(outcome.revision)];
  expectExactly(done, then.picture, before.picture, after.picture);
  expectContent(then, changed, before, after);
  await expectReversible(database, { turn, agent, before, after, past });
  return true;
}

/** Everything is as it was, but for what the undone change did: that is as it was before the change. */
function expectExactly(done: Differences, then: Picture, before: Picture, after: Picture): void {
  const ids = new Set([...Object.keys(before.nodes), ...Object.keys(after.nodes)]);
  const [oldParents, newParents] = [parentsOf(before), parentsOf(after)];
  for (const id of ids) {
    const pair = done.nodes.get(id);
    if (!pair) {
      expect(id in after.nodes, 'no other node comes or goes').toBe(id in before.nodes);
      expect(newParents.get(id)).toBe(oldParents.get(id));
      continue;
    }
    expect(id in after.nodes).toBe(pair.before !== undefined);
    if (pair.before && pair.before.parentId !== pair.after?.parentId) {
      expect(newParents.get(id) ?? null).toBe(pair.before.parentId);
    }
  }
  for (const [id, { children }] of Object.entries(after.nodes)) {
    const others = (picture: Picture) =>
      (picture.nodes[id]?.children ?? []).filter(
        (child) => !done.nodes.has(child) && parentsOf(picture).get(child) === id,
      );
    expect(children.filter((child) => !done.nodes.has(child))).toEqual(others(before));
    if (then.nodes[id]) expectOldOrder(children, then.nodes[id].children, done);
  }
}

/** A node that came back to its parent stands behind all siblings of then that were before it and have not moved. */
function expectOldOrder(now: string[], then: string[], done: Differences): void {
  const returned = then.filter((id) => {
    const pair = done.nodes.get(id);
    return pair?.before && pair.before.parentId !== pair.after?.parentId && now.includes(id);
  });
  for (const id of returned) {
    const predecessor = then.slice(0, then.indexOf(id)).findLast((other) => now.includes(other));
    if (predecessor) expect(now.indexOf(predecessor)).toBeLessThan(now.indexOf(id));
  }
}

const parentsOf = ({ nodes }: Picture) =>
  new Map(Object.entries(nodes).flatMap(([id, { children }]) => children.map((child) => [child, id] as const)));

/** Payloads, tags and bookmarks that the undone change touched are as before it; all others stay. */
function expectContent(then: Dump, changed: Dump, before: Dump, after: Dump): void {
  const expectKept = (read: (dump: Dump) => unknown) => {
    const [old, made, current] = [then, changed, before].map((dump) => read(dump));
    const untouched = old === undefined || JSON.stringify(old) === JSON.stringify(made);
    expect(read(after)).toEqual(untouched && current !== undefined ? current : old);
  };
  for (const id of Object.keys(after.picture.nodes)) {
    expectKept(({ picture }) => picture.nodes[id]?.type);
    for (const tag of ['a', 'b', 'c', 'spread']) {
      expectKept(({ picture }) => picture.nodes[id]?.tags.includes(tag) ?? false);
    }
    // Nodes that share a payload change together, also those that came to share it later.
    const payloadId = after.payloadIds[id] ?? null;
    if (payloadId === null) expectKept(({ picture }) => picture.nodes[id]?.payload);
    else expectKept((dump) => payloadOf(dump, payloadId));
  }
  for (const label of ['a', 'b', 'c']) expectKept(({ picture }) => picture.bookmarks[label] ?? null);
}

function payloadOf({ payloadIds, picture }: Dump, payloadId: string): unknown {
  const holder = Object.keys(payloadIds).find((id) => payloadIds[id] === payloadId);
  return holder && picture.nodes[holder]?.payload;
}

type Turned = { turn: Move; agent: string; before: Dump; after: Dump; past: Past };

/** Undo and redo are inverses: the one right after the other changes nothing. */
async function expectReversible(database: Database, { turn, agent, before, after, past }: Turned): Promise<void> {
  await (turn.undo ? redo : undo)(database, agent);
  await past.note(database);
  expect(await dumpNow(database)).toEqual(before);
  await (turn.undo ? undo : redo)(database, agent);
  await past.note(database);
  expect(await dumpNow(database)).toEqual(after);
  await expectSound(database);
}
