import { z } from 'zod';
import { type Failure, invalidArgument } from '../../errors.js';
import { parsePatch } from '../../library/tree/edit.js';
import { ROOT_ID } from '../../library/tree/node.js';
import { updateEach } from '../../library/tree/query/bulk.js';
import { parsePredicate } from '../../library/tree/query/predicate.js';
import { firstMatches } from '../../library/tree/query/search.js';
import { currentTree } from '../../library/tree/tree.js';
import { defineTool } from '../define.js';
import { changed, conditions, payload } from './shapes.js';

const refusal = z.object({ nodeId: z.string(), error: z.string(), error_type: z.string() });

export const updateNodes = defineTool({
  name: 'update_nodes',
  toolset: 'tree-advanced',
  summary:
    'Update the payload of every node that a filter matches, each on its own: what cannot be updated is listed in failed, and the others are updated all the same.',
  effect: 'write',
  versionRule: 'required',
  input: {
    filter: conditions.describe(
      'A condition { path, op, value }, a group { and: [...] } or { or: [...] }, or a list of conditions that must all hold. op is eq, contains, gt, lt or between.',
    ),
    patch: payload.describe('What to set: keys are paths such as name or system.hp.'),
  },
  output: {
    updated: z.array(z.string()).describe('The nodes that were updated.'),
    failed: z.array(refusal).describe('The nodes that match and were not updated, each with the reason.'),
    ...changed,
  },
  example: { input: { filter: { path: 'stars', op: 'lt', value: 5 }, patch: { stars: 5 } } },
  errors: ['invalid_argument', 'conflict'],
  run: async ({ filter, patch }, { change, limits: { maxBatch } }) => {
    const predicate = parsePredicate(filter, 'filter');
    const assignments = parsePatch(patch);
    const tree = await currentTree(change.sql);
    const matches = await firstMatches(tree, { rootId: ROOT_ID, predicate }, '', maxBatch + 1);
    if (matches.length > maxBatch) throw tooMany(maxBatch);
    const ids = matches.map(({ id }) => id);
    const { updated, failed } = await updateEach(change, ids, assignments);
    return { updated, failed, nodeIds: updated, version: await change.version() };
  },
});

const tooMany = (maxBatch: number): Failure =>
  invalidArgument`The filter matches more than ${maxBatch} nodes, and at most ${maxBatch} are allowed`
    .with({ maxBatch })
    .advise(`Narrow the filter, so that it matches at most ${maxBatch} nodes at once.`);
