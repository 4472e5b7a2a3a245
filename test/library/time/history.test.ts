import fc from 'fast-check';
import { expect, test } from 'vitest';
import { openChange } from '../../../src/library/tree/change.js';
import { dropHistory } from '../../../src/library/tree/retention.js';
import { listRevisions, listRevisionsOf } from '../../../src/library/tree/time/history.js';
import { redoLast, undoLast } from '../../../src/library/tree/time/undo.js';
import type { Database } from '../../../src/storage/sql.js';
import { factor } from '../../support/effort.js';
import type { Picture } from './picture.js';
import { changes, makeChange, request, withTree } from './random-tree.js';
import { Past, revisionNow } from './sound.js';

const whole = { from: 0, to: Number.MAX_SAFE_INTEGER, before: undefined, limit: 1000 };

async function makeHistory(database: Database, steps: Parameters<typeof makeChange>[1][]): Promise<Past> {
  const past = new Past();
  await past.note(database);
  for (const [index, step] of steps.entries()) {
    await makeChange(database, step);
    await past.note(database);
    if (index % 5 !== 4) continue;
    const again = index % 2 === 0 ? undoLast : redoLast;
    await database.write((sql) => again(openChange(request(sql, 'ann')))).catch(() => {});
    await past.note(database);
  }
  return past;
}

test('T340 T341 the history tells for every revision which nodes it touched, and for every node its revisions', async () => {
  await fc.assert(
    fc.asyncProperty(changes, (steps) =>
      withTree(async (database) => {
        const past = await makeHistory(database, steps);
        const all = await database.read((sql) => listRevisions(sql, whole));
        const latest = await revisionNow(database);
        expect(all.map(({ revision }) => revision)).toEqual(
          Array.from({ length: latest }, (_, index) => latest - index),
        );
        const ids = new Set<string>();
        for (const { revision, nodeIds = [] } of all) {
          const [then, now] = [past.at(revision - 1).picture, past.at(revision).picture];
          expectTouched(then, now, nodeIds);
          for (const id of [...Object.keys(now.nodes), ...nodeIds]) ids.add(id);
        }
        for (const id of ids) {
          const own = await database.read((sql) => listRevisionsOf(sql, id, whole));
          expect(own).toEqual(all.filter(({ nodeIds }) => nodeIds?.includes(id)));
        }
      }),
    ),
    { numRuns: 30 * factor },
  );
});

/** What has changed is named; what is named has changed, or at least its place has. */
function expectTouched(then: Picture, now: Picture, nodeIds: string[]): void {
  const about = ({ nodes, bookmarks }: Picture, id: string) => {
    const { type, payload, tags } = nodes[id] ?? {};
    const parent = Object.entries(nodes).find(([, { children }]) => children.includes(id))?.[0];
    const labels = Object.entries(bookmarks).filter(([, nodeId]) => nodeId === id);
    return JSON.stringify([type, payload, tags, parent, labels.sort()]);
  };
  const ids = new Set([...Object.keys(then.nodes), ...Object.keys(now.nodes)]);
  const changed = [...ids].filter((id) => about(then, id) !== about(now, id));
  expect(nodeIds).toEqual(expect.arrayContaining(changed));
  for (const id of nodeIds.filter((one) => !changed.includes(one))) {
    const siblings = ({ nodes }: Picture) =>
      Object.values(nodes).find(({ children }) => children.includes(id))?.children;
    const [before = [], after = []] = [siblings(then), siblings(now)];
    const common = (list: string[], other: string[]) => list.filter((one) => other.includes(one));
    expect(common(before, after), 'only its place has changed').not.toEqual(common(after, before));
  }
}

test('T342 a history goes on where the page before it ended, and stays within its versions', async () => {
  await fc.assert(
    fc.asyncProperty(changes, fc.integer({ min: 1, max: 7 }), fc.nat(20), fc.nat(20), (steps, limit, from, to) =>
      withTree(async (database) => {
        await makeHistory(database, steps);
        const span = { ...whole, from, to };
        const expected = await database.read((sql) => listRevisions(sql, span));
        const found: typeof expected = [];
        for (let before: number | undefined; ; before = found.at(-1)?.revision) {
          const page = await database.read((sql) => listRevisions(sql, { ...span, before, limit }));
          if (page.length === 0) break;
          found.push(...page);
        }
        expect(found).toEqual(expected);
        expect(expected.every(({ revision }) => revision >= from && revision <= to)).toBe(true);
      }),
    ),
    { numRuns: 20 * factor },
  );
});

test('T343 where old rows are dropped, the history says who and when, but not which nodes', async () => {
  await withTree(async (database) => {
    const step = { kind: 'folder', agent: 'ann', pick: 0, other: 0, where: 'last', text: 'a' } as const;
    await makeChange(database, [step]);
    await makeChange(database, [{ ...step, kind: 'tag' }]);
    await database.write((sql) => dropHistory(sql, 2000));
    await makeChange(database, [{ ...step, kind: 'edit', text: 'b' }]);
    const all = await database.read((sql) => listRevisions(sql, whole));
    expect(all.map(({ revision, agent, nodeIds }) => [revision, agent, nodeIds?.length])).toEqual([
      [3, 'ann', 1],
      [2, 'ann', undefined],
      [1, 'ann', undefined],
    ]);
    // The last change can be undone; what came before it cannot, for nobody knows what it replaced.
    await database.write((sql) => undoLast(openChange(request(sql, 'ann'))));
    const second = database.write((sql) => undoLast(openChange(request(sql, 'ann'))));
    await expect(second).rejects.toMatchObject({ type: 'invalid_argument' });
  });
});
