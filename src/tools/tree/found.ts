/** How the tools that look for nodes answer: nodes with payload and breadcrumb path, in pages. */
import { z } from 'zod';
import { filtersOf } from '../../library/tree/filters.js';
import { openPage, sealPage } from '../../library/tree/page.js';
import { foundNodes } from '../../library/tree/query/found.js';
import { type Tree, versionOf } from '../../library/tree/tree.js';
import type { ToolCall } from '../call.js';
import { breadcrumb, nextPageToken, node, path, shown, version } from './shapes.js';

/** The output of every tool that looks for nodes. */
export const foundPage = { nodes: z.array(node.extend({ path })), version, nextPageToken };

/** The tree that a page of a query reads, and the id of the last node of the page before ('' for the first page). */
export async function openFound({ sql, identity }: ToolCall, query: object, pageToken: string | undefined) {
  const { tree, position = '' } = await openPage<string>(sql, { agent: identity.agent, query }, pageToken);
  return { tree, after: position };
}

/** A page of the nodes that were found. `ids` are the rest of them, or one more than the page holds. */
export async function showFound(call: ToolCall, tree: Tree, query: object, ids: readonly string[], limit: number) {
  const { sql, identity } = call;
  const page = ids.slice(0, limit);
  const filters = await filtersOf(sql, identity.agent);
  const nodes = (await foundNodes(tree, page)).map(({ node, line }) => {
    const lineage = line.map(({ id }) => id);
    return { ...shown(node, filters.forNode(lineage, {})), path: breadcrumb(line) };
  });
  const isLast = ids.length <= limit;
  const token = isLast ? undefined : await sealPage(tree, { agent: identity.agent, query }, page.at(-1));
  return { nodes, version: versionOf(tree), ...(token !== undefined && { nextPageToken: token }) };
}
