import { z } from 'zod';
import { importMerge as merge } from '../../library/tree/view/merge.js';
import { defineTool } from '../define.js';
import { changed } from './shapes.js';

const ids = z.array(z.string());

export const importMerge = defineTool({
  name: 'import_merge',
  toolset: 'tree-advanced',
  summary:
    'Merge a subtree that export_subtree gave into the library: its root into the node that it matches, or else below the library.',
  effect: 'destroy',
  versionRule: 'required',
  input: {
    json: z
      .union([z.record(z.string(), z.unknown()), z.string()])
      .describe('The subtree, wrapped or bare: an object, or its JSON as text. path may say where its root stands.'),
    strategy: z
      .enum(['upsert', 'replace', 'skip'])
      .describe(
        'upsert changes matches and adds what is missing; replace also removes what the JSON does not have, nodes and properties; skip only adds.',
      ),
    matchBy: z
      .enum(['nodeId', 'path'])
      .describe('nodeId: the same node. path: siblings of the same name and type, from the root down.'),
  },
  output: {
    created: ids.describe('Nodes that were made.'),
    updated: ids.describe('Matches that were changed or moved.'),
    removed: ids.describe('Nodes that were removed.'),
    skipped: ids.describe('Matches that stayed as they were.'),
    ...changed,
  },
  example: {
    input: {
      json: {
        nodeId: 'guides',
        payloadType: 'folder',
        payload: { name: 'Guides' },
        children: [{ payloadType: 'note', payload: { name: 'Tone', stars: 4 }, children: [] }],
      },
      strategy: 'upsert',
      matchBy: 'nodeId',
    },
  },
  errors: ['invalid_argument', 'forbidden', 'conflict'],
  run: async ({ json, strategy, matchBy }, { change, limits }) => {
    const outcome = await merge(change, { json, strategy, matchBy, mostNesting: limits.maxDepth });
    const { created, updated, removed } = outcome;
    return { ...outcome, nodeIds: [...created, ...updated, ...removed], version: await change.version() };
  },
});
