import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Payload, parsePath } from '../../../src/library/tree/payload.js';
import type { Pace } from '../../../src/library/tree/query/pace.js';
import { holds, type Operator, type Predicate } from '../../../src/library/tree/query/predicate.js';
import { firstMatches, sortedMatches } from '../../../src/library/tree/query/search.js';
import { currentTree, type Tree, treeAtRevision } from '../../../src/library/tree/tree.js';
import { currentRevision } from '../../../src/library/tree/version.js';
import { factor } from '../../support/effort.js';
import {
  byCodePoints,
  editTree,
  type Fact,
  factsOf,
  growTree,
  idOf,
  path,
  plainNodes,
  plainSubtree,
  scalar,
  type TreePlan,
  text,
  treePlan,
  value,
} from './random-tree.js';

const bound = fc.oneof(fc.constantFrom<unknown>(0, 1, 2.5, 1e21, 0.1 + 0.2, 9007199254740994), text);
const valueFor: Record<Operator, fc.Arbitrary<unknown>> = {
  eq: value,
  contains: fc.oneof(scalar, value),
  gt: bound,
  lt: bound,
  between: fc.tuple(bound, bound),
};

const anyCondition = fc
  .constantFrom<Operator>('eq', 'contains', 'gt', 'lt', 'between')
  .chain((op) =>
    fc.record({ path: path.map((one) => parsePath(one, 'path')), op: fc.constant(op), value: valueFor[op] }),
  );

/** A condition that holds for at least one node. */
function conditionOn({ path, value }: Fact, pick: number): Predicate {
  const isRange = (typeof value === 'number' || typeof value === 'string') && pick % 3 !== 0;
  if (isRange)
    return { path, op: 'between', value: pick % 2 ? [value, value] : [value, `${value}` === value ? 'é' : 1e30] };
  if (typeof value === 'string' && pick % 2)
    return { path, op: 'contains', value: [...value].slice(pick % 4).join('') };
  if (Array.isArray(value) && value.length > 0 && pick % 2) {
    return { path, op: 'contains', value: value[pick % value.length] };
  }
  return { path, op: 'eq', value: reordered(value) };
}

/** The same value, with the keys of its objects the other way round. */
function reordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reordered);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, member]) => [key, reordered(member)]),
  );
}

function predicateFor(plan: TreePlan): fc.Arbitrary<Predicate> {
  const facts = factsOf(plan);
  const trueOnce = fc
    .record({ fact: fc.nat(1000), pick: fc.nat(100) })
    .map(({ fact, pick }) => conditionOn(facts[fact % facts.length] ?? { path: ['name'], value: 'a' }, pick));
  const condition = fc.oneof({ weight: 4, arbitrary: trueOnce }, anyCondition);
  return fc.letrec<{ predicate: Predicate }>((tie) => ({
    predicate: fc.oneof(
      { maxDepth: 2, withCrossShrink: true },
      { weight: 3, arbitrary: condition },
      fc.record({ and: fc.array(tie('predicate'), { minLength: 1, maxLength: 3 }) }),
      fc.record({ or: fc.array(tie('predicate'), { minLength: 1, maxLength: 3 }) }),
    ),
  })).predicate;
}

const planAndPredicate = treePlan.chain((plan) => fc.tuple(fc.constant(plan), predicateFor(plan)));

/** Paces that lead to every route: whole subtrees, a look that is enough, a look that is not, scans in many chunks. */
const pace = fc.constantFrom<Pace | undefined>(
  undefined,
  { chunk: 2, small: 0, look: 2, many: 1000 },
  { chunk: 3, small: 0, look: 1000, many: 1000 },
  { chunk: 1000, small: 2, look: 0, many: 1000 },
  { chunk: 2, small: 0, look: 0, many: 1 },
);

