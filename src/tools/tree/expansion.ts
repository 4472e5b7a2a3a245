/** The tools that open and close nodes of an agent's views. They change no node, and so no version. */
import { z } from 'zod';
import { type Change, touchNode } from '../../library/tree/change.js';
import { storedNode } from '../../library/tree/edit.js';
import { currentTree } from '../../library/tree/tree.js';
import { ALL_LEVELS, isOpen } from '../../library/tree/view/expansion.js';
import { defaultAround, expansionOf, setExpansion } from '../../library/tree/view/expansion-store.js';
import { defineTool } from '../define.js';
import { changed, nodeId } from './shapes.js';
import { rootNodeId } from './view-shapes.js';

type Setting = { id: string; argument?: string; reach: number; expanded: boolean };

async function set(change: Change, { id, argument = 'nodeId', reach, expanded }: Setting) {
  await touchNode(change, await storedNode(change, id, argument));
  await setExpansion(change.sql, change.agent, [id], { reach, expanded });
  return { nodeIds: [id], version: await change.version() };
}

const common = {
  effect: 'write',
  versionRule: 'required',
  errors: ['invalid_argument', 'not_found', 'conflict'],
} as const;

const oneNode = { ...changed, isExpanded: z.boolean().describe('Whether the node is expanded now.') };

export const expandNode = defineTool({
  ...common,
  name: 'expand_node',
  toolset: 'tree',
  summary: 'Expand a node in your views: get_view and export_view then show its children.',
  input: { nodeId },
  output: oneNode,
  example: { input: { nodeId: 'guides' } },
  run: async ({ nodeId }, { change }) => ({
    ...(await set(change, { id: nodeId, reach: 0, expanded: true })),
    isExpanded: true,
  }),
});

export const collapseNode = defineTool({
  ...common,
  name: 'collapse_node',
  toolset: 'tree',
  summary: 'Collapse a node in your views: get_view and export_view then do not show its children.',
  input: { nodeId },
  output: oneNode,
  example: { input: { nodeId: 'guides' } },
  run: async ({ nodeId }, { change }) => ({
    ...(await set(change, { id: nodeId, reach: 0, expanded: false })),
    isExpanded: false,
  }),
});

export const toggleNode = defineTool({
  ...common,
  name: 'toggle_node',
  toolset: 'tree',
  summary: 'Toggle a node in your views: expand it where it is collapsed, collapse it where it is expanded.',
  input: {
    nodeId,
    defaultExpanded: z
      .boolean()
      .optional()
      .describe('What the view that you look at was asked with. Left out: what is kept for it, else true.'),
  },
  output: oneNode,
  example: { input: { nodeId: 'guides' } },
  run: async ({ nodeId, defaultExpanded }, { change, sql, identity: { agent } }) => {
    const tree = await currentTree(sql);
    const entries = await (await expansionOf(tree, agent)).reaching(nodeId);
    const expanded = !isOpen(entries, defaultExpanded ?? (await defaultAround(tree, agent, nodeId)));
    return { ...(await set(change, { id: nodeId, reach: 0, expanded })), isExpanded: expanded };
  },
});

export const expandAll = defineTool({
  ...common,
  name: 'expand_all',
  toolset: 'tree',
  summary: 'Expand a node and everything below it in your views.',
  input: { rootNodeId },
  output: changed,
  example: { input: { rootNodeId: 'library' } },
  run: ({ rootNodeId: id }, { change }) =>
    set(change, { id, argument: 'rootNodeId', reach: ALL_LEVELS, expanded: true }),
});

export const collapseAll = defineTool({
  ...common,
  name: 'collapse_all',
  toolset: 'tree',
  summary: 'Collapse a node and everything below it in your views.',
  input: { rootNodeId },
  output: changed,
  example: { input: { rootNodeId: 'library' } },
  run: ({ rootNodeId: id }, { change }) =>
    set(change, { id, argument: 'rootNodeId', reach: ALL_LEVELS, expanded: false }),
});

export const setExpansionRecursive = defineTool({
  ...common,
  name: 'set_expansion_recursive',
  toolset: 'tree-advanced',
  summary: 'Expand or collapse a node and so many levels below it in your views.',
  input: {
    nodeId,
    expanded: z.boolean().describe('true to expand, false to collapse.'),
    maxDepth: z
      .int()
      .min(0)
      .max(1_000_000)
      .optional()
      .describe('How many levels below the node: 0 is the node alone. Default: all.'),
  },
  output: changed,
  example: { input: { nodeId: 'projects', expanded: false, maxDepth: 1 } },
  run: ({ nodeId, expanded, maxDepth = ALL_LEVELS }, { change }) =>
    set(change, { id: nodeId, reach: maxDepth, expanded }),
});
