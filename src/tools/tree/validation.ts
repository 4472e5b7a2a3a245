/** The two tools of validation: the tree, or one node, against a ruleset. */
import { setImmediate } from 'node:timers/promises';
import { z } from 'zod';
import { ROOT_ID } from '../../library/tree/node.js';
import { noNode } from '../../library/tree/nodes.js';
import { findNode } from '../../library/tree/read.js';
import { runRuleset } from '../../library/tree/rules/lint.js';
import type { Scope } from '../../library/tree/rules/violation.js';
import { currentTree, versionOf } from '../../library/tree/tree.js';
import { findRuleset } from '../../project/rulesets.js';
import type { ToolCall } from '../call.js';
import { defineTool } from '../define.js';
import { nodeId, version } from './shapes.js';

const rulesetId = z
  .string()
  .describe('structure, schema, or the id of a ruleset that the project file declares under rulesets.');

const violations = z.array(
  z.object({
    nodeId: z.string(),
    path: z.string().describe('The property at fault. Empty: the node or its payload as a whole.'),
    message: z.string(),
  }),
);

const truncated = z.literal(true).optional().describe('There are more violations than the 1000 that are listed.');

/** The node must be there, but not in order: its payload may be what is damaged. */
async function requireStored({ sql }: ToolCall, id: string, argument: string): Promise<void> {
  if (!(await findNode(sql, id))) throw noNode(argument, id);
}

/** Runs a ruleset, and lets other calls go on in between. */
async function check({ sql, project, setting, signal, onProgress }: ToolCall, rulesetId: string, scope: Scope) {
  const ruleset = await findRuleset(rulesetId, { folder: project, fileName: setting('project.configFile') });
  const pause = async (done: number) => {
    onProgress({ done });
    await setImmediate();
    signal.throwIfAborted();
  };
  const { violations, truncated } = await runRuleset({ sql, scope, pause }, ruleset);
  const version = versionOf(await currentTree(sql));
  return { violations, ...(truncated && { truncated: true as const }), version };
}

export const validateTree = defineTool({
  name: 'validate_tree',
  toolset: 'tree-advanced',
  summary:
    "Validate the tree, or a subtree, with a ruleset and list every violation. Ruleset structure checks the tree itself, schema every payload against its type, and a project's own rulesets what they declare.",
  effect: 'read',
  input: {
    rulesetId,
    rootNodeId: z.string().optional().describe('Look at this node and all below it only. Default: the whole tree.'),
  },
  output: { violations, truncated, version },
  example: { input: { rulesetId: 'structure' } },
  errors: ['invalid_argument', 'not_found'],
  run: async ({ rulesetId, rootNodeId }, call) => {
    // The whole tree has more in it than what is below the root: what a damage has cut off, for one.
    if (rootNodeId === undefined || rootNodeId === ROOT_ID) return check(call, rulesetId, { of: 'all' });
    await requireStored(call, rootNodeId, 'rootNodeId');
    return check(call, rulesetId, { of: 'subtree', id: rootNodeId });
  },
});

export const lintPayload = defineTool({
  name: 'lint_payload',
  toolset: 'tree-advanced',
  summary: 'Lint the payload of one node with a ruleset: every issue with its path and a message.',
  effect: 'read',
  input: { nodeId, rulesetId },
  output: { violations, truncated, version },
  example: { input: { nodeId: 'style', rulesetId: 'schema' } },
  errors: ['invalid_argument', 'not_found'],
  run: async ({ nodeId, rulesetId }, call) => {
    await requireStored(call, nodeId, 'nodeId');
    return check(call, rulesetId, { of: 'node', id: nodeId });
  },
});
