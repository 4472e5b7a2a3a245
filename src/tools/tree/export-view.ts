import { requireNode } from '../../library/tree/nodes.js';
import { currentTree, versionOf } from '../../library/tree/tree.js';
import { exportView as exportWhole } from '../../library/tree/view/view.js';
import { defineTool } from '../define.js';
import { version } from './shapes.js';
import { includeViewRoot, rootNodeId, view } from './view-shapes.js';

export const exportView = defineTool({
  name: 'export_view',
  toolset: 'tree',
  summary:
    'Export a view as JSON for import_view: the whole of what you see below a node, by your expansion and filters, on one page.',
  effect: 'read',
  input: { rootNodeId, includeViewRoot },
  output: { view, version },
  example: { input: { rootNodeId: 'projects', includeViewRoot: true } },
  errors: ['invalid_argument', 'not_found'],
  run: async ({ rootNodeId, includeViewRoot }, { sql, identity: { agent } }) => {
    const tree = await currentTree(sql);
    const node = await requireNode(tree, rootNodeId, 'rootNodeId');
    const { root, wrap } = await exportWhole({ tree, agent, root: node });
    return { view: includeViewRoot ? wrap(root) : root, version: versionOf(tree) };
  },
});
