import { z } from 'zod';
import { openPage, sealPage } from '../../library/tree/page.js';
import { checkSpan, listRevisions, listRevisionsOf, type RevisionEntry } from '../../library/tree/time/history.js';
import { versionOf } from '../../library/tree/tree.js';
import { formatVersion, parseVersion } from '../../library/tree/version.js';
import { defineTool } from '../define.js';
import { limit, nextPageToken, pageSizeOf, pageToken, version } from './shapes.js';

const MOST_IDS = 100;

const revision = z.object({
  version: z.string(),
  at: z.string().describe('When, as ISO 8601.'),
  agent: z.string(),
  tool: z.string(),
  kind: z.enum(['change', 'undo', 'redo']),
  nodeIds: z.array(z.string()).describe('The nodes that it touched, 100 at the most.'),
  nodeCount: z.number().describe('How many nodes it touched.'),
  forgotten: z.boolean().optional().describe('True where it is too old to tell which nodes it touched.'),
});

const shown = ({ revision, at, agent, tool, kind, nodeIds }: RevisionEntry) => ({
  version: formatVersion(revision),
  at: new Date(at).toISOString(),
  agent,
  tool,
  kind,
  nodeIds: (nodeIds ?? []).slice(0, MOST_IDS),
  nodeCount: nodeIds?.length ?? 0,
  ...(nodeIds === undefined && { forgotten: true }),
});

export const history = defineTool({
  name: 'history',
  toolset: 'tree-advanced',
  summary: 'Show the history of the library or of one node: who changed what, when and with which tool, newest first.',
  effect: 'read',
  input: {
    nodeId: z.string().optional().describe('Only changes of this node, its payload, tags and bookmarks.'),
    fromVersion: z.string().optional().describe('The oldest version to show.'),
    toVersion: z.string().optional().describe('The newest version to show.'),
    limit,
    pageToken,
  },
  output: { revisions: z.array(revision), version, nextPageToken },
  example: { input: { nodeId: 'style' } },
  errors: ['invalid_argument', 'not_found'],
  run: async ({ nodeId, fromVersion, toVersion, limit: asked, pageToken }, { sql, identity, limits }) => {
    const limit = pageSizeOf(asked, limits);
    const query = { tool: 'history', nodeId, fromVersion, toVersion };
    const listing = { agent: identity.agent, query };
    const { tree, position } = await openPage<number>(sql, listing, pageToken);
    const from = fromVersion === undefined ? 0 : parseVersion(fromVersion, 'fromVersion');
    const to = toVersion === undefined ? tree.revision : parseVersion(toVersion, 'toVersion');
    if (toVersion !== undefined) checkSpan(from, to);
    const span = { from, to: Math.min(to, tree.revision), before: position, limit: limit + 1 };
    const found = await (nodeId === undefined ? listRevisions(sql, span) : listRevisionsOf(sql, nodeId, span));
    const page = found.slice(0, limit);
    const last = page.at(-1)?.revision;
    const more = found.length > limit && { nextPageToken: await sealPage(tree, listing, last) };
    return { revisions: page.map(shown), version: versionOf(tree), ...more };
  },
});
