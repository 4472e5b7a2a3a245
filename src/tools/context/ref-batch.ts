/** Several searches with one answer. */
import { z } from 'zod';
import { searchSeveral } from '../../search/several.js';
import { defineTool } from '../define.js';
import { ORIGIN_NOTE } from './origin.js';
import { searchable, suggestionsFor } from './search-query.js';
import { aliasesOf, documentsAsked } from './search-scope.js';
import { answerShape, bounded, DEFAULT_TOKENS, resultShape, searchInput, shown } from './search-shapes.js';

const MOST_QUERIES = 20;

export const refBatch = defineTool({
  toolset: 'context',
  effect: 'read',
  name: 'ref_batch',
  summary: `Search for several things at once: one answer, without repeats, and what more queries find comes first. ${ORIGIN_NOTE}`,
  judgesText: ['queries'],
  input: { queries: z.array(z.string()).min(1).max(MOST_QUERIES).describe('Each as for ref_search.'), ...searchInput },
  output: {
    results: z.array(z.object({ ...resultShape, queries: z.array(z.string()).describe('Those that found it.') })),
    found: z.array(z.object({ query: z.string(), documents: z.number() })).describe('How many each query found.'),
    ...answerShape,
  },
  batch: ({ queries }) => queries.length,
  example: { input: { queries: ['folder names', 'how folders are used'] } },
  errors: ['not_found', 'invalid_argument'],
  run: async (
    { queries: asked, mode = 'hybrid', limit = 10, maxTokens = DEFAULT_TOKENS, explain = false, ...scope },
    call,
  ) => {
    const queries = [...new Set(asked.map(searchable))];
    const documents = await documentsAsked(call, scope);
    const { results, found } = await searchSeveral(call.sql, call.vectors, { queries, documents, mode, limit });
    const suggestions = await suggestionsFor(call, { query: queries.join(' '), mode, documents }, results);
    const aliases = await aliasesOf(call);
    const answers = results.map((result) => ({
      ...shown(result, aliases, explain),
      queries: result.queries.map((at) => queries[at] as string),
    }));
    return {
      ...bounded(answers, maxTokens),
      found: queries.map((query, at) => ({ query, documents: found[at] ?? 0 })),
      ...(suggestions && { suggestions }),
    };
  },
});
