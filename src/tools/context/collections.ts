/** Syncing the collections of a project. */
import { z } from 'zod';
import { sourcesOf } from '../../catalog/draws.js';
import { declaredCollections, sourceNames } from '../../context/collections.js';
import { openSource } from '../../context/open-source.js';
import { syncAll } from '../../context/sync-all.js';
import { asFailure } from '../../errors.js';
import { sweepVectors } from '../../search/vectors/sweep.js';
import type { ToolCall } from '../call.js';
import { defineTool } from '../define.js';
import { shownResult, syncResult } from './collection-shapes.js';
import { checkBasis, limits, projectOf, withHttp } from './place.js';

export const collectionSync = defineTool({
  name: 'collection_sync',
  toolset: 'context',
  summary:
    'Sync collections: bring the index to what their sources declare. A group or category syncs what it draws from; without a name, all of the project is synced.',
  effect: 'write',
  outside: true,
  input: {
    name: z.string().optional().describe('Name of a collection, group or category in the project.'),
    force: z.boolean().optional().describe('Read and index everything again, whatever is known.'),
    wait: z.boolean().optional().describe('Return only when every text can be found by meaning, too.'),
  },
  output: {
    results: z.array(syncResult),
    failed: z.number().describe('How many collections failed.'),
    embedded: z.number().optional().describe('With wait: how many texts got a vector.'),
    refused: z.number().optional().describe('With wait: how many texts the embedder refused.'),
    fault: z.string().optional().describe('With wait: why texts are still without a vector. The sync itself is done.'),
  },
  example: { input: { name: 'docs' } },
  errors: ['not_found', 'invalid_argument', 'conflict', 'internal'],
  run: async ({ name, force = false, wait = false }, call) => {
    const project = await projectOf(call);
    checkBasis(call, project);
    const names = name === undefined ? sourceNames(project) : sourcesOf(project.config, name);
    const chosen = await declaredCollections(project, names);
    const { database, dryRun, signal, onProgress } = call;
    const results = await withHttp(call, (http) =>
      syncAll({
        database,
        dryRun,
        signal,
        force,
        collections: chosen.map((one) => {
          if ('fault' in one) return one;
          const { alias, id, spec } = one;
          return { alias, id, spec, openSource: () => openSource(spec, { limits, http }) };
        }),
        onProgress: ({ step, done, total, path, kind }, { alias }) => {
          const line = path === undefined ? step : `${kind}: ${path}`;
          onProgress({ done, ...(total > 0 && { total }), message: `${alias}: ${line}` });
        },
      }),
    );
    const failures = results.flatMap(({ error }) => error ?? []);
    const answer = { results: results.map((result) => shownResult(project.config, result)), failed: failures.length };
    // Where nothing was synced, the call has failed, for the first reason that there is.
    if (failures[0] && failures.length === results.length) throw failures[0].with(answer);
    return dryRun ? answer : { ...answer, ...(await embedSynced(call, wait)) };
  },
});

/** Vectors of texts that are gone are dropped at once; new ones are made now, or later by a server. */
async function embedSynced({ database, embedding, signal, onProgress }: ToolCall, wait: boolean) {
  if (!wait) {
    await sweepVectors(database);
    return {};
  }
  try {
    return await embedding.complete({
      signal,
      onProgress: (progress) => onProgress({ ...progress, message: 'embedding' }),
    });
  } catch (thrown) {
    signal.throwIfAborted();
    return { fault: asFailure(thrown).message };
  }
}
