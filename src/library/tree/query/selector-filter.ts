/** SQL that lets through every node which a selector can select, judged by one of its compounds. */

import type { Tree } from '../tree.js';
import type { AttributeTest, NodeTest } from './attribute.js';
import {
  allOf,
  always,
  anyOf,
  bounded,
  containsText,
  equalsText,
  hasKey,
  MOST_CONDITIONS,
  type SqlCondition,
} from './prefilter.js';
import type { Filters } from './scan.js';
import { isCombinator, TEST, type Token } from './selector.js';

/** `narrow`: the condition on the node names ids or tags, so that few rows are read. */
export type NarrowFilters = Filters & { narrow: boolean };

const open: NarrowFilters = { node: always, payload: always, own: always, narrow: false };

/** Whether little gets through: an id, a tag, or something in the payload is asked for. */
const isSelective = ({ payload, narrow }: NarrowFilters) => narrow || payload !== always;

/** The conditions of the last compound among some tokens. */
export function lastFilters(tree: Tree, tests: readonly NodeTest[], tokens: readonly Token[]): NarrowFilters {
  if (countTokens([tokens]) > MOST_CONDITIONS) return open;
  const ofTokens = (parts: readonly Token[]): NarrowFilters =>
    every(parts.slice(parts.findLastIndex(isCombinator) + 1).map(ofToken));
  const ofToken = (token: Token): NarrowFilters => {
    if (token.type === 'tag') return { ...open, node: { text: 'n.type = ?', params: [token.name] } };
    if (token.type !== 'pseudo') return open;
    if (token.name === TEST) return ofTest(tests[Number(token.data)] as NodeTest, tree.from.tags);
    const oneOf = token.name === 'is' || token.name === 'where' || token.name === 'matches';
    return oneOf && Array.isArray(token.data) ? some(token.data.map(ofTokens)) : open;
  };
  return ofTokens(tokens);
}

/** A compound above the last one that lets little through, and how far below it the last one is: null for any. */
export type Start = { compound: readonly Token[]; filters: NarrowFilters; levels: number | null };

/** The nearest start. It is of use where the last compound itself lets much through. */
export function startOf(tree: Tree, tests: readonly NodeTest[], tokens: readonly Token[]): Start | undefined {
  let levels: number | null = 0;
  for (let end = tokens.length - 1; end > 0; end--) {
    const token = tokens[end] as Token;
    if (!isCombinator(token)) continue;
    levels = token.type === 'child' && levels !== null ? levels + 1 : null;
    const before = tokens.slice(0, end);
    const filters = lastFilters(tree, tests, before);
    const compound = before.slice(before.findLastIndex(isCombinator) + 1);
    if (isSelective(filters)) return { compound, filters, levels };
  }
  return undefined;
}

const countTokens = (alternatives: readonly (readonly Token[])[]): number =>
  alternatives
    .flat()
    .reduce(
      (sum, token) => sum + (token.type === 'pseudo' && Array.isArray(token.data) ? countTokens(token.data) : 1),
      0,
    );

const every = (parts: readonly NarrowFilters[]): NarrowFilters => ({
  node: allOf(parts.map(({ node }) => node)),
  payload: allOf(parts.map(({ payload }) => payload)),
  own: allOf(parts.map(({ own }) => own)),
  narrow: parts.some(({ narrow }) => narrow),
});

/** Side by side, not row by row: that lets through a few more, and never one less. */
const some = (parts: readonly NarrowFilters[]): NarrowFilters => ({
  node: anyOf(parts.map(({ node }) => node)),
  payload: anyOf(parts.map(({ payload }) => payload)),
  own: anyOf(parts.map(({ own }) => own)),
  narrow: parts.every(({ narrow }) => narrow),
});

function ofTest(test: NodeTest, tags: string): NarrowFilters {
  if (test.kind === 'id') return { ...open, node: { text: 'n.id = ?', params: [test.id] }, narrow: true };
  if (test.kind === 'tag') {
    const text = `n.id IN (SELECT node_id FROM ${tags} WHERE tag = ?)`;
    return { ...open, node: { text, params: [test.tag] }, narrow: true };
  }
  return { ...open, payload: payloadTest(test), own: ownTest(test) };
}

function payloadTest(test: AttributeTest): SqlCondition {
  if (test.kind === 'anywhere') return test.ignoreCase ? always : containsText([], test.text);
  if (test.kind === 'range') return allOf([hasKey(test.path), bounded(test.path, test.action, test.bound)]);
  // What is not there differs from any text.
  if (test.action === '!=') return always;
  if (test.ignoreCase || test.action === 'exists') return hasKey(test.path);
  return test.action === '=' ? equalsText(test.path, test.value) : containsText(test.path, test.value);
}

const never: SqlCondition = { text: 'false', params: [] };

/** Self-payload nodes have a name and a status, and nothing else. */
function ownTest(test: AttributeTest): SqlCondition {
  if (test.kind === 'anywhere' || (test.kind === 'text' && test.action === '!=')) return always;
  const column = test.path.length === 1 && (test.path[0] === 'name' || test.path[0] === 'status') ? test.path[0] : '';
  if (column === '') return never;
  if (test.kind === 'range') {
    if (typeof test.bound === 'number') return never;
    return { text: `n.${column} ${test.action} ?`, params: [test.bound] };
  }
  if (test.ignoreCase || test.action === 'exists') return always;
  const text = test.action === '=' ? `n.${column} = ?` : `instr(n.${column}, ?) > 0`;
  return { text, params: [test.value] };
}
