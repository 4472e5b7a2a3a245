import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Pace } from '../../../src/library/tree/query/pace.js';
import { parseSelector } from '../../../src/library/tree/query/parse-selector.js';
import { selectAll, selectBehind, selectCandidates, selectInTree } from '../../../src/library/tree/query/select.js';
import { sightOf } from '../../../src/library/tree/query/selector.js';
import { currentTree, type Tree, treeAtRevision } from '../../../src/library/tree/tree.js';
import { factor } from '../../support/effort.js';
import { plainSelect } from './plain-selector.js';
import { editTree, factsOf, growTree, idOf, plainNodes, type TreePlan, treePlan } from './random-tree.js';

const quoted = (text: string) => `"${text.replace(/["\\]/g, '\\$&').replace(/\n/g, '\\a ')}"`;
const pathText = (path: readonly string[]) => path.map((key) => key.replace(/[.\\"]/g, '\\$&')).join('.');

/** An attribute test that something in the tree passes, more often than not. */
function attributeOf(plan: TreePlan): fc.Arbitrary<string> {
  const facts = factsOf(plan);
  return fc
    .record({
      fact: fc.nat(1000),
      action: fc.constantFrom('', '=', '!=', '~=', '^=', '$=', '*=', '|=', '>', '>=', '<', '<='),
      flag: fc.constantFrom('', '', ' i'),
      cut: fc.nat(2),
    })
    .map(({ fact, action, flag, cut }) => {
      const { path, value } = facts[fact % facts.length] ?? { path: ['name'], value: 'a' };
      const name = pathText(path);
      if (action === '') return `[${name}]`;
      const one = Array.isArray(value) ? value[0] : value;
      const text = typeof one === 'string' ? one : (JSON.stringify(one) ?? '');
      if (/^[<>]/.test(action)) return `[${name}${action}${typeof one === 'number' ? one : quoted(text)}]`;
      return `[${name}${action}${quoted(text.slice(cut))}${flag}]`;
    });
}

const structural = fc.constantFrom(
  ...[':root', ':empty', ':parent', ':first-child', ':last-child', ':only-child', ':first-of-type', ':last-of-type'],
  ...[':only-of-type', ':nth-child(2)', ':nth-child(odd)', ':nth-last-child(-n+2)', ':nth-of-type(2n)', ':scope'],
  ...[':nth-child(1 of note)', ':nth-last-child(1 of [name])', ':nth-last-of-type(1)'],
);

/** Selectors as text; `around` with the combinators and pseudo-classes that look around. */
function selectorFor(plan: TreePlan, around: boolean): fc.Arbitrary<string> {
  const simple = fc.oneof(
    { weight: 3, arbitrary: attributeOf(plan) },
    fc.nat(plan.nodes.length - 1).map((index) => `#${idOf(index)}`),
    fc.constantFrom('.red', '.two\\ words', '.none', ':contains("a")', ':contains("")', ':icontains(B)'),
    ...(around ? [structural] : []),
  );
  const type = fc.constantFrom('folder', 'note', 'task', '*', 'library', '');
  const combinator = around ? fc.constantFrom(' ', ' > ', '+', '~') : fc.constantFrom(' ', '>');
  const group = around ? fc.constantFrom('is', 'not', 'where', 'has') : fc.constantFrom('is', 'not', 'matches');
  const { complex } = fc.letrec<{ complex: string; compound: string; nested: string }>((tie) => ({
    nested: fc.tuple(group, tie('complex'), fc.constantFrom('', '', '> ', '+ ')).map(([name, inner, lead]) => {
      return `:${name}(${name === 'has' ? lead : ''}${inner})`;
    }),
    compound: fc
      .tuple(
        type,
        fc.array(fc.oneof({ maxDepth: 2 }, { weight: 3, arbitrary: simple }, tie('nested')), { maxLength: 2 }),
      )
      .map(([name, parts]) => name + parts.join('') || '*'),
    complex: fc
      .tuple(tie('compound'), fc.array(fc.tuple(combinator, tie('compound')), { maxLength: 2 }))
      .map(([first, rest]) => first + rest.flat().join('')),
  }));
  return fc.array(complex, { minLength: 1, maxLength: 2 }).map((all) => all.join(', '));
}

const planAndSelector = (around: boolean) =>
  treePlan.chain((plan) => fc.tuple(fc.constant(plan), selectorFor(plan, around)));

const pace = fc.constantFrom<Pace>(
  { chunk: 2, small: 0, look: 0, many: 9 },
  { chunk: 3, small: 0, look: 4, many: 9 },
  { chunk: 1000, small: 0, look: 1000, many: 9 },
);

/** Checks all routes on a tree against the plain answer, which it returns. */
async function expectSame(tree: Tree, text: string, pace: Pace, count: number): Promise<string[]> {
  const selector = () => parseSelector(text, 'queryDsl');
  const expected = plainSelect(await plainNodes(tree), selector());
  expect(await selectInTree(tree, selector())).toEqual(expected);
  expect(await selectAll(tree, selector(), pace)).toEqual(expected);
  if (sightOf(selector().alternatives) !== 'tree') {
    expect(await selectCandidates(tree, selector(), pace)).toEqual(expected);
  }
  const after = expected[count] ?? '';
  const start = expected.indexOf(after) + 1;
  const page = await selectBehind(tree, selector(), after, count + 1, pace);
  expect(page.slice(0, count + 1)).toEqual(expected.slice(start, start + count + 1));
  return expected;
}

test.each([
  ['T130 selectors of types, attributes, ids, tags and ancestors', false],
  ['T131 selectors that look around', true],
] as const)('%s select the same by every route, in tree order, now and as of older revisions', async (_, around) => {
  await fc.assert(
    fc.asyncProperty(planAndSelector(around), pace, fc.nat(6), async ([plan, text], pace, count) => {
      const database = await growTree(plan);
      try {
        const before = await database.read(async (sql) => {
          const tree = await currentTree(sql);
          return { revision: tree.revision, ids: await expectSame(tree, text, pace, count) };
        });
        await editTree(database, plan);
        await database.read(async (sql) => {
          expect(await expectSame(await treeAtRevision(sql, before.revision), text, pace, count)).toEqual(before.ids);
          await expectSame(await currentTree(sql), text, pace, count);
        });
      } finally {
        await database.close();
      }
    }),
    { numRuns: 80 * factor },
  );
});
