/** Search over the indexed documents. */
import { z } from 'zod';
import { search } from '../../search/search.js';
import { defineTool } from '../define.js';
import { ORIGIN_NOTE } from './origin.js';
import { searchable, suggestionsFor } from './search-query.js';
import { aliasesOf, documentsAsked } from './search-scope.js';
import { answerShape, bounded, DEFAULT_TOKENS, resultShape, searchInput, shown } from './search-shapes.js';

export const refSearch = defineTool({
  toolset: 'context',
  effect: 'read',
  name: 'ref_search',
  summary: `Search the synced documentation and standards by words and by meaning. One result a document, at its best place. ${ORIGIN_NOTE}`,
  input: {
    query: z.string().describe('A question, or words: any may match. "Quotes" for a phrase, -word to leave out.'),
    ...searchInput,
  },
  judgesText: ['query'],
  output: { results: z.array(z.object(resultShape)), ...answerShape },
  example: { input: { query: 'folder names' } },
  errors: ['not_found', 'invalid_argument'],
  run: async (
    { query: asked, mode = 'hybrid', limit = 10, maxTokens = DEFAULT_TOKENS, explain = false, ...scope },
    call,
  ) => {
    const query = searchable(asked);
    const documents = await documentsAsked(call, scope);
    const found = await search(call.sql, call.vectors, { query, documents, mode, limit });
    const suggestions = await suggestionsFor(call, { query, mode, documents }, found);
    const aliases = await aliasesOf(call);
    const results = found.map((result) => shown(result, aliases, explain));
    return { ...bounded(results, maxTokens), ...(suggestions && { suggestions }) };
  },
});
