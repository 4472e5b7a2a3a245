import { z } from 'zod';
import type { Position } from '../../library/folders/folder.js';
import { checkedName, checkPosition, nameRequired } from '../../library/folders/rules.js';
import { defineTool } from '../define.js';
import { changedFolder, position } from './shapes.js';

const lastInLibrary: Position = { placement: 'ending' };

export const addFolder = defineTool({
  name: 'add_folder',
  toolset: 'folders',
  port: 'folders',
  summary: 'Create a folder in the library. It goes to the end of the library unless a position is given.',
  effect: 'write',
  input: {
    name: z
      .string({ error: (issue) => (issue.input === undefined ? nameRequired : undefined) })
      .describe('Name of the folder. White space at its ends is removed.'),
    position: position.optional(),
  },
  output: changedFolder,
  example: { input: { name: 'Reading list', position: { placement: 'beginning', relativeTo: 'projects' } } },
  errors: ['invalid_argument', 'not_found', 'conflict'],
  run: async ({ name, position = lastInLibrary }, { folders }) => {
    const trimmed = checkedName(name);
    checkPosition(position);
    return folders.add(trimmed, position);
  },
});
