import { checkIdentifier, checkPosition } from '../../library/folders/rules.js';
import { defineTool } from '../define.js';
import { changedFolder, identifier, position } from './shapes.js';

export const moveFolder = defineTool({
  name: 'move_folder',
  toolset: 'folders',
  port: 'folders',
  summary: 'Move a folder, with everything in it, to another parent or another place among its siblings.',
  effect: 'write',
  input: { ...identifier, position },
  output: changedFolder,
  example: { input: { id: 'archive', position: { placement: 'before', relativeTo: 'projects' } } },
  errors: ['invalid_argument', 'not_found', 'conflict'],
  run: async ({ id, name, position }, { folders }) => {
    checkIdentifier({ id, name });
    checkPosition(position);
    return folders.move({ id, name }, position);
  },
});
