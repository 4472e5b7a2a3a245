import { removeNode as remove } from '../../library/tree/edit.js';
import { defineTool } from '../define.js';
import { changed, nodeId } from './shapes.js';

export const removeNode = defineTool({
  name: 'remove_node',
  toolset: 'tree',
  summary: 'Remove a node with everything below it. Bring it back with undo or snapshot_restore.',
  effect: 'destroy',
  versionRule: 'required',
  input: { nodeId },
  output: changed,
  example: { input: { nodeId: 'archive' } },
  errors: ['invalid_argument', 'not_found', 'conflict'],
  run: async ({ nodeId }, { change }) => {
    await remove(change, nodeId);
    return { nodeIds: [nodeId], version: await change.version() };
  },
});
