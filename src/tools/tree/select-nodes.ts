import { z } from 'zod';
import { parseSelector } from '../../library/tree/query/parse-selector.js';
import { selectBehind } from '../../library/tree/query/select.js';
import { defineTool } from '../define.js';
import { foundPage, openFound, showFound } from './found.js';
import { limit, pageSizeOf, pageToken } from './shapes.js';

export const selectNodes = defineTool({
  name: 'select_nodes',
  toolset: 'tree',
  summary:
    'Select nodes with a CSS selector such as folder[name="Work"] > note[stars>3]. Types are payload types, attributes are payload paths, #id is a node, .name a tag. Matches come in tree order.',
  effect: 'read',
  input: {
    queryDsl: z
      .string()
      .max(10_000)
      .describe(
        'The selector. In brackets: = != ^= $= *= ~= |= with text, and > >= < <= with numbers. Combinators: space > + ~. Pseudo-classes such as :not(), :is(), :has(), :empty, :first-child, :nth-child().',
      ),
    limit,
    pageToken,
  },
  output: foundPage,
  example: { input: { queryDsl: 'folder[name="Guides"] > note[stars>=3]' } },
  errors: ['invalid_argument'],
  run: async ({ queryDsl, limit: asked, pageToken }, call) => {
    const limit = pageSizeOf(asked, call.limits);
    const selector = parseSelector(queryDsl, 'queryDsl');
    const query = { tool: 'select_nodes', queryDsl };
    const { tree, after } = await openFound(call, query, pageToken);
    const ids = await selectBehind(tree, selector, after, limit + 1);
    return showFound(call, tree, query, ids, limit);
  },
});
