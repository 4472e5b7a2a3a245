import { z } from 'zod';
import { requireNode } from '../../library/tree/nodes.js';
import { openPage, sealPage } from '../../library/tree/page.js';
import { parseFilter } from '../../library/tree/payload.js';
import { treeAt, versionOf } from '../../library/tree/tree.js';
import { readSubtree } from '../../library/tree/view/view.js';
import { defineTool } from '../define.js';
import { atVersion, nextPageToken, nodeId, pageSizeOf, pageToken, version } from './shapes.js';
import { depthLimit, pageSize, subtree } from './view-shapes.js';

export const getSubtree = defineTool({
  name: 'get_subtree',
  toolset: 'tree',
  summary:
    'Get the subtree below a node, collapsed nodes too, as a nested tree within a depth, with chosen properties, page by page.',
  effect: 'read',
  input: {
    nodeId,
    depthLimit,
    filters: z
      .strictObject({
        included: z.array(z.string()).optional().describe('Show only these properties, and all under them.'),
        excluded: z.array(z.string()).optional().describe('Do not show these properties.'),
      })
      .optional()
      .describe('Which properties are shown: paths such as name or system.hp.'),
    paging: z.strictObject({ pageSize, pageToken }).optional().describe('Size of a page, and which page.'),
    atVersion,
  },
  output: { subtree, version, nextPageToken },
  example: { input: { nodeId: 'projects', depthLimit: 1, filters: { included: ['name'] } } },
  errors: ['invalid_argument', 'not_found'],
  run: async ({ paging = {}, ...query }, { sql, limits, identity: { agent } }) => {
    const { nodeId, depthLimit, filters, atVersion } = query;
    const pageSize = pageSizeOf(paging.pageSize, limits, 'paging.pageSize');
    const { pageToken } = paging;
    parseFilter(filters?.included, filters?.excluded, { included: 'filters.included', excluded: 'filters.excluded' });
    const listing = { agent, query: ['get_subtree', query] };
    const { tree: paged, position } = await openPage<string>(sql, listing, pageToken);
    const tree = pageToken === undefined ? await treeAt(sql, atVersion) : paged;
    const root = await requireNode(tree, nodeId);
    const reading = { tree, agent, root, ...(filters && { asked: filters }) };
    const page = await readSubtree(reading, { depthLimit, pageSize }, position);
    return {
      subtree: page.root,
      version: versionOf(tree),
      nextPageToken: page.last === undefined ? undefined : await sealPage(tree, listing, page.last),
    };
  },
});
