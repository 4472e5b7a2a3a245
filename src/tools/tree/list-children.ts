import { z } from 'zod';
import { type Cursor, childrenAt, requireNode } from '../../library/tree/nodes.js';
import { openPage, sealPage } from '../../library/tree/page.js';
import { versionOf } from '../../library/tree/tree.js';
import { scopesOf } from '../../library/tree/view/scopes.js';
import { defineTool } from '../define.js';
import { limit, nextPageToken, node, nodeId, pageSizeOf, pageToken, shown, version } from './shapes.js';

export const listChildren = defineTool({
  name: 'list_children',
  toolset: 'tree',
  summary: 'List the children of a node, in their order, page by page. Collapsed nodes are listed too.',
  effect: 'read',
  input: { nodeId, limit, pageToken },
  output: { children: z.array(node), version, nextPageToken },
  example: { input: { nodeId: 'library', limit: 10 } },
  errors: ['invalid_argument', 'not_found'],
  run: async ({ nodeId, limit: asked, pageToken }, { sql, limits, identity: { agent } }) => {
    const limit = pageSizeOf(asked, limits);
    const listing = { agent, query: ['list_children', nodeId] };
    const { tree, position } = await openPage<Cursor>(sql, listing, pageToken);
    await requireNode(tree, nodeId);
    const found = await childrenAt(tree, nodeId, limit + 1, position);
    const page = found.slice(0, limit);
    const scopes = await scopesOf(tree, agent);
    const scope = await scopes.around(nodeId);
    const last = found.length > limit ? page.at(-1) : undefined;
    return {
      children: page.map((child) => shown(child, scopes.filter(scopes.below(scope, child.id)))),
      version: versionOf(tree),
      nextPageToken: last && (await sealPage(tree, listing, { rank: last.rank, id: last.id } satisfies Cursor)),
    };
  },
});
