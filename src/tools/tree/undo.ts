/** Undo and redo of one's own changes. */
import { z } from 'zod';
import { type Reverted, redoLast, undoLast } from '../../library/tree/time/undo.js';
import { formatVersion } from '../../library/tree/version.js';
import { defineTool } from '../define.js';
import { changedMany, touched } from './shapes.js';

const output = {
  reverted: z
    .object({ version: z.string(), tool: z.string() })
    .describe('The change that was taken back: its version, and the tool that had made it.'),
  ...changedMany,
};

const answer = ({ revision, tool, nodeIds, version }: Reverted) => ({
  reverted: { version: formatVersion(revision), tool },
  ...touched(nodeIds),
  version,
});

export const undo = defineTool({
  name: 'undo',
  toolset: 'tree',
  summary:
    'Undo your own last change of the library. Call it again to undo the one before. Refused with conflict where someone has changed the same things since.',
  effect: 'write',
  versionRule: 'required',
  input: {},
  output,
  example: { input: {} },
  errors: ['invalid_argument', 'conflict', 'forbidden'],
  run: async (_, { change }) => answer(await undoLast(change)),
});

export const redo = defineTool({
  name: 'redo',
  toolset: 'tree',
  summary: 'Redo what you last undid, unless you have made another change since.',
  effect: 'write',
  versionRule: 'required',
  input: {},
  output,
  example: { input: {}, after: ['undo'] },
  errors: ['invalid_argument', 'conflict', 'forbidden'],
  run: async (_, { change }) => answer(await redoLast(change)),
});
