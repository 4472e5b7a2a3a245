/** Copying nodes. */
import { z } from 'zod';
import { cloneNode as clone, copySubtree as copy } from '../../library/tree/copy.js';
import { storedNode } from '../../library/tree/edit.js';
import { defineTool } from '../define.js';
import { changedMany, changedOne, nodeId, touched } from './shapes.js';

const shared = {
  toolset: 'tree-advanced',
  effect: 'write',
  versionRule: 'required',
  errors: ['invalid_argument', 'not_found', 'conflict'],
} as const;

const targetParentId = z.string().describe('Id of the node that the copy goes below, as its last child.');

export const cloneNode = defineTool({
  ...shared,
  name: 'clone_node',
  summary: 'Copy a single node, without what is below it, under another parent.',
  input: { nodeId, targetParentId },
  output: changedOne,
  example: { input: { nodeId: 'style', targetParentId: 'archive' } },
  run: async ({ nodeId: sourceId, targetParentId }, { change }) => {
    const source = await storedNode(change, sourceId);
    const target = await storedNode(change, targetParentId, 'targetParentId');
    const nodeId = await clone(change, source, target);
    return { nodeId, nodeIds: [nodeId], version: await change.version() };
  },
});

export const copySubtree = defineTool({
  ...shared,
  name: 'copy_subtree',
  summary:
    'Copy a node with everything below it under another parent. Mode duplicate copies the payloads; mode reference shares them, so that a change to one is a change to both. Folders are always duplicated.',
  input: {
    sourceId: z.string().describe('Id of the node to copy.'),
    targetParentId,
    mode: z.enum(['reference', 'duplicate']).describe('Whether payloads are shared or copied.'),
  },
  output: { ...changedOne, ...changedMany },
  example: { input: { sourceId: 'guides', targetParentId: 'archive', mode: 'reference' } },
  run: async ({ sourceId, targetParentId, mode }, { change }) => {
    const source = await storedNode(change, sourceId, 'sourceId');
    const target = await storedNode(change, targetParentId, 'targetParentId');
    const ids = await copy(change, source, target, mode);
    return { nodeId: ids[0] as string, ...touched(ids), version: await change.version() };
  },
});
