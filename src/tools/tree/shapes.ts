/** The arguments and answers that the tools of the tree share. */
import { z } from 'zod';
import { nameOf, type TreeNode } from '../../library/tree/nodes.js';
import { filterPayload, type PropertyFilter } from '../../library/tree/payload.js';

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

export const limit = z.int().min(1).max(200).optional().describe('How many at the most: 1 to 200. Default: 50.');
export const DEFAULT_LIMIT = 50;

export const atVersion = z.string().optional().describe('Read the tree as it was at this version.');

export const version = z.string().describe('The version that was read, or that holds after the change.');

export const payload = z.record(z.string(), z.unknown());

/** One step of a breadcrumb path. */
const pathStep = z.object({ nodeId: z.string(), name: z.string().optional(), depth: z.number() });
export const path = z.array(pathStep).describe('From the root down to the node.');

/** What every change of the tree answers. */
export const changed = {
  nodeIds: z.array(z.string()).describe('The nodes that the call touched.'),
  version,
};

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

/** A lineage, root first, as a breadcrumb path. */
export const breadcrumb = (lineage: readonly TreeNode[]) =>
  lineage.map((node, depth) => {
    const name = nameOf(node);
    return { nodeId: node.id, ...(name !== undefined && { name }), depth };
  });
