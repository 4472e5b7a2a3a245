import { z } from 'zod';
import { checkedUpdate, checkIdentifier } from '../../library/folders/rules.js';
import { defineTool } from '../define.js';
import { changedFolder, identifier, status } from './shapes.js';

export const editFolder = defineTool({
  name: 'edit_folder',
  toolset: 'folders',
  port: 'folders',
  summary: 'Rename a folder, or set its status to active or dropped. Folders inside it keep their own status.',
  effect: 'write',
  input: {
    ...identifier,
    newName: z.string().optional().describe('New name. White space at its ends is removed.'),
    newStatus: status.optional().describe('New status.'),
  },
  output: changedFolder,
  example: { input: { id: 'archive', newName: 'Old projects', newStatus: 'dropped' } },
  errors: ['invalid_argument', 'not_found', 'conflict'],
  run: async ({ id, name, newName, newStatus }, { folders }) => {
    checkIdentifier({ id, name });
    return folders.edit({ id, name }, checkedUpdate({ newName, newStatus }));
  },
});
