import { z } from 'zod';
import { addNode, storedNode } from '../../library/tree/edit.js';
import { defineTool } from '../define.js';
import { changedOne, payload } from './shapes.js';

export const addChild = defineTool({
  name: 'add_child',
  toolset: 'tree',
  summary: 'Add a node as the last child of another: a folder, or a document of a type that is defined.',
  effect: 'write',
  versionRule: 'required',
  input: {
    parentNodeId: z.string().describe('Id of the parent.'),
    payloadType: z.string().describe('Type of the payload: folder, or one that list_document_types shows.'),
    payloadProps: payload.describe('Properties of the payload. A folder has name and status.'),
  },
  output: changedOne,
  example: { input: { parentNodeId: 'guides', payloadType: 'note', payloadProps: { name: 'Style', stars: 3 } } },
  errors: ['invalid_argument', 'not_found', 'conflict'],
  run: async ({ parentNodeId, payloadType, payloadProps }, { change }) => {
    const parent = await storedNode(change, parentNodeId, 'parentNodeId');
    const nodeId = await addNode(change, { parent, edge: 'last' }, payloadType, payloadProps);
    return { nodeId, nodeIds: [nodeId], version: await change.version() };
  },
});
