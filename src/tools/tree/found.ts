/** How the tools that look for nodes answer: nodes with payload and breadcrumb path, in pages. */
import { z } from 'zod';
import { openPage, sealPage } from '../../library/tree/page.js';
import { foundNodes, MOST_STEPS } from '../../library/tree/query/found.js';
import { type Tree, versionOf } from '../../library/tree/tree.js';
import { scopesOf } from '../../library/tree/view/scopes.js';
import type { ToolCall } from '../call.js';
import { nextPageToken, node, path, shown, version } from './shapes.js';

/** The output of every tool that looks for nodes. */
const pathCut = z
  .literal(true)
  .optional()
  .describe(`The path has only the last ${MOST_STEPS} steps: get_path gives all of them.`);
export const foundPage = { nodes: z.array(node.extend({ path, pathCut })), version, nextPageToken };

/** The tree that a page of a query reads, and the id of the last node of the page before ('' for the first page). */
export async function openFound({ sql, identity }: ToolCall, query: object, pageToken: string | undefined) {
  const { tree, position = '' } = await openPage<string>(sql, { agent: identity.agent, query }, pageToken);
  return { tree, after: position };
}

/** A page of the nodes that were found. `ids` are the rest of them, or one more than the page holds. */
export async function showFound(call: ToolCall, tree: Tree, query: object, ids: readonly string[], limit: number) {
  const { identity } = call;
  const page = ids.slice(0, limit);
  const scopes = await scopesOf(tree, identity.agent);
  const nodes: z.output<(typeof foundPage)['nodes']> = [];
  for (const { node, path, cut } of await foundNodes(tree, page)) {
    const filter = scopes.filter(await scopes.around(node.id));
    nodes.push({ ...shown(node, filter), path, ...(cut && { pathCut: true as const }) });
  }
  const isLast = ids.length <= limit;
  const token = isLast ? undefined : await sealPage(tree, { agent: identity.agent, query }, page.at(-1));
  return { nodes, version: versionOf(tree), ...(token !== undefined && { nextPageToken: token }) };
}