test('T120 the route in SQL and a plain filter over all nodes give the same matches, now and as of older revisions', async () => {
  await fc.assert(
    fc.asyncProperty(planAndPredicate, pace, fc.nat(30), fc.nat(12), async ([plan, wanted], pace, root, count) => {
      const database = await growTree(plan);
      const rootId = root % 2 ? 'library' : idOf(root % plan.nodes.length);
      const check = async (tree: Tree, expected: string[]) => {
        const search = { rootId, predicate: wanted, ...(pace && { pace }) };
        const all = await firstMatches(tree, search, '', 1000);
        expect(all.map(({ id }) => id)).toEqual(expected);
        const after = expected[count] ?? '';
        const page = await firstMatches(tree, search, after, count + 1);
        const start = expected.indexOf(after) + 1;
        expect(page.map(({ id }) => id)).toEqual(expected.slice(start, start + count + 1));
      };
      try {
        const before = await database.read(async (sql) => {
          const tree = await currentTree(sql);
          const expected = await expectedIn(tree, rootId, wanted);
          await check(tree, expected);
          return { expected, revision: await currentRevision(sql) };
        });
        await editTree(database, plan);
        await database.read(async (sql) => {
          await check(await treeAtRevision(sql, before.revision), before.expected);
          const now = await currentTree(sql);
          await check(now, await expectedIn(now, rootId, wanted));
        });
      } finally {
        await database.close();
      }
    }),
    { numRuns: 150 * factor },
  );
});

async function expectedIn(tree: Tree, rootId: string, wanted: Predicate): Promise<string[]> {
  const nodes = plainSubtree(await plainNodes(tree), rootId);
  return nodes
    .filter(({ payload }) => holds(wanted, payload))
    .map(({ id }) => id)
    .sort(byCodePoints);
}

test('T120 the route in SQL loses no number at the edge of a range', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.double({ noNaN: true, noDefaultInfinity: true }), { minLength: 1 }),
      async (numbers) => {
        const note = (stars: number) => ({
          parent: 0,
          type: 'note',
          name: '',
          payload: { stars },
          shares: false,
          tags: [],
        });
        const database = await growTree({ nodes: numbers.map(note), edits: [] });
        try {
          await database.read(async (sql) => {
            const tree = await currentTree(sql);
            for (const number of numbers) {
              const wanted: Predicate = { path: ['stars'], op: 'between', value: [number, number] };
              const search = {
                rootId: 'library',
                predicate: wanted,
                pace: { chunk: 1000, small: 0, look: 0, many: 9 },
              };
              const found = await firstMatches(tree, search, '', 1000);
              expect(found.map(({ id }) => id)).toEqual(await expectedIn(tree, 'library', wanted));
            }
          });
        } finally {
          await database.close();
        }
      },
    ),
    { numRuns: 40 * factor },
  );
});

test('T121 sorted matches are the same by every route, and equal ones stand by id', async () => {
  const sortKey = fc.record({ path: path.map((one) => parsePath(one, 'path')), descending: fc.boolean() });
  await fc.assert(
    fc.asyncProperty(treePlan, fc.array(sortKey, { minLength: 1, maxLength: 2 }), async (plan, keys) => {
      const database = await growTree(plan);
      try {
        await database.read(async (sql) => {
          const tree = await currentTree(sql);
          const predicate: Predicate = {
            or: [
              { path: ['name'], op: 'gt', value: '' },
              { path: ['stars'], op: 'gt', value: -5 },
            ],
          };
          const whole = await sortedMatches(tree, { rootId: 'library', predicate }, keys);
          const scanned = await sortedMatches(
            tree,
            { rootId: 'library', predicate, pace: { chunk: 2, small: 0, look: 0, many: 9 } },
            keys,
          );
          expect(scanned).toEqual(whole);
          const paged: string[] = [];
          for (let page = ['']; page.length > 0; paged.push(...page)) {
            page = await sortedMatches(
              tree,
              { rootId: 'library', predicate, pace: { chunk: 2, small: 0, look: 0, many: 9 } },
              keys,
              page.at(-1),
              2,
            );
          }
          expect(paged).toEqual(whole);
          expect(whole.toSorted(byCodePoints)).toEqual(await expectedIn(tree, 'library', predicate));
        });
      } finally {
        await database.close();
      }
    }),
    { numRuns: 40 * factor },
  );
});

test('T122 more conditions than one statement can take are answered all the same', async () => {
  const nodes = [{ parent: 0, type: 'note', name: '', payload: { stars: 7 } as Payload, shares: false, tags: [] }];
  const database = await growTree({ nodes, edits: [] });
  const wanted: Predicate = {
    or: Array.from({ length: 3000 }, (_, value) => ({ path: ['stars'], op: 'eq' as const, value })),
  };
  const found = await database.read(async (sql) =>
    firstMatches(
      await currentTree(sql),
      { rootId: 'library', predicate: wanted, pace: { chunk: 9, small: 0, look: 0, many: 9 } },
      '',
      9,
    ),
  );
  expect(found.map(({ id }) => id)).toEqual([idOf(0)]);
  await database.close();
});
