/** Nodes for people: each on a line, indented below its parent, with its id beside it. */
import { columns, dim, safe } from './terminal.js';

type Row = Record<string, unknown>;

/** A node of a view or a subtree, or the rest of one that began on an earlier page. */
type TreeNode = {
  nodeId?: string;
  continues?: string;
  payloadType?: string;
  payload?: Row;
  childrenCount?: number;
  children?: TreeNode[];
};

export function isTreeNode(value: unknown): value is TreeNode {
  if (typeof value !== 'object' || value === null) return false;
  return 'continues' in value || ('nodeId' in value && 'childrenCount' in value && !('parentId' in value));
}

export function renderTree(root: TreeNode): string {
  const lines: string[][] = [];
  // A stack instead of recursion, since a tree may be deep.
  const pending = [{ node: root, depth: 0 }];
  for (let next = pending.pop(); next; next = pending.pop()) {
    const { node, depth } = next;
    lines.push([`${'  '.repeat(depth)}${labelOf(node)}`, dim(node.nodeId ?? '')]);
    for (const child of (node.children ?? []).toReversed()) pending.push({ node: child, depth: depth + 1 });
  }
  return columns(lines);
}

function labelOf({ continues, nodeId, payloadType, payload, children, childrenCount = 0 }: TreeNode): string {
  if (continues !== undefined) return dim(`… ${safe(continues)}, continued`);
  const name = typeof payload?.name === 'string' ? payload.name : (nodeId ?? '');
  const kind = payloadType === 'folder' || payloadType === 'library' ? '' : dim(` (${safe(payloadType ?? '')})`);
  const hidden = children === undefined && childrenCount > 0 ? dim(` +${childrenCount}`) : '';
  return `${safe(name)}${kind}${hidden}`;
}

/** Rows that stand in tree order, each indented below its parent. */
export function renderForest(rows: readonly Row[]): string {
  const depths = new Map<unknown, number>();
  const lines = rows.map((row) => {
    const depth = (depths.get(row.parentId) ?? -1) + 1;
    depths.set(row.id, depth);
    const dropped = row.status === 'dropped' ? dim(' (dropped)') : '';
    return [`${'  '.repeat(depth)}${safe(String(row.name))}${dropped}`, dim(String(row.id))];
  });
  return columns(lines);
}
