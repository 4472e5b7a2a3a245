import { z } from 'zod';
import { defineTool } from '../define.js';
import { folder, status, version } from './shapes.js';

export const listFolders = defineTool({
  name: 'list_folders',
  toolset: 'folders',
  port: 'folders',
  summary:
    'List folders of the library in tree order, with their ids, names, status and parents. Without arguments it lists all of them; narrow it by parent, depth and status.',
  effect: 'read',
  input: {
    status: status.optional().describe('Only folders with this status.'),
    parentId: z.string().nullish().describe('Only folders inside this one; null or left out for the whole library.'),
    includeChildren: z.boolean().optional().describe('Also folders inside folders, at any depth. Default: true.'),
  },
  output: { folders: z.array(folder), version },
  example: { input: { status: 'active', includeChildren: false } },
  errors: ['not_found'],
  run: ({ status, parentId, includeChildren }, { folders }) =>
    folders.list({ status, parentId: parentId ?? undefined, includeChildren: includeChildren ?? true }),
});
