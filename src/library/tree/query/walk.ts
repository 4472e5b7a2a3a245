/** Going through the tree in its own order, node by node, from any place. It reads no more than it is asked for. */

import { ROOT_ID } from '../node.js';
import { type Cursor, childrenAt } from '../nodes.js';
import type { Tree } from '../tree.js';
import { climb } from './lineages.js';
import { byIds, nodesAbove, type Scanned } from './scan.js';

const CHILDREN_AT_ONCE = 100;

/** Where the walk is among the children of a node. */
type Level = { parentId: string; after: Cursor | undefined; next: (Scanned & { childCount: number })[]; done: boolean };

/** The lineage that a walk starts behind; empty for a walk from the root. */
export async function lineageForWalk(tree: Tree, after: string): Promise<Scanned[]> {
  if (after === '') return [];
  return climb(new Map((await nodesAbove(tree, [after])).map((node) => [node.id, node])), after);
}

/** The nodes behind the end of a lineage, in tree order. */
export async function* walkBehind(tree: Tree, lineage: readonly Scanned[]): AsyncGenerator<Scanned> {
  if (lineage.length === 0) yield* await byIds(tree, [ROOT_ID]);
  const levels = lineage.map(({ id }, index) => levelAt(id, lineage[index + 1]));
  if (lineage.length === 0) levels.push(levelAt(ROOT_ID));
  for (let level = levels.at(-1); level; level = levels.at(-1)) {
    const node = level.next.shift() ?? (await readMore(tree, level));
    if (!node) levels.pop();
    else {
      yield node;
      if (node.childCount > 0) levels.push(levelAt(node.id));
    }
  }
}

const levelAt = (parentId: string, after?: Cursor): Level => ({ parentId, after, next: [], done: false });

async function readMore(tree: Tree, level: Level) {
  if (level.done) return undefined;
  level.next = await childrenAt(tree, level.parentId, CHILDREN_AT_ONCE, level.after);
  level.after = level.next.at(-1);
  level.done = level.next.length < CHILDREN_AT_ONCE;
  return level.next.shift();
}
