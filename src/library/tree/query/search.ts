/** Searching the payloads of a subtree: which nodes a predicate holds for. */

import { type Path, type Payload, valueAt } from '../payload.js';
import type { Tree } from '../tree.js';
import { compareJson, compareText } from './comparison.js';
import { type Pace, usualPace } from './pace.js';
import { holds, type Predicate } from './predicate.js';
import { always, notBehind, ownFilter, payloadFilter, type SqlCondition } from './prefilter.js';
import { byIds, byNode, byPayload, type Filters, type Scanned } from './scan.js';
import { insideOf, smallSubtree } from './subtree.js';

export type Search = { rootId: string; predicate: Predicate; pace?: Pace };

const unfiltered: Filters = { node: always, payload: always, own: always };

const filtersOf = (predicate: Predicate): Filters => ({
  node: always,
  payload: payloadFilter(predicate),
  own: ownFilter(predicate),
});

/** Only a predicate without conditions holds for an empty payload, and it holds for all. */
const isVacuous = (predicate: Predicate) => holds(predicate, {});

const byId = (a: { id: string }, b: { id: string }) => compareText(a.id, b.id);

/** The matches whose ids come behind `after`, in the order of ids, at most `count` of them. */
export async function firstMatches(tree: Tree, search: Search, after: string, count: number): Promise<Scanned[]> {
  const small = await matchesInSmall(tree, search);
  if (small) return small.filter(({ id }) => compareText(id, after) > 0).slice(0, count);
  return tree.isCurrent && !isVacuous(search.predicate)
    ? lookThenScan(tree, search, after, count)
    : inOrder(tree, search, after, count);
}

async function matchesInSmall(
  tree: Tree,
  { rootId, predicate, pace = usualPace }: Search,
): Promise<Scanned[] | undefined> {
  const ids = await smallSubtree(tree, rootId, pace.small);
  return ids && (await byIds(tree, ids)).filter(({ payload }) => holds(predicate, payload)).sort(byId);
}

async function inOrder(
  tree: Tree,
  { rootId, predicate, pace = usualPace }: Search,
  after: string,
  count: number,
): Promise<Scanned[]> {
  const inside = insideOf(tree, rootId);
  const found: Scanned[] = [];
  for await (const chunk of byNode(tree, filtersOf(predicate), { after, pace })) {
    found.push(...(await inside(chunk.filter(({ payload }) => holds(predicate, payload)))));
    if (found.length >= count) break;
  }
  return found.slice(0, count);
}

/** Where matches are many, a short look fills the page; where they are few, one scan finds them all. */
async function lookThenScan(tree: Tree, search: Search, after: string, count: number): Promise<Scanned[]> {
  const { rootId, predicate, pace = usualPace } = search;
  const inside = insideOf(tree, rootId);
  const found: Scanned[] = [];
  let last = after;
  let looked = 0;
  for await (const chunk of byNode(tree, unfiltered, { after, pace })) {
    found.push(...(await inside(chunk.filter(({ payload }) => holds(predicate, payload)))));
    looked += chunk.length;
    last = chunk.at(-1)?.id ?? last;
    if (found.length >= count || looked >= pace.look) break;
  }
  if (found.length >= count || looked < pace.look) return found.slice(0, count);
  const rest = await smallestBehind(tree, search, last, count - found.length);
  return [...found, ...rest];
}

async function smallestBehind(tree: Tree, search: Search, after: string, count: number): Promise<Scanned[]> {
  const { many } = search.pace ?? usualPace;
  const kept: Scanned[] = [];
  for await (const chunk of allMatches(tree, search)) {
    kept.push(...chunk.filter(({ id }) => compareText(id, after) > 0));
    if (kept.length > many) return inOrder(tree, search, after, count);
  }
  return kept.sort(byId).slice(0, count);
}

/** All matches, in chunks and in no order. */
async function* allMatches(
  tree: Tree,
  { rootId, predicate, pace = usualPace }: Search,
  fits: (payload: Payload) => boolean = () => true,
  narrowing?: () => SqlCondition,
): AsyncGenerator<Scanned[]> {
  const inside = insideOf(tree, rootId);
  const isWanted = (payload: Payload) => holds(predicate, payload) && fits(payload);
  if (!tree.isCurrent || isVacuous(predicate)) {
    for await (const chunk of byNode(tree, filtersOf(predicate), { pace })) {
      yield inside(chunk.filter(({ payload }) => isWanted(payload)));
    }
  } else {
    const held = byPayload(tree, filtersOf(predicate), isWanted, pace, narrowing);
    for await (const chunk of held) yield inside(chunk);
  }
}

export type SortKey = { path: Path; descending: boolean };

/** The ids of the matches behind one of them ('' for all), `count` at the most: missing values last, equal ones by id. */
export async function sortedMatches(
  tree: Tree,
  search: Search,
  keys: readonly SortKey[],
  after = '',
  count = Number.POSITIVE_INFINITY,
): Promise<string[]> {
  const valuesOf = (payload: Payload) => keys.map(({ path }) => valueAt(payload, path));
  const toEntry = ({ id, payload }: Scanned): SortEntry => ({ id, values: valuesOf(payload) });
  const [start] = after === '' ? [] : (await byIds(tree, [after])).map(toEntry);
  let best: SortEntry[] = [];
  let last: SortEntry | undefined;
  // Most matches stand behind the page: their nodes are not looked up.
  const fits = (payload: Payload) => {
    const values = valuesOf(payload);
    const isBehind = last !== undefined && compareValues(values, last.values, keys) > 0;
    return !isBehind && !(start && compareValues(values, start.values, keys) < 0);
  };
  const narrowing = () => {
    const [first] = keys;
    return first && last ? notBehind(first.path, last.values[0], first.descending) : always;
  };
  const small = await matchesInSmall(tree, search);
  for await (const chunk of small ? [small] : allMatches(tree, search, fits, narrowing)) {
    const entries = chunk.map(toEntry).filter((entry) => !start || compareEntries(entry, start, keys) > 0);
    best = best.concat(entries);
    if (best.length < 2 * count) continue;
    best = best.sort((a, b) => compareEntries(a, b, keys)).slice(0, count);
    last = best.at(-1);
  }
  return best
    .sort((a, b) => compareEntries(a, b, keys))
    .slice(0, count)
    .map(({ id }) => id);
}

export type SortEntry = { id: string; values: unknown[] };

export const compareEntries = (a: SortEntry, b: SortEntry, keys: readonly SortKey[]): number =>
  compareValues(a.values, b.values, keys) || compareText(a.id, b.id);

function compareValues(a: readonly unknown[], b: readonly unknown[], keys: readonly SortKey[]): number {
  for (const [index, { descending }] of keys.entries()) {
    const [left, right] = [a[index], b[index]];
    // A missing value stands last in either direction.
    if (left === undefined || right === undefined) {
      if (left !== right) return left === undefined ? 1 : -1;
      continue;
    }
    const order = compareJson(left, right);
    if (order !== 0) return descending ? -order : order;
  }
  return 0;
}
