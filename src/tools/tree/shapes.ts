/** The arguments and answers that the tools of the tree share. */
import { z } from 'zod';
import { invalidArgument } from '../../errors.js';
import type { TreeNode } from '../../library/tree/nodes.js';
import { filterPayload, type PropertyFilter } from '../../library/tree/payload.js';
import type { Limits } from '../call.js';

export const nodeId = z.string().describe('Id of the node. The root is library.');

export const includedProperties = z
  .array(z.string())
  .optional()
  .describe('Show only these properties: paths such as name or system.hp, and all under them.');

export const excludedProperties = z
  .array(z.string())
  .optional()
  .describe('Do not show these properties. They win over included ones.');

export const pageToken = z
  .string()
  .optional()
  .describe('nextPageToken of the page before. Leave it out for the first page.');
export const nextPageToken = z.string().optional().describe('There is more: pass it as pageToken.');

export const limit = z
  .int()
  .min(1)
  .optional()
  .describe('How many at the most: up to 200 as it is set, 50 if left out.');

/** How many items a page has. `argument` names it in the failure. */
export function pageSizeOf(asked: number | undefined, { pageSize, maxPageSize }: Limits, argument = 'limit'): number {
  if (asked === undefined) return pageSize;
  if (asked <= maxPageSize) return asked;
  throw invalidArgument`${argument}: '${asked}' is more than a page may have, ${maxPageSize}`.advise(
    'Ask for less, and read on with nextPageToken.',
  );
}

export const atVersion = z.string().optional().describe('Read the tree as it was at this version.');

export const version = z.string().describe('The version that was read, or that holds after the change.');

export const payload = z.record(z.string(), z.unknown());

/** What nodes are looked for by, in the tools that take groups of conditions. */
export const conditions = z.union([payload, z.array(payload)], {
  error: 'expected a condition, a group, or a list of conditions',
});

/** One step of a breadcrumb path. */
const pathStep = z.object({ nodeId: z.string(), name: z.string().optional(), depth: z.number() });
export const path = z.array(pathStep).describe('From the root down to the node.');

/** What every change of the tree answers. */
export const changed = {
  nodeIds: z.array(z.string()).describe('The nodes that the call touched.'),
  version,
};

/** Answers name no more nodes than this. */
const MOST_IDS = 1000;

/** What changes of many nodes answer: a bounded list, and how many there are in all. */
export const changedMany = { ...changed, nodeCount: z.number().describe('How many nodes were touched in all.') };

export const touched = (ids: readonly string[]) => ({ nodeIds: ids.slice(0, MOST_IDS), nodeCount: ids.length });

export const changedOne = { nodeId: z.string().describe('The node that was made.'), ...changed };

export const node = z.object({
  nodeId: z.string(),
  payloadType: z.string(),
  payload,
  childrenCount: z.number(),
});

/** A node as answers show it. */
export const shown = ({ id, type, payload, childCount }: TreeNode, filter: PropertyFilter) => ({
  nodeId: id,
  payloadType: type,
  payload: filterPayload(payload, filter),
  childrenCount: childCount,
});
