/** Searching the payloads of a subtree: which nodes a predicate holds for. */

import { type Path, valueAt } from '../payload.js';
import type { Tree } from '../tree.js';
import { compareJson, compareText } from './comparison.js';
import { type Pace, usualPace } from './pace.js';
import { holds, type Predicate } from './predicate.js';
import { always, ownFilter, payloadFilter } from './prefilter.js';
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
async function* allMatches(tree: Tree, { rootId, predicate, pace = usualPace }: Search): AsyncGenerator<Scanned[]> {
  const inside = insideOf(tree, rootId);
  const keep = ({ payload }: Scanned) => holds(predicate, payload);
  if (!tree.isCurrent || isVacuous(predicate)) {
    for await (const chunk of byNode(tree, filtersOf(predicate), { pace })) yield inside(chunk.filter(keep));
  } else {
    const held = byPayload(tree, filtersOf(predicate), (payload) => holds(predicate, payload), pace);
    for await (const chunk of held) yield inside(chunk);
  }
}

export type SortKey = { path: Path; descending: boolean };

/** The ids of all matches in sorted order: missing values last, equal ones by id. */
export async function sortedMatches(tree: Tree, search: Search, keys: readonly SortKey[]): Promise<string[]> {
  const entries: SortEntry[] = [];
  const small = await matchesInSmall(tree, search);
  for await (const chunk of small ? [small] : allMatches(tree, search)) {
    for (const { id, payload } of chunk) entries.push({ id, values: keys.map(({ path }) => valueAt(payload, path)) });
  }
  return entries.sort((a, b) => compareEntries(a, b, keys)).map(({ id }) => id);
}

export type SortEntry = { id: string; values: unknown[] };

export function compareEntries(a: SortEntry, b: SortEntry, keys: readonly SortKey[]): number {
  for (const [index, { descending }] of keys.entries()) {
    const [left, right] = [a.values[index], b.values[index]];
    // A missing value stands last in either direction.
    if (left === undefined || right === undefined) {
      if (left !== right) return left === undefined ? 1 : -1;
      continue;
    }
    const order = compareJson(left, right);
    if (order !== 0) return descending ? -order : order;
  }
  return compareText(a.id, b.id);
}
