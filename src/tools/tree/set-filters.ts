import { z } from 'zod';
import { touchNode } from '../../library/tree/change.js';
import { storedNode } from '../../library/tree/edit.js';
import { EVERYWHERE, setFilters as saveFilters } from '../../library/tree/filters.js';
import { defineTool } from '../define.js';
import { changed } from './shapes.js';

export const setFilters = defineTool({
  name: 'set_filters',
  toolset: 'tree-advanced',
  summary:
    'Set which properties your later reads show: get_view, get_node, get_subtree, list_children and searches, unless a call gives its own.',
  effect: 'write',
  versionRule: 'required',
  input: {
    scope: z.string().describe('all for every node, or the id of a node, for it and all below it. The nearest wins.'),
    included: z.array(z.string()).describe('Show only these properties, and all under them. Empty: all.'),
    excluded: z.array(z.string()).describe('Do not show these properties. They win over included ones.'),
  },
  output: changed,
  example: { input: { scope: 'all', included: ['name', 'stars'], excluded: [] } },
  errors: ['invalid_argument', 'not_found', 'conflict'],
  run: async ({ scope, included, excluded }, { sql, change, identity: { agent } }) => {
    const nodeIds = scope === EVERYWHERE ? [] : [scope];
    for (const id of nodeIds) await touchNode(change, await storedNode(change, id, 'scope'));
    await saveFilters(sql, agent, scope, included, excluded, { included: 'included', excluded: 'excluded' });
    return { nodeIds, version: await change.version() };
  },
});
