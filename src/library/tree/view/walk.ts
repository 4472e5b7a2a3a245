/**
 * Walking down a tree page by page, in depth-first order. Children are read in chunks when they are needed, and
 * nothing recurses, so that neither a node with many children nor a long chain costs more than the page.
 */
import { childrenAt, nodeAt, type TreeNode } from '../nodes.js';
import type { Tree } from '../tree.js';

/** No nested answer goes deeper than this below its root. */
export const MOST_LEVELS = 60;

const FIRST_CHUNK = 25;
const LARGEST_CHUNK = 400;

/** What a node of an answer is, before its children are known. */
export type Shown = Record<string, unknown>;

/** A node in a nested answer. One that stood on an earlier page is named by `continues`, for its further children. */
export type Nested = Shown & { children?: Nested[]; depthLimited?: true };

/** How a kind of walk looks at nodes. `Context` is what children need to know of their parent. */
export type Look<Context> = {
  root(node: TreeNode): Promise<Context>;
  /** The contexts of some children of one node. */
  children(parent: Context, nodes: readonly TreeNode[]): Promise<Context[]>;
  opens(context: Context): boolean;
  show(node: TreeNode, context: Context): Shown;
};

export type Bounds = { depthLimit?: number | undefined; pageSize: number };

export type Page = {
  root: Nested;
  count: number;
  /** Whether the limit of depth cut something off. */
  cut: boolean;
  /** The last node of this page, where another page follows. */
  last?: string;
};

type Met<Context> = { node: TreeNode; context: Context };

/** A node whose children are being listed. */
type Frame<Context> = {
  met: Met<Context>;
  nested: Nested;
  /** Whether `nested` stands in the answer already. An ancestor from an earlier page does once a child needs it. */
  placed: boolean;
  chunk: number;
  waiting: Met<Context>[];
  after: TreeNode | undefined;
  ended: boolean;
};

/** One page of the tree below a root: the first, or the one behind the node that ended the page before. */
export async function walkPage<Context>(
  tree: Tree,
  root: TreeNode,
  look: Look<Context>,
  { depthLimit = MOST_LEVELS, pageSize }: Bounds,
  position?: string,
): Promise<Page> {
  const deepest = Math.min(depthLimit, MOST_LEVELS);
  const stack: Frame<Context>[] = [];
  const page: Page = { root: {}, count: 0, cut: false };
  let last = position;

  const enter = (met: Met<Context>, depth: number): Nested => {
    const nested: Nested = look.show(met.node, met.context);
    page.count += 1;
    last = met.node.id;
    if (!look.opens(met.context)) return nested;
    if (met.node.childCount > 0 && depth === deepest) {
      page.cut = true;
      return Object.assign(nested, { depthLimited: true as const });
    }
    nested.children = [];
    if (met.node.childCount > 0) stack.push(frameOf(met, nested, true));
    return nested;
  };

  if (position === undefined) page.root = enter({ node: root, context: await look.root(root) }, 0);
  else {
    stack.push(...(await resume(tree, root, look, position, deepest)));
    page.root = stack[0]?.nested ?? { continues: root.id, children: [] };
  }

  for (let frame = stack.at(-1); frame; frame = stack.at(-1)) {
    const met = await nextChild(tree, look, frame, pageSize - page.count + 1);
    if (!met) stack.pop();
    else if (page.count === pageSize) return { ...page, ...(last !== undefined && { last }) };
    else {
      frame.waiting.shift();
      place(stack);
      const { children } = frame.nested;
      children?.push(enter(met, stack.length));
    }
  }
  return page;
}

const frameOf = <Context>(met: Met<Context>, nested: Nested, placed: boolean, after?: TreeNode): Frame<Context> => ({
  met,
  nested,
  placed,
  after,
  chunk: FIRST_CHUNK,
  waiting: [],
  ended: false,
});

/** The next child of a frame, which stays waiting there until it is taken. */
async function nextChild<Context>(
  tree: Tree,
  look: Look<Context>,
  frame: Frame<Context>,
  most: number,
): Promise<Met<Context> | undefined> {
  if (frame.waiting.length === 0 && !frame.ended) {
    const wanted = Math.min(frame.chunk, most);
    const nodes = await childrenAt(tree, frame.met.node.id, wanted, frame.after);
    const contexts = await look.children(frame.met.context, nodes);
    frame.waiting = nodes.map((node, index) => ({ node, context: contexts[index] as Context }));
    frame.after = nodes.at(-1) ?? frame.after;
    frame.ended = nodes.length < wanted;
    frame.chunk = Math.min(frame.chunk * 2, LARGEST_CHUNK);
  }
  return frame.waiting[0];
}

/** Puts the ancestors from earlier pages into the answer. */
function place<Context>(stack: readonly Frame<Context>[]): void {
  for (const [index, frame] of stack.entries()) {
    if (!frame.placed) stack[index - 1]?.nested.children?.push(frame.nested);
    frame.placed = true;
  }
}

/** The frames as they stood after the node that ended the page before: its ancestors, and itself where it is open. */
async function resume<Context>(
  tree: Tree,
  root: TreeNode,
  look: Look<Context>,
  position: string,
  deepest: number,
): Promise<Frame<Context>[]> {
  const line = await lineBelow(tree, root, position);
  const frames: Frame<Context>[] = [];
  let context: Context = await look.root(root);
  for (const [depth, node] of line.entries()) {
    const parent = frames.at(-1);
    if (parent) context = (await look.children(parent.met.context, [node]))[0] as Context;
    const isLast = depth === line.length - 1;
    if (isLast && (depth === deepest || node.childCount === 0 || !look.opens(context))) break;
    frames.push(frameOf({ node, context }, { continues: node.id, children: [] }, depth === 0, line[depth + 1]));
  }
  return frames;
}

/** The nodes from a root down to a node within it. */
async function lineBelow(tree: Tree, root: TreeNode, id: string): Promise<TreeNode[]> {
  const line: TreeNode[] = [];
  for (let at: string | null = id; at !== null && at !== root.id; at = line[0]?.parentId ?? null) {
    const node = await nodeAt(tree, at);
    if (!node) break;
    line.unshift(node);
  }
  return [root, ...line];
}
