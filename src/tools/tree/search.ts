import { z } from 'zod';
import { requireNode } from '../../library/tree/nodes.js';
import { parseCondition } from '../../library/tree/query/predicate.js';
import { firstMatches } from '../../library/tree/query/search.js';
import { defineTool } from '../define.js';
import { foundPage, openFound, showFound } from './found.js';
import { limit, pageSizeOf, pageToken } from './shapes.js';

const filter = z.strictObject({
  path: z.string().describe('Path in the payload, such as name or system.hp. Lists are entered by number.'),
  op: z.enum(['eq', 'contains']).describe('eq: is the same value. contains: text in text, or element in list.'),
  value: z.unknown().describe('The value to compare with. Types are not converted: 3 is not "3".'),
});

export const search = defineTool({
  name: 'search',
  toolset: 'tree',
  summary:
    'Search the nodes of a subtree by their payload: all filters must hold. Matches come in the order of their ids.',
  effect: 'read',
  input: {
    rootNodeId: z.string().describe('Id of the node to search at and below. library searches everything.'),
    filters: z.array(filter).describe('All of them must hold. None: every node matches.'),
    limit,
    pageToken,
  },
  output: foundPage,
  example: { input: { rootNodeId: 'library', filters: [{ path: 'name', op: 'contains', value: 'Sty' }] } },
  errors: ['invalid_argument', 'not_found'],
  run: async ({ rootNodeId: rootId, filters, limit: asked, pageToken }, call) => {
    const limit = pageSizeOf(asked, call.limits);
    const and = filters.map((one, index) => parseCondition(one, `filters.${index}`, ['eq', 'contains']));
    const query = { tool: 'search', rootId, filters };
    const { tree, after } = await openFound(call, query, pageToken);
    await requireNode(tree, rootId, 'rootNodeId');
    const matches = await firstMatches(tree, { rootId, predicate: { and } }, after, limit + 1);
    const ids = matches.map(({ id }) => id);
    return showFound(call, tree, query, ids, limit);
  },
});
