import { z } from 'zod';
import { importView as restore } from '../../library/tree/view/import.js';
import { defineTool } from '../define.js';
import { changed } from './shapes.js';

export const importView = defineTool({
  name: 'import_view',
  toolset: 'tree',
  summary:
    'Import a view that export_view or export_subtree gave: makes the nodes that are missing, sets the payloads of the others, and restores expansion, filters and default. Removes nothing.',
  effect: 'write',
  versionRule: 'required',
  input: {
    viewJson: z
      .union([z.record(z.string(), z.unknown()), z.string()])
      .describe('The view, wrapped or bare: an object, or its JSON as text. It may carry path for byPath.'),
    payloadTypes: z
      .record(z.string(), z.string())
      .describe('Which types the names of types in the view stand for. Names that are not in it stand for themselves.'),
    rootLookupStrategy: z
      .enum(['byId', 'byPath', 'create'])
      .describe(
        'How the root is found: byId by its nodeId; byPath by the names in path, or by its name alone where only one node has it; create adds it below the library, with new ids where they are taken.',
      ),
  },
  output: {
    rootNodeId: z.string().describe('The root that the view was imported to.'),
    created: z.array(z.string()).describe('Nodes that were made.'),
    updated: z.array(z.string()).describe('Nodes that were changed or moved.'),
    ...changed,
  },
  example: {
    input: {
      viewJson: {
        nodeId: 'projects',
        payloadType: 'folder',
        payload: { name: 'Projects' },
        isExpanded: true,
        children: [{ nodeId: 'plans', payloadType: 'folder', payload: { name: 'Plans' }, isExpanded: false }],
      },
      payloadTypes: {},
      rootLookupStrategy: 'byId',
    },
  },
  errors: ['invalid_argument', 'not_found', 'forbidden', 'conflict'],
  run: async ({ viewJson, payloadTypes, rootLookupStrategy: lookup }, { change, limits }) => {
    const request = { json: viewJson, payloadTypes, lookup, mostNesting: limits.maxDepth };
    const { rootId, created, updated } = await restore(change, request);
    const nodeIds = [...created, ...updated];
    return { rootNodeId: rootId, created, updated, nodeIds, version: await change.version() };
  },
});
