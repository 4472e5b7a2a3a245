import { z } from 'zod';
import { requireNode } from '../../library/tree/nodes.js';
import { parsePath } from '../../library/tree/payload.js';
import { parsePredicate } from '../../library/tree/query/predicate.js';
import { firstMatches, type Search, type SortKey, sortedMatches } from '../../library/tree/query/search.js';
import type { Tree } from '../../library/tree/tree.js';
import { defineTool } from '../define.js';
import { foundPage, openFound, showFound } from './found.js';
import { conditions, limit, pageSizeOf, pageToken } from './shapes.js';

const sortKey = z.strictObject({
  path: z.string().describe('Path in the payload to sort by.'),
  direction: z.enum(['asc', 'desc']).optional().describe('Default: asc. Missing values come last in both.'),
});

export const searchAdvanced = defineTool({
  name: 'search_advanced',
  toolset: 'tree-advanced',
  summary: 'Search the nodes of a subtree with conditions in AND and OR groups, with ranges, and sorted by properties.',
  effect: 'read',
  input: {
    rootId: z.string().describe('Id of the node to search at and below. library searches everything.'),
    predicates: conditions.describe(
      'A condition { path, op, value }, a group { and: [...] } or { or: [...] } of conditions and groups, or a list of which all must hold. op is eq, contains, gt, lt or between; between takes [low, high], both included.',
    ),
    sortBy: z.array(sortKey).max(20).optional().describe('Sort by these, the first before the others. Default: by id.'),
    limit,
    pageToken,
  },
  output: foundPage,
  example: {
    input: {
      rootId: 'library',
      predicates: {
        or: [
          { path: 'stars', op: 'between', value: [2, 5] },
          { path: 'name', op: 'eq', value: 'Archive' },
        ],
      },
      sortBy: [{ path: 'name', direction: 'asc' }],
    },
  },
  errors: ['invalid_argument', 'not_found'],
  run: async ({ rootId, predicates, sortBy = [], limit: asked, pageToken }, call) => {
    const limit = pageSizeOf(asked, call.limits);
    const predicate = parsePredicate(predicates, 'predicates');
    const keys = sortBy.map(({ path, direction }, index): SortKey => {
      return { path: parsePath(path, `sortBy.${index}.path`), descending: direction === 'desc' };
    });
    const query = { tool: 'search_advanced', rootId, predicates, sortBy };
    const { tree, after } = await openFound(call, query, pageToken);
    await requireNode(tree, rootId, 'rootId');
    const ids = await matchesBehind(tree, { rootId, predicate }, keys, after, limit + 1);
    return showFound(call, tree, query, ids, limit);
  },
});

async function matchesBehind(tree: Tree, search: Search, keys: readonly SortKey[], after: string, count: number) {
  if (keys.length === 0) return (await firstMatches(tree, search, after, count)).map(({ id }) => id);
  // The last match of the page before is there again: the tree is read as of the first page.
  return sortedMatches(tree, search, keys, after, count);
}
