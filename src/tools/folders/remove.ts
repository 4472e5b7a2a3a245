import { checkIdentifier } from '../../library/folders/rules.js';
import { defineTool } from '../define.js';
import { changedFolder, identifier } from './shapes.js';

export const removeFolder = defineTool({
  name: 'remove_folder',
  toolset: 'folders',
  port: 'folders',
  summary: 'Delete a folder with everything in it. Answers the id and name that it had.',
  effect: 'destroy',
  input: identifier,
  output: changedFolder,
  example: { input: { id: 'archive' } },
  errors: ['invalid_argument', 'not_found', 'conflict'],
  run: async (which, { folders }) => {
    checkIdentifier(which);
    return folders.remove(which);
  },
});
