/** Whether nodes lie in a subtree: by walking down it where it is small, else by climbing from the nodes. */
import { ROOT_ID } from '../node.js';
import type { Tree } from '../tree.js';
import { linksAbove } from './lineages.js';

/** The ids in a subtree, the root among them; undefined where there are more than `most`. */
export async function smallSubtree(tree: Tree, rootId: string, most: number): Promise<string[] | undefined> {
  const below = await (tree.isCurrent ? idsBelowNow(tree, rootId, most) : idsBelow(tree, [rootId], null, most - 1));
  return below && below.length < most ? [rootId, ...below] : undefined;
}

/** In the current tree one query walks down, so that a long chain costs no query for each level. */
async function idsBelowNow({ sql }: Tree, rootId: string, most: number): Promise<string[]> {
  const rows = await sql.all<{ id: string }>(
    `WITH RECURSIVE below (id) AS (
       SELECT id FROM nodes WHERE parent_id = ?
       UNION ALL
       SELECT n.id FROM below CROSS JOIN nodes AS n WHERE n.parent_id = below.id LIMIT ?
     ) SELECT id FROM below`,
    [rootId, most],
  );
  return rows.map(({ id }) => id);
}

type Hanging = { id: string; parentId: string | null };

/** Keeps the nodes of a subtree. It remembers what it has learnt of the nodes above. */
export type Inside = <T extends Hanging>(nodes: T[]) => Promise<T[]>;

export function insideOf(tree: Tree, rootId: string): Inside {
  if (rootId === ROOT_ID) return async (nodes) => nodes;
  const known = new Map<string, boolean>([[rootId, true]]);
  return async (nodes) => {
    const strangers = nodes.map(({ parentId }) => parentId).filter((id) => id !== null && !known.has(id));
    if (strangers.length > 0) await learn(tree, [...new Set(strangers as string[])], known);
    for (const { id, parentId } of nodes) known.set(id, id === rootId || known.get(parentId ?? '') === true);
    return nodes.filter(({ id }) => known.get(id));
  };
}

async function learn(tree: Tree, ids: readonly string[], known: Map<string, boolean>): Promise<void> {
  const parents = new Map((await linksAbove(tree, ids)).map(({ id, parentId }) => [id, parentId]));
  for (const id of ids) {
    const trail: string[] = [];
    let at: string | null = id;
    for (; at !== null && !known.has(at); at = parents.get(at) ?? null) trail.push(at);
    const inside = at !== null && known.get(at) === true;
    for (const passed of trail) known.set(passed, inside);
  }
}

/**
 * The ids below some nodes: exactly so many levels below, or on any level (null). Undefined where it
 * would read more than `most`. It goes level by level: SQLite would copy the whole past of the nodes
 * for a recursive join.
 */
export async function idsBelow(
  tree: Tree,
  starts: readonly string[],
  levels: number | null,
  most: number,
): Promise<string[] | undefined> {
  const seen = new Set<string>();
  let level: readonly string[] = starts;
  for (let depth = 0; level.length > 0 && depth !== levels; depth++) {
    const room = most - seen.size;
    const children = await childrenOf(tree, level, room + 1);
    if (children.length > room) return undefined;
    // A node below two starts is met twice on the way to any level, and counts once.
    level = levels === null ? children.filter((id) => !seen.has(id)) : children;
    for (const id of children) seen.add(id);
  }
  return levels === null ? [...seen] : [...level];
}

async function childrenOf({ sql, from }: Tree, ids: readonly string[], most: number): Promise<string[]> {
  const rows = await sql.all<{ id: string }>(
    `SELECT m.id FROM ${from.nodes} AS m WHERE m.parent_id IN (SELECT value FROM json_each(?)) LIMIT ?`,
    [JSON.stringify(ids), most],
  );
  return rows.map(({ id }) => id);
}
