import fc from 'fast-check';
import { expect, test } from 'vitest';
import { openChange } from '../../../src/library/tree/change.js';
import { addNode } from '../../../src/library/tree/edit.js';
import type { StoredNode } from '../../../src/library/tree/node.js';
import { findNode } from '../../../src/library/tree/read.js';
import { sortChildren } from '../../../src/library/tree/sort.js';
import { type Diff, diffBetween } from '../../../src/library/tree/time/diff.js';
import { displaced } from '../../../src/library/tree/time/displaced.js';
import { payloadChanges } from '../../../src/library/tree/time/payload-changes.js';
import type { Database, Sql } from '../../../src/storage/sql.js';
import { factor } from '../../support/effort.js';
import { applyDiff, dumpAt, type Picture } from './picture.js';
import { changes, makeChange, request, withTree } from './random-tree.js';
import { Past, revisionNow } from './sound.js';

/** Adds many notes below the library, then turns their order round. Answers the revisions before and after. */
async function turnRound(database: Database, count: number): Promise<[number, number]> {
  await database.write(async (sql) => {
    const change = openChange(request(sql, 'ann'));
    const parent = (await findNode(sql, 'library')) as StoredNode;
    for (let stars = 0; stars < count; stars++) await addNode(change, { parent, edge: 'last' }, 'note', { stars });
  });
  const then = await revisionNow(database);
  await database.write(async (sql) => {
    const parent = (await findNode(sql, 'library')) as StoredNode;
    await sortChildren(openChange(request(sql, 'ann')), parent, ['stars'], 'desc');
  });
  return [then, await revisionNow(database)];
}

test('T310 T314 many siblings in another order are read at once, in either direction of time', async () => {
  await withTree(async (database) => {
    const [then, now] = await turnRound(database, 200);
    for (const [from, to] of [
      [then, now],
      [now, then],
    ] as const) {
      let statements = 0;
      const found = await database.read((sql) => {
        const counted = <T extends keyof Sql>(name: T) =>
          ((...args: Parameters<Sql[T]>) => {
            statements += 1;
            return (sql[name] as (...args: unknown[]) => unknown)(...args);
          }) as Sql[T];
        return diffBetween({ all: counted('all'), get: counted('get'), run: counted('run') }, from, to);
      });
      expect(found.reordered).toHaveLength(199);
      expect(statements).toBeLessThan(50);
      const pictures = await database.read(async (sql) => [await dumpAt(sql, from), await dumpAt(sql, to)]);
      expect(applyDiff(pictures[0]?.picture as Picture, found)).toEqual(pictures[1]?.picture);
    }
  });
});

const diff = (database: Database, a: number, b: number) => database.read((sql) => diffBetween(sql, a, b));

test('T310 T311 T312 applying a diff to the one side gives the other, in either direction', async () => {
  await fc.assert(
    fc.asyncProperty(changes, fc.nat(1000), fc.nat(1000), (steps, first, second) =>
      withTree(async (database) => {
        const past = new Past();
        await past.note(database);
        for (const step of steps) {
          await makeChange(database, step);
          await past.note(database);
        }
        const revisions = past.revisions();
        const pick = (number: number) => revisions[number % revisions.length] as number;
        for (const [a, b] of [
          [pick(first), pick(second)],
          [pick(second), pick(first)],
          [0, revisions.at(-1) as number],
        ] as const) {
          const found = await diff(database, a, b);
          const [from, to] = [past.at(a).picture, past.at(b).picture];
          expect(applyDiff(from, found)).toEqual(to);
          expectMinimal(from, to, found);
        }
      }),
    ),
    { numRuns: 60 * factor },
  );
});

/** No node is named in vain, and no fewer reordered ones would do. */
function expectMinimal(from: Picture, to: Picture, found: Diff): void {
  const parentsOf = ({ nodes }: Picture) =>
    new Map(Object.entries(nodes).flatMap(([id, { children }]) => children.map((child) => [child, id] as const)));
  const [then, now] = [parentsOf(from), parentsOf(to)];
  const ids = (entries: { nodeId: string }[]) => entries.map(({ nodeId }) => nodeId).sort();
  const both = [...now.keys()].filter((id) => then.has(id));
  expect(ids(found.added)).toEqual([...now.keys()].filter((id) => !then.has(id)).sort());
  expect(ids(found.removed)).toEqual([...then.keys()].filter((id) => !now.has(id)).sort());
  expect(ids(found.moved)).toEqual(both.filter((id) => then.get(id) !== now.get(id)).sort());
  const content = ({ nodes }: Picture, id: string) => {
    const { type, payload, tags } = nodes[id] as Picture['nodes'][string];
    return [type, payload, tags];
  };
  const isChanged = (id: string) => payloadChanges({ _: content(from, id) }, { _: content(to, id) }).length > 0;
  expect(ids(found.changed)).toEqual(both.filter(isChanged).sort());
  let least = 0;
  for (const [parent, { children }] of Object.entries(to.nodes)) {
    const before = (from.nodes[parent]?.children ?? []).filter((id) => children.includes(id));
    least += before.length - longestRise(children.filter((id) => before.includes(id)).map((id) => before.indexOf(id)));
  }
  expect(found.reordered.length).toBe(least);
  expect(found.bookmarks !== undefined).toBe(
    JSON.stringify(sorted(from.bookmarks)) !== JSON.stringify(sorted(to.bookmarks)),
  );
}

const sorted = (bookmarks: Record<string, string>) => Object.entries(bookmarks).sort();

/** The length of the longest increasing subsequence, the slow way. */
function longestRise(values: number[]): number {
  const best: number[] = [];
  for (const [at, value] of values.entries()) {
    best[at] =
      1 + Math.max(0, ...values.slice(0, at).flatMap((other, index) => (other < value ? [best[index] as number] : [])));
  }
  return Math.max(0, ...best);
}

test('T312 the fewest siblings count as reordered', () => {
  expect(displaced(['a', 'b', 'c', 'd'], ['d', 'a', 'b', 'c'])).toEqual(['d']);
  expect(displaced(['a', 'b', 'c'], ['a', 'x', 'b', 'c'])).toEqual([]);
  expect(displaced(['a', 'b'], [])).toEqual([]);
});

test('T313 payloads differ by path: deep for objects, whole for lists', () => {
  expect(payloadChanges({ a: { b: 1, c: 2 }, list: [1, 2] }, { a: { b: 1, d: 3 }, list: [1, 3] })).toEqual([
    { path: 'a.c', before: 2 },
    { path: 'a.d', after: 3 },
    { path: 'list', before: [1, 2], after: [1, 3] },
  ]);
  expect(payloadChanges({ 'a.b': 1 }, { 'a.b': null })).toEqual([{ path: 'a\\.b', before: 1, after: null }]);
  expect(payloadChanges({ a: { x: 1, y: [{ p: 1, q: 2 }] } }, { a: { y: [{ q: 2, p: 1 }], x: 1 } })).toEqual([]);
  expect(payloadChanges({ a: { '': 1 } }, { a: { '': 2 } })).toEqual([
    { path: 'a', before: { '': 1 }, after: { '': 2 } },
  ]);
  expect(payloadChanges({ a: {} }, { a: 1 })).toEqual([{ path: 'a', before: {}, after: 1 }]);
});
