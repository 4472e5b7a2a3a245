import { z } from 'zod';
import { requireNode } from '../../library/tree/nodes.js';
import { openPage, sealPage } from '../../library/tree/page.js';
import { treeAt, versionOf } from '../../library/tree/tree.js';
import { readView } from '../../library/tree/view/view.js';
import { defineTool } from '../define.js';
import {
  atVersion,
  excludedProperties,
  includedProperties,
  nextPageToken,
  pageSizeOf,
  pageToken,
  version,
} from './shapes.js';
import { depthLimit, includeViewRoot, pageSize, rootNodeId, view } from './view-shapes.js';

export const getView = defineTool({
  name: 'get_view',
  toolset: 'tree',
  summary:
    'Get a view of the library: a nested tree that shows the children of expanded nodes, with the properties that pass the filters, page by page.',
  effect: 'read',
  input: {
    rootNodeId,
    includeViewRoot,
    defaultExpanded: z
      .boolean()
      .optional()
      .describe('Whether nodes that you have neither expanded nor collapsed are expanded. Default: true.'),
    includedProperties,
    excludedProperties,
    depthLimit,
    pageSize,
    pageToken,
    atVersion,
  },
  output: { view, version, nextPageToken },
  example: { input: { rootNodeId: 'library', depthLimit: 2, includedProperties: ['name'] } },
  errors: ['invalid_argument', 'not_found'],
  run: async ({ pageToken, pageSize: asked, ...query }, { sql, limits, identity: { agent } }) => {
    const pageSize = pageSizeOf(asked, limits, 'pageSize');
    const { rootNodeId, includeViewRoot, defaultExpanded, depthLimit, atVersion } = query;
    const listing = { agent, query: ['get_view', query] };
    const { tree: paged, position } = await openPage<string>(sql, listing, pageToken);
    const tree = pageToken === undefined ? await treeAt(sql, atVersion) : paged;
    const root = await requireNode(tree, rootNodeId, 'rootNodeId');
    const filter = { included: query.includedProperties, excluded: query.excludedProperties };
    const bounds = { depthLimit, pageSize };
    const { page, wrap } = await readView({ tree, agent, root, asked: filter }, bounds, { defaultExpanded, position });
    return {
      view: includeViewRoot ? wrap(page.root) : page.root,
      version: versionOf(tree),
      nextPageToken: page.last === undefined ? undefined : await sealPage(tree, listing, page.last),
    };
  },
});
