/** What queries answer: nodes with their lineages, page by page. */
import { nodeAt, type TreeNode } from '../nodes.js';
import type { Tree } from '../tree.js';
import { lineagesOf } from './lineages.js';

/** A node that was found, and the nodes from the root down to it, itself included. */
export type Found = { node: TreeNode; line: TreeNode[] };

/** The nodes of some ids, in the order of the ids. */
export async function foundNodes(tree: Tree, ids: readonly string[]): Promise<Found[]> {
  const lines = await lineagesOf(tree, ids);
  const found: Found[] = [];
  for (const id of ids) {
    const [node, line] = [await nodeAt(tree, id), lines.get(id)];
    if (node && line) found.push({ node, line });
  }
  return found;
}

/** The ids of the nodes with a tag that come behind `after`, in the order of ids. */
export async function taggedNodes({ sql, from }: Tree, tag: string, after: string, count: number): Promise<string[]> {
  const rows = await sql.all<{ id: string }>(
    `SELECT node_id AS id FROM ${from.tags} WHERE tag = ? AND node_id > ? ORDER BY node_id LIMIT ?`,
    [tag, after, count],
  );
  return rows.map(({ id }) => id);
}
