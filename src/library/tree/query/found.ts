/** What queries answer: nodes with their lineages, page by page. */
import { nameOf, nodeAt, type TreeNode } from '../nodes.js';
import type { Tree } from '../tree.js';
import { climb, linksAbove } from './lineages.js';
import { byIds } from './scan.js';

/** One step of a breadcrumb path. */
export type Crumb = { nodeId: string; name?: string; depth: number };

/** A node that was found, and the nodes from the root down to it, itself included: the last of them, where `cut`. */
export type Found = { node: TreeNode; path: Crumb[]; cut: boolean };

/** No path of a node that was found has more steps: a page of nodes at the end of a long chain must fit somewhere. */
export const MOST_STEPS = 100;

/** The nodes of some ids, in the order of the ids. */
export async function foundNodes(tree: Tree, ids: readonly string[]): Promise<Found[]> {
  const links = new Map((await linksAbove(tree, ids)).map((link) => [link.id, link]));
  const ends = new Map(ids.map((id) => [id, endOf(climb(links, id).map((link) => link.id))]));
  const steps = new Set([...ends.values()].flatMap(({ line }) => line));
  const names = new Map((await byIds(tree, [...steps])).map((node) => [node.id, nameOf(node)]));
  const found: Found[] = [];
  for (const [id, { line, above }] of ends) {
    const node = await nodeAt(tree, id);
    const path = line.map((nodeId, index): Crumb => {
      const name = names.get(nodeId);
      return { nodeId, ...(name !== undefined && { name }), depth: above + index };
    });
    if (node) found.push({ node, path, cut: above > 0 });
  }
  return found;
}

/** The last steps of a line, and how many stand above them. */
const endOf = (line: string[]) => ({ line: line.slice(-MOST_STEPS), above: Math.max(0, line.length - MOST_STEPS) });

/** The ids of the nodes with a tag that come behind `after`, in the order of ids. */
export async function taggedNodes({ sql, from }: Tree, tag: string, after: string, count: number): Promise<string[]> {
  const rows = await sql.all<{ id: string }>(
    `SELECT node_id AS id FROM ${from.tags} WHERE tag = ? AND node_id > ? ORDER BY node_id LIMIT ?`,
    [tag, after, count],
  );
  return rows.map(({ id }) => id);
}
