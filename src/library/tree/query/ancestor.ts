/** The nearest node that lies above all of some nodes, where a node lies above itself. */
import { noNode } from '../nodes.js';
import type { Tree } from '../tree.js';
import { climb, linksAbove } from './lineages.js';

/** Its id, or null where no nodes are named. */
export async function commonAncestor(tree: Tree, ids: readonly string[]): Promise<string | null> {
  const [first, ...others] = ids;
  if (first === undefined) return null;
  const links = new Map((await linksAbove(tree, ids)).map((link) => [link.id, link]));
  const unknown = ids.find((id) => !links.has(id));
  if (unknown !== undefined) throw noNode('nodeIds', unknown);
  const depths = new Map(climb(links, first).map(({ id }, depth) => [id, depth]));
  const line = [...depths.keys()];
  let nearest = line.length - 1;
  for (const other of others) {
    let at: string | null = other;
    while (at !== null && !depths.has(at)) at = links.get(at)?.parentId ?? null;
    nearest = Math.min(nearest, depths.get(at ?? '') ?? 0);
  }
  return line[nearest] as string;
}
