/** Moving a node: into a parent, or right beside a sibling. */
import { z } from 'zod';
import { plainFailure } from '../../errors.js';
import type { Change } from '../../library/tree/change.js';
import { parentOf, relocate, storedNode } from '../../library/tree/edit.js';
import { ROOT_ID } from '../../library/tree/node.js';
import { defineTool } from '../define.js';
import { changed, nodeId } from './shapes.js';

const shared = {
  toolset: 'tree',
  effect: 'write',
  versionRule: 'required',
  output: changed,
  errors: ['invalid_argument', 'not_found', 'conflict'],
} as const;

const siblingId = z.string().describe('Id of the sibling. The node comes to stand in the same parent.');

export const moveNode = defineTool({
  ...shared,
  name: 'move_node',
  summary: 'Move a node, with everything below it, to the end of another parent.',
  input: { nodeId, newParentId: z.string().describe('Id of the new parent.') },
  example: { input: { nodeId: 'style', newParentId: 'archive' } },
  run: async ({ nodeId, newParentId }, { change }) => {
    const parent = await storedNode(change, newParentId, 'newParentId');
    await relocate(change, nodeId, { parent, edge: 'last' });
    return { nodeIds: [nodeId], version: await change.version() };
  },
});

export const moveBefore = defineTool({
  ...shared,
  name: 'move_before',
  summary: 'Move a node right before a sibling, into the parent of that sibling.',
  input: { nodeId, siblingId },
  example: { input: { nodeId: 'archive', siblingId: 'projects' } },
  run: ({ nodeId, siblingId }, { change }) => moveBeside(change, nodeId, siblingId, 'before'),
});

export const moveAfter = defineTool({
  ...shared,
  name: 'move_after',
  summary: 'Move a node right after a sibling, into the parent of that sibling.',
  input: { nodeId, siblingId },
  example: { input: { nodeId: 'projects', siblingId: 'archive' } },
  run: ({ nodeId, siblingId }, { change }) => moveBeside(change, nodeId, siblingId, 'after'),
});

async function moveBeside(change: Change, nodeId: string, siblingId: string, side: 'before' | 'after') {
  if (siblingId === ROOT_ID) {
    throw plainFailure('invalid_argument', 'Invalid siblingId: nothing stands beside the library').advise(
      'Use move_node with newParentId library to put a node into it.',
    );
  }
  const sibling = await storedNode(change, siblingId, 'siblingId');
  await relocate(change, nodeId, { parent: await parentOf(change, sibling), sibling, side });
  return { nodeIds: [nodeId], version: await change.version() };
}
