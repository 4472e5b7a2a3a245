/** Which siblings have another place in the order. A new rank alone is no new place: crowded siblings are spread. */
import type { Sql } from '../../../storage/sql.js';
import type { Node } from '../node.js';
import type { Sibling } from '../read.js';
import { longestRise } from '../rise.js';
import type { Pair } from './differences.js';
import { groupedBy } from './group.js';
import { bySibling, siblingsWithin } from './siblings.js';

/** A node that stands below the same parent on both sides, at another rank. */
export type Reranked = { before: Node; after: Node };

export const isReranked = (pair: Pair<Node>): pair is Reranked =>
  pair.before !== undefined &&
  pair.after !== undefined &&
  pair.before.parentId === pair.after.parentId &&
  pair.before.rank !== pair.after.rank;

/**
 * By parent, the children whose place among the siblings that were there on both sides has changed:
 * the fewest that explain the new order. Parents whose children kept their order are left out.
 */
export async function displacedChildren(
  sql: Sql,
  from: number,
  to: number,
  nodes: ReadonlyMap<string, Pair<Node>>,
): Promise<Map<string, string[]>> {
  const found = new Map<string, string[]>();
  for (const [parentId, list] of rerankedLists(nodes)) {
    const [only] = list as [Reranked];
    const alone = list.length === 1;
    const ids = alone ? await passedAny(sql, to, only, nodes) : await outOfOrder(sql, from, to, parentId, list);
    if (ids.length > 0) found.set(parentId, ids);
  }
  return found;
}

const rerankedLists = (nodes: ReadonlyMap<string, Pair<Node>>): Map<string, Reranked[]> =>
  groupedBy([...nodes.values()].filter(isReranked), ({ after }) => after.parentId ?? '');

const windowOf = (places: Sibling[]): [Sibling, Sibling] => {
  const sorted = places.sort(bySibling);
  return [sorted[0] as Sibling, sorted.at(-1) as Sibling];
};

/** One node alone has a new rank: it is displaced if any sibling that stayed lies on its way. */
async function passedAny(
  sql: Sql,
  to: number,
  { before, after }: Reranked,
  nodes: ReadonlyMap<string, Pair<Node>>,
): Promise<string[]> {
  const parentId = after.parentId as string;
  const isStranger = ({ before: old, after: now }: Pair<Node>) => old?.parentId !== now?.parentId;
  const strangers = [...nodes.values()].filter((pair) => pair.after?.parentId === parentId && isStranger(pair)).length;
  const passed = await siblingsWithin(sql, to, parentId, windowOf([before, after]), strangers + 2);
  const stayed = ({ id }: Sibling) => id !== after.id && !isStranger(nodes.get(id) ?? { before, after });
  return passed.some(stayed) ? [after.id] : [];
}

/** Only what lies between the first and the last new rank can be out of order. */
async function outOfOrder(sql: Sql, from: number, to: number, parentId: string, list: Reranked[]): Promise<string[]> {
  const window = windowOf(list.flatMap(({ before, after }) => [before, after]));
  const then = (await siblingsWithin(sql, from, parentId, window)).map(({ id }) => id);
  const now = (await siblingsWithin(sql, to, parentId, window)).map(({ id }) => id);
  return displaced(then, now);
}

/** The fewest ids that must move to turn one order into the other, of those that are in both. */
export function displaced(before: readonly string[], after: readonly string[]): string[] {
  const places = new Map(before.map((id, index) => [id, index]));
  const common = after.filter((id) => places.has(id));
  const staying = longestRise(common.map((id) => places.get(id) as number));
  return common.filter((_, index) => !staying.has(index));
}
