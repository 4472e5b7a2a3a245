import { z } from 'zod';
import { parsePatch, setProperties } from '../../library/tree/edit.js';
import { parsePath } from '../../library/tree/payload.js';
import { defineTool } from '../define.js';
import { changed, nodeId, payload } from './shapes.js';

const errors = ['invalid_argument', 'not_found', 'forbidden', 'conflict'] as const;

export const updatePayloadProperty = defineTool({
  name: 'update_payload_property',
  toolset: 'tree',
  summary: 'Set one property of a node by its path. The path has dots, such as system.hp; objects on the way are made.',
  effect: 'write',
  versionRule: 'required',
  input: {
    nodeId,
    propertyName: z.string().describe('Path of the property. A backslash before a dot makes it part of a key.'),
    newValue: z.unknown().describe('The new value: any JSON.'),
  },
  output: changed,
  example: { input: { nodeId: 'style', propertyName: 'stars', newValue: 5 } },
  errors,
  run: async ({ nodeId, propertyName, newValue }, { change }) => {
    const assignment = { path: parsePath(propertyName, 'propertyName'), value: newValue ?? null };
    await setProperties(change, nodeId, [assignment], 'propertyName');
    return { nodeIds: [nodeId], version: await change.version() };
  },
});

export const updatePayload = defineTool({
  name: 'update_payload',
  toolset: 'tree',
  summary: 'Set several properties of a node at once. Nothing is set unless all of them can be.',
  effect: 'write',
  versionRule: 'required',
  input: { nodeId, patch: payload.describe('The new values by the paths of their properties.') },
  output: changed,
  example: { input: { nodeId: 'style', patch: { stars: 4, 'author.name': 'Ada' } } },
  errors,
  run: async ({ nodeId, patch }, { change }) => {
    await setProperties(change, nodeId, parsePatch(patch));
    return { nodeIds: [nodeId], version: await change.version() };
  },
});
