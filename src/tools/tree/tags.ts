/** Tags on nodes. */
import { z } from 'zod';
import { touchNode } from '../../library/tree/change.js';
import { storedNode } from '../../library/tree/edit.js';
import { addTags, removeTags } from '../../library/tree/tags.js';
import { defineTool } from '../define.js';
import { changed, nodeId } from './shapes.js';

const shared = {
  toolset: 'tree',
  effect: 'write',
  versionRule: 'required',
  output: changed,
  errors: ['invalid_argument', 'not_found', 'conflict'],
} as const;

const tags = z.array(z.string().trim().min(1).max(100)).min(1).describe('Tags: words of 1 to 100 characters.');

export const tagNode = defineTool({
  ...shared,
  name: 'tag_node',
  summary: 'Add tags to a node. Tags that it has already stay as they are.',
  input: { nodeId, tags },
  batch: ({ tags }) => tags.length,
  example: { input: { nodeId: 'style', tags: ['reviewed'] } },
  run: async ({ nodeId, tags }, { change }) => {
    await touchNode(change, await storedNode(change, nodeId));
    await addTags(change, nodeId, tags);
    return { nodeIds: [nodeId], version: await change.version() };
  },
});

export const untagNode = defineTool({
  ...shared,
  name: 'untag_node',
  summary: 'Remove tags from a node. Tags that it does not have are ignored.',
  input: { nodeId, tags },
  batch: ({ tags }) => tags.length,
  example: { input: { nodeId: 'style', tags: ['draft'] } },
  run: async ({ nodeId, tags }, { change }) => {
    await touchNode(change, await storedNode(change, nodeId));
    await removeTags(change, nodeId, tags);
    return { nodeIds: [nodeId], version: await change.version() };
  },
});
