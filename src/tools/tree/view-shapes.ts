/** The arguments and answers that the tools of views share. */
import { z } from 'zod';

export const rootNodeId = z.string().describe('Id of the node that the view begins with. The root is library.');

export const includeViewRoot = z
  .boolean()
  .optional()
  .describe('Wrap the tree with rootNodeId and what else it takes to restore it. Default: false.');

export const depthLimit = z
  .int()
  .min(0)
  .optional()
  .describe('Show nodes down to this depth: 0 is the root alone. Never more than 60; depthLimited says where it cut.');

export const pageSize = z.int().min(1).optional().describe('Nodes a page: up to 200 as it is set, 50 if left out.');

export const view = z
  .record(z.string(), z.unknown())
  .describe(
    'Nodes as { nodeId, payloadType, payload, isExpanded, childrenCount, children }, nested. children only where expanded. On later pages, a node of an earlier page is { continues: its id, children }. With includeViewRoot: { rootNodeId, includedProperties, excludedProperties, defaultExpanded, root }.',
  );

export const subtree = z
  .record(z.string(), z.unknown())
  .describe(
    'Nodes as { nodeId, payloadType, payload, childrenCount, children }, nested. On later pages, a node of an earlier page is { continues: its id, children }.',
  );
