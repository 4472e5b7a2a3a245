import { requireNode } from '../../library/tree/nodes.js';
import { currentTree, versionOf } from '../../library/tree/tree.js';
import { pathTo } from '../../library/tree/view/line.js';
import { defineTool } from '../define.js';
import { nodeId, path, version } from './shapes.js';

export const getPath = defineTool({
  name: 'get_path',
  toolset: 'tree',
  summary: 'Get the breadcrumb path of a node: the ids and names from the root of the library down to it.',
  effect: 'read',
  input: { nodeId },
  output: { path, version },
  example: { input: { nodeId: 'style' } },
  errors: ['not_found'],
  run: async ({ nodeId }, { sql }) => {
    const tree = await currentTree(sql);
    await requireNode(tree, nodeId);
    const steps = await pathTo(tree, nodeId);
    const path = steps.map(({ id, name }, depth) => ({ nodeId: id, ...(name !== null && { name }), depth }));
    return { path, version: versionOf(tree) };
  },
});
