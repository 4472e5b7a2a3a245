/** The text of what a name stands for. */
import { z } from 'zod';
import { candidatesIn, contentOf, detailsOf } from '../../catalog/content.js';
import { namedScopeOf } from '../../catalog/scope.js';
import { parseRawId } from '../../context/identity.js';
import { notFound } from '../../errors.js';
import { shown } from '../../project/shown.js';
import { ORIGIN_NOTE, origin } from '../context/origin.js';
import { projectIfAny } from '../context/place.js';
import { defineTool } from '../define.js';
import { countOf, sessionProject } from './place.js';

/** Lists of what was left out name no more than this. */
const MOST_LISTED = 100;

const document = z.object({
  alias: z.string().describe('Name of its collection in the project, or the id.'),
  ...origin,
  title: z.string(),
});

const missing = z.object({ collection: z.string(), path: z.string(), bytes: z.number() });

export const getContent = defineTool({
  name: 'get_content',
  toolset: 'catalog',
  summary: `Get the documents of a category, group or collection as one Markdown text, within a budget of tokens. ${ORIGIN_NOTE}`,
  effect: 'read',
  input: {
    name: z.string().describe('A name, or several, each with a pattern if you like: guides,react/hooks/use-*'),
    pattern: z.string().optional().describe('Only paths that match this glob. Without an extension it matches any.'),
    maxTokens: z.int().min(100).max(100_000).optional().describe('About how many tokens at the most. Default: 8000.'),
  },
  output: {
    content: z.string().describe('Markdown, each document below its source.'),
    tokens: z.number(),
    documents: z
      .array(
        document.extend({ nextLine: z.number().optional().describe('It is cut: pass this to ref_read as startLine.') }),
      )
      .describe('What is in the content, in its order.'),
    leftOut: z.array(missing).describe(`What did not fit, at most ${MOST_LISTED}: use ref_read.`),
    leftOutCount: z.number(),
    notSynced: z.array(z.string()).optional().describe('Collections that were never synced.'),
    message: z.string().optional(),
  },
  example: { input: { name: 'house' } },
  errors: ['not_found', 'no_session'],
  run: async ({ name, pattern, maxTokens = 8000 }, call) => {
    // An id needs no project, and is all that works without one.
    const project = parseRawId(name) ? await projectIfAny(call) : await sessionProject(call);
    const { parts, notSynced } = await namedScopeOf(call.sql, project, [name], pattern);
    const candidates = await candidatesIn(call.sql, parts);
    if (candidates.length === 0) throw nothingThere(name, pattern);
    const { text, taken, left, tokens } = await contentOf(call.sql, candidates, maxTokens);
    const leftOut = [];
    for (const one of left.slice(0, MOST_LISTED)) leftOut.push(await detailsOf(call.sql, one));
    return {
      content: text,
      tokens,
      documents: taken,
      leftOut,
      leftOutCount: left.length,
      ...(notSynced.length > 0 && { notSynced: [...notSynced] }),
      ...adviceOn({ isCut: taken.some(({ nextLine }) => nextLine !== undefined), left: left.length, notSynced }),
    };
  },
});

const nothingThere = (name: string, pattern: string | undefined) =>
  pattern === undefined
    ? notFound`'${shown(name)}' has no documents`.advise(
        'Look at its patterns with category_list, and at what is indexed with ref_list.',
      )
    : notFound`'${shown(name)}' has no documents that match '${shown(pattern)}'`.advise(
        'Patterns are matched against whole paths, such as hooks/use-*: use ref_list to see the paths.',
      );

type Missing = { isCut: boolean; left: number; notSynced: readonly string[] };

function adviceOn({ isCut, left, notSynced }: Missing): { message?: string } {
  const lines = [
    ...(isCut ? ['The last document is cut: read on with ref_read from its nextLine.'] : []),
    ...(left > 0
      ? [`Left out: ${countOf(left, 'document', 'documents')}. Raise maxTokens, narrow by pattern, or use ref_read.`]
      : []),
    ...(notSynced.length > 0 ? [`Not synced yet: ${notSynced.join(', ')}. Use collection_sync.`] : []),
  ];
  return lines.length > 0 ? { message: lines.join(' ') } : {};
}
