/**
 * Selecting nodes, in tree order. Where many nodes match, going through the tree fills a page at
 * once. Else the nodes that can match are loaded with those above them, or the whole tree where the
 * selector looks around.
 */
import type { Tree } from '../tree.js';
import { bareElement, elementMaker, hangTogether, readsPayload, type ToElement } from './elements.js';
import { type Link, linksAbove } from './lineages.js';
import { type Element, inOrder } from './looks.js';
import { matcherOf } from './matcher.js';
import { type Pace, usualPace } from './pace.js';
import { always } from './prefilter.js';
import { byIds, byNode, byPayload, type Filters, nodesAbove, type Scanned } from './scan.js';
import { type Selector, sightOf, type Token } from './selector.js';
import { lastFilters, type NarrowFilters, type Start, startOf } from './selector-filter.js';
import { idsBelow } from './subtree.js';
import { lineageForWalk, walkBehind } from './walk.js';

/** The ids of the selected nodes behind one of them ('' for all), in tree order, `count` of them or more. */
export async function selectBehind(
  tree: Tree,
  selector: Selector,
  after: string,
  count: number,
  pace = usualPace,
): Promise<string[]> {
  const walked =
    sightOf(selector.alternatives) === 'tree' ? undefined : await walkFor(tree, selector, after, count, pace);
  if (walked) return walked;
  const ids = await selectAll(tree, selector, pace);
  return ids.slice(ids.indexOf(after) + 1);
}

/** The ids of all selected nodes, in tree order. */
export function selectAll(tree: Tree, selector: Selector, pace = usualPace): Promise<string[]> {
  return sightOf(selector.alternatives) === 'tree'
    ? selectInTree(tree, selector)
    : selectCandidates(tree, selector, pace);
}

/** Looks at a number of nodes in tree order. Undefined where they are not enough. */
async function walkFor(
  tree: Tree,
  selector: Selector,
  after: string,
  count: number,
  pace: Pace,
): Promise<string[] | undefined> {
  const { alternatives, tests } = selector;
  if (alternatives.every((tokens) => lastFilters(tree, tests, tokens).narrow)) return undefined;
  const toElement = await elementMaker(tree, tests);
  const matches = await matcherOf(selector);
  const lineage = await lineageForWalk(tree, after);
  const known = new Map<string, Element>();
  const add = (node: Scanned): Element => {
    const element = toElement(node);
    element.parent = known.get(node.parentId ?? '') ?? null;
    known.set(node.id, element);
    return element;
  };
  lineage.forEach(add);
  const found: string[] = [];
  let looked = 0;
  for await (const node of walkBehind(tree, lineage)) {
    if (looked++ >= pace.look) return undefined;
    if (matches(add(node))) found.push(node.id);
    if (found.length >= count) return found;
  }
  return found;
}

const everyNode: Filters = { node: always, payload: always, own: always };

/** Loads the whole tree, and payloads only where the selector asks for them. */
export async function selectInTree(tree: Tree, selector: Selector): Promise<string[]> {
  const toElement = await elementMaker(tree, selector.tests);
  const elements = new Map<string, Element>();
  for await (const chunk of byNode(tree, everyNode, { withPayload: readsPayload(selector.tests) })) {
    for (const node of chunk) elements.set(node.id, toElement(node));
  }
  const root = hangTogether(elements);
  const matches = await matcherOf(selector);
  return root ? [...inOrder(root)].filter(matches).map(({ id }) => id) : [];
}

/** Loads the nodes that can match and, for combinators, those above them: for each alternative on its own. */
export async function selectCandidates(tree: Tree, selector: Selector, pace = usualPace): Promise<string[]> {
  const toElement = await elementMaker(tree, selector.tests);
  const known = new Map<string, Element>();
  const found = new Set<string>();
  for (const tokens of selector.alternatives) {
    const looksUp = sightOf([tokens]) === 'lineage';
    const matches = await matcherOf({ ...selector, alternatives: [tokens] });
    for await (const chunk of candidates(tree, selector, tokens, pace)) {
      const elements = chunk.map(toElement);
      if (looksUp) await loadLineages(tree, elements, known, toElement);
      for (const element of elements) if (matches(element)) found.add(element.id);
    }
  }
  return inTreeOrder(tree, [...found]);
}

async function* candidates(
  tree: Tree,
  selector: Selector,
  tokens: readonly Token[],
  pace: Pace,
): AsyncGenerator<Scanned[]> {
  const { tests } = selector;
  const filters = lastFilters(tree, tests, tokens);
  const start = filters.narrow ? undefined : startOf(tree, tests, tokens);
  const below = start && (await belowStart(tree, selector, start, pace));
  if (!below) return yield* passing(tree, filters, readsPayload(tests), pace);
  for (let at = 0; at < below.length; at += pace.chunk) yield byIds(tree, below.slice(at, at + pace.chunk));
}

const MOST_BELOW = 100_000;

/** The ids below the nodes of a start; undefined where they are too many to be a short cut. */
async function belowStart(
  tree: Tree,
  selector: Selector,
  { compound, filters, levels }: Start,
  pace: Pace,
): Promise<string[] | undefined> {
  const toElement = await elementMaker(tree, selector.tests);
  const isAlone = sightOf([compound]) === 'node';
  const matches = isAlone ? await matcherOf({ ...selector, alternatives: [[...compound]] }) : () => true;
  const starts: string[] = [];
  for await (const chunk of passing(tree, filters, true, pace)) {
    for (const element of chunk.map(toElement)) if (matches(element)) starts.push(element.id);
    if (starts.length > pace.look) return undefined;
  }
  return idsBelow(tree, starts, levels, MOST_BELOW);
}

/** The nodes that pass, by the shorter route. */
function passing(tree: Tree, { narrow, ...filters }: NarrowFilters, withPayload: boolean, pace: Pace) {
  const byText = filters.payload !== always && !narrow && tree.isCurrent;
  return byText ? byPayload(tree, filters, () => true, pace) : byNode(tree, filters, { withPayload, pace });
}

/** Loads what is not known yet of the nodes above some elements, and gives all of them their parents. */
async function loadLineages(
  tree: Tree,
  elements: readonly Element[],
  known: Map<string, Element>,
  toElement: ToElement,
): Promise<void> {
  for (const element of elements) known.set(element.id, element);
  const strangers = elements.map(({ parentId }) => parentId).filter((id) => id !== null && !known.has(id));
  const loaded = strangers.length === 0 ? [] : await nodesAbove(tree, [...new Set(strangers as string[])]);
  const added = loaded.filter(({ id }) => !known.has(id)).map(toElement);
  for (const element of added) known.set(element.id, element);
  for (const element of [...elements, ...added]) element.parent = known.get(element.parentId ?? '') ?? null;
}

const LINKS_AT_ONCE = 5000;

/** Sorts ids into tree order, knowing only the nodes above them. */
async function inTreeOrder(tree: Tree, ids: readonly string[]): Promise<string[]> {
  const links = new Map<string, Link>();
  for (let start = 0; start < ids.length; start += LINKS_AT_ONCE) {
    const part = ids.slice(start, start + LINKS_AT_ONCE);
    for (const link of await linksAbove(tree, part)) links.set(link.id, link);
  }
  const root = hangTogether(new Map([...links].map(([id, link]) => [id, bareElement(link)])));
  const wanted = new Set(ids);
  return root ? [...inOrder(root)].map(({ id }) => id).filter((id) => wanted.has(id)) : [];
}
