/** Sorting the children of a node by a property. */
import { type Change, touchChildren } from './change.js';
import type { StoredNode } from './node.js';
import { childrenAt, type TreeNode } from './nodes.js';
import { type Path, valueAt } from './payload.js';
import { compareJson } from './query/comparison.js';
import { evenRanks } from './rank.js';
import { currentTree } from './tree.js';
import { markChildrenOrder, setRank } from './write.js';

export type Direction = 'asc' | 'desc';

/** The children in their new order. Equal ones stay as they stood, and missing values come last both ways. */
function sorted(children: readonly TreeNode[], path: Path, direction: Direction): TreeNode[] {
  const sign = direction === 'asc' ? 1 : -1;
  return children.toSorted((a, b) => {
    const [left, right] = [valueAt(a.payload, path), valueAt(b.payload, path)];
    if (left === undefined || right === undefined) return Number(left === undefined) - Number(right === undefined);
    return compareJson(left, right) * sign;
  });
}

export async function sortChildren(
  change: Change,
  parent: StoredNode,
  path: Path,
  direction: Direction,
): Promise<void> {
  await touchChildren(change, parent);
  const children = await childrenAt(await currentTree(change.sql), parent.id, Number.MAX_SAFE_INTEGER);
  const order = sorted(children, path, direction);
  if (order.every((child, index) => child === children[index])) return;
  const ranks = evenRanks(order.length);
  for (const [index, child] of order.entries()) {
    if (child.rank !== ranks[index]) await setRank(change, child.id, ranks[index] as string);
  }
  await markChildrenOrder(change, parent.id);
}
