import { z } from 'zod';
import { storedNode } from '../../library/tree/edit.js';
import { parsePath } from '../../library/tree/payload.js';
import { sortChildren as sort } from '../../library/tree/sort.js';
import { defineTool } from '../define.js';
import { changed } from './shapes.js';

export const sortChildren = defineTool({
  name: 'sort_children',
  toolset: 'tree-advanced',
  summary: 'Sort the children of a node by a property. Equal children keep their order; missing values come last.',
  effect: 'write',
  versionRule: 'required',
  input: {
    parentId: z.string().describe('Id of the node whose children are sorted.'),
    byProp: z.string().describe('Path of the property to sort by, such as name or system.hp.'),
    direction: z.enum(['asc', 'desc']).describe('Up or down.'),
    stable: z.boolean().optional().describe('Keep the order of equal children. It is always kept.'),
  },
  output: changed,
  example: { input: { parentId: 'library', byProp: 'name', direction: 'asc' } },
  errors: ['invalid_argument', 'not_found', 'conflict'],
  run: async ({ parentId, byProp, direction }, { change }) => {
    const parent = await storedNode(change, parentId, 'parentId');
    await sort(change, parent, parsePath(byProp, 'byProp'), direction);
    return { nodeIds: [parentId], version: await change.version() };
  },
});
