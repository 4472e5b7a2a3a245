import { z } from 'zod';
import { commonAncestor } from '../../library/tree/query/ancestor.js';
import { currentTree, versionOf } from '../../library/tree/tree.js';
import { defineTool } from '../define.js';
import { version } from './shapes.js';

export const getCommonAncestor = defineTool({
  name: 'get_common_ancestor',
  toolset: 'tree-advanced',
  summary: 'Get the nearest common ancestor of nodes. A node counts as its own ancestor; no nodes have none.',
  effect: 'read',
  input: { nodeIds: z.array(z.string()).describe('Ids of the nodes.') },
  output: { nodeId: z.string().nullable().describe('The nearest common ancestor, or null.'), version },
  batch: ({ nodeIds }) => nodeIds.length,
  example: { input: { nodeIds: ['style', 'archive'] } },
  errors: ['not_found'],
  run: async ({ nodeIds }, { sql }) => {
    const tree = await currentTree(sql);
    return { nodeId: await commonAncestor(tree, nodeIds), version: versionOf(tree) };
  },
});
