/** Bookmarks: labels that stand for a node. */
import { z } from 'zod';
import { notFound } from '../../errors.js';
import { storedNode } from '../../library/tree/edit.js';
import { bookmarksOf, dropBookmark, findBookmark, setBookmark, touchBookmark } from '../../library/tree/tags.js';
import { currentTree, versionOf } from '../../library/tree/tree.js';
import { defineTool } from '../define.js';
import { changed, nodeId, version } from './shapes.js';

const label = z.string().trim().min(1).max(200).describe('Label of the bookmark.');

export const bookmark = defineTool({
  name: 'bookmark',
  toolset: 'tree',
  summary: 'Set a bookmark: a label that stands for a node. A label that is in use then stands for this node.',
  effect: 'write',
  versionRule: 'required',
  input: { nodeId, label },
  output: changed,
  example: { input: { nodeId: 'guides', label: 'read first' } },
  errors: ['invalid_argument', 'not_found', 'conflict'],
  run: async ({ nodeId, label }, { change }) => {
    await storedNode(change, nodeId);
    await touchBookmark(change, label);
    await setBookmark(change, { label, nodeId });
    return { nodeIds: [nodeId], version: await change.version() };
  },
});

export const removeBookmark = defineTool({
  name: 'remove_bookmark',
  toolset: 'tree',
  summary: 'Remove a bookmark by its label. The node stays.',
  effect: 'write',
  versionRule: 'required',
  input: { label },
  output: changed,
  example: { input: { label: 'inbox' } },
  errors: ['not_found', 'conflict'],
  run: async ({ label }, { change, sql }) => {
    const known = await findBookmark(await currentTree(sql), label);
    if (!known) {
      throw notFound`Invalid label '${label}': no such bookmark`.advise('Use list_bookmarks to see the labels.');
    }
    await touchBookmark(change, label);
    await dropBookmark(change, label);
    return { nodeIds: [known.nodeId], version: await change.version() };
  },
});

export const listBookmarks = defineTool({
  name: 'list_bookmarks',
  toolset: 'tree',
  summary: 'List the bookmarks: each label with the id of the node that it stands for.',
  effect: 'read',
  input: {},
  output: { bookmarks: z.array(z.object({ label: z.string(), nodeId: z.string() })), version },
  example: { input: {} },
  errors: [],
  run: async (_input, { sql }) => {
    const tree = await currentTree(sql);
    return { bookmarks: await bookmarksOf(tree), version: versionOf(tree) };
  },
});
