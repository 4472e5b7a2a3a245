import { z } from 'zod';
import { taggedNodes } from '../../library/tree/query/found.js';
import { defineTool } from '../define.js';
import { foundPage, openFound, showFound } from './found.js';
import { limit, pageSizeOf, pageToken } from './shapes.js';

export const queryByTag = defineTool({
  name: 'query_by_tag',
  toolset: 'tree',
  summary: 'Find the nodes that have a tag. They come in the order of their ids.',
  effect: 'read',
  input: { tag: z.string().trim().min(1).describe('The tag.'), limit, pageToken },
  output: foundPage,
  example: { input: { tag: 'draft' } },
  errors: ['invalid_argument'],
  run: async ({ tag, limit: asked, pageToken }, call) => {
    const limit = pageSizeOf(asked, call.limits);
    const query = { tool: 'query_by_tag', tag };
    const { tree, after } = await openFound(call, query, pageToken);
    const ids = await taggedNodes(tree, tag, after, limit + 1);
    return showFound(call, tree, query, ids, limit);
  },
});
