import { requireNode } from '../../library/tree/nodes.js';
import { currentTree, versionOf } from '../../library/tree/tree.js';
import { exportSubtree as exportWhole } from '../../library/tree/view/view.js';
import { defineTool } from '../define.js';
import { nodeId, version } from './shapes.js';
import { includeViewRoot, subtree } from './view-shapes.js';

export const exportSubtree = defineTool({
  name: 'export_subtree',
  toolset: 'tree-advanced',
  summary:
    'Export a subtree as JSON for import_merge or import_view: all nodes below a node with all their properties, whatever your filters.',
  effect: 'read',
  input: { nodeId, includeViewRoot },
  output: { subtree, version },
  example: { input: { nodeId: 'projects' } },
  errors: ['invalid_argument', 'not_found'],
  run: async ({ nodeId, includeViewRoot }, { sql }) => {
    const tree = await currentTree(sql);
    const root = await exportWhole({ tree, root: await requireNode(tree, nodeId) });
    return { subtree: includeViewRoot ? { rootNodeId: nodeId, root } : root, version: versionOf(tree) };
  },
});
