import { z } from 'zod';
import { requireNode } from '../../library/tree/nodes.js';
import { tagsOf } from '../../library/tree/tags.js';
import { treeAt, versionOf } from '../../library/tree/tree.js';
import { scopesOf } from '../../library/tree/view/scopes.js';
import { defineTool } from '../define.js';
import { atVersion, excludedProperties, includedProperties, node, nodeId, shown, version } from './shapes.js';

export const getNode = defineTool({
  name: 'get_node',
  toolset: 'tree',
  summary:
    'Get a node of the library: its type, payload, tags, parent and number of children. With atVersion, as it was then.',
  effect: 'read',
  input: { nodeId, includedProperties, excludedProperties, atVersion },
  output: {
    node: node.extend({ parentId: z.string().nullable(), tags: z.array(z.string()) }),
    version,
  },
  example: { input: { nodeId: 'guides' } },
  errors: ['not_found'],
  run: async ({ nodeId, includedProperties: included, excludedProperties: excluded, atVersion }, { sql, identity }) => {
    const tree = await treeAt(sql, atVersion);
    const found = await requireNode(tree, nodeId);
    const scopes = await scopesOf(tree, identity.agent, { included, excluded });
    const filter = scopes.filter(await scopes.around(nodeId));
    const { parentId } = found;
    return { node: { ...shown(found, filter), parentId, tags: await tagsOf(tree, nodeId) }, version: versionOf(tree) };
  },
});
