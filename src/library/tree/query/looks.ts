/** Looking around in a loaded tree, each place once: upwards, to earlier siblings, downwards, and at positions. */
import { isAtPosition } from './parse-nth.js';
import type { Position } from './selector.js';

/** A node as selectors see it. */
export type Element = {
  readonly id: string;
  readonly parentId: string | null;
  readonly rank: string;
  readonly type: string;
  /** The outcome of each test of the selector. */
  readonly passed: readonly boolean[];
  parent: Element | null;
  /** In order. Empty where the selector does not look at them. */
  children: Element[];
  /** Its place among its siblings. */
  index: number;
};

export type Matches = (element: Element) => boolean;

export const siblingsOf = (element: Element): Element[] => element.parent?.children ?? [element];
export const previousOf = (element: Element): Element | null => element.parent?.children[element.index - 1] ?? null;

/** Whether a match is met going step by step from an element, the element itself not counted. */
export function reaches(step: (element: Element) => Element | null, matches: Matches): Matches {
  const known = new Map<Element, boolean>();
  return (element) => {
    const trail: Element[] = [];
    let met: boolean | undefined;
    for (let at: Element | null = element; at && met === undefined; at = step(at)) {
      met = known.get(at);
      if (met !== undefined) break;
      trail.push(at);
      const next = step(at);
      if (next && matches(next)) met = true;
    }
    for (const passed of trail) known.set(passed, met ?? false);
    return met ?? false;
  };
}

/** Whether a match lies below an element. All matches are looked for at the first question. */
export function hasBelow(matches: Matches): Matches {
  let holders: Set<Element> | undefined;
  return (element) => {
    holders ??= aboveMatches(element, matches);
    return holders.has(element);
  };
}

function aboveMatches(start: Element, matches: Matches): Set<Element> {
  const holders = new Set<Element>();
  let root = start;
  while (root.parent) root = root.parent;
  for (const element of inOrder(root)) {
    if (!matches(element)) continue;
    for (let at = element.parent; at && !holders.has(at); at = at.parent) holders.add(at);
  }
  return holders;
}

/** An element and all below it, in tree order. */
export function* inOrder(root: Element): Generator<Element> {
  const pending = [root];
  for (let element = pending.pop(); element; element = pending.pop()) {
    yield element;
    for (let index = element.children.length - 1; index >= 0; index--) pending.push(element.children[index] as Element);
  }
}

/** Whether an element stands at a position. The siblings of a parent are counted once. */
export function positionTest(position: Position, among: Matches | null): Matches {
  const counted = new Map<Element | null, Map<Element, number>>();
  return (element) => {
    const places = counted.get(element.parent) ?? countPlaces(siblingsOf(element), position, among);
    counted.set(element.parent, places);
    const place = places.get(element);
    return place !== undefined && isAtPosition(position, place);
  };
}

function countPlaces(siblings: Element[], { fromEnd, ofType }: Position, among: Matches | null): Map<Element, number> {
  const places = new Map<Element, number>();
  const counts = new Map<string, number>();
  for (const sibling of fromEnd ? siblings.toReversed() : siblings) {
    if (among && !among(sibling)) continue;
    const kind = ofType ? sibling.type : '';
    const place = (counts.get(kind) ?? 0) + 1;
    counts.set(kind, place);
    places.set(sibling, place);
  }
  return places;
}
