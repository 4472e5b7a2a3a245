/** Documents that are like one document. */
import { z } from 'zod';
import { indexedId } from '../../context/collections.js';
import { documentIdOf } from '../../context/document-store.js';
import { noDocument } from '../../context/read-document.js';
import { relatedTo } from '../../search/related.js';
import { defineTool } from '../define.js';
import { ORIGIN_NOTE } from './origin.js';
import { collectionName, projectIfAny } from './place.js';
import { aliasesOf, documentsAsked } from './search-scope.js';
import { answerShape, bounded, DEFAULT_TOKENS, resultShape, searchInput, shown } from './search-shapes.js';

export const refRelated = defineTool({
  toolset: 'context',
  effect: 'read',
  name: 'ref_related',
  summary: `Find documents that are like one document. ${ORIGIN_NOTE}`,
  input: {
    collection: collectionName.describe('Collection of the document that others are compared with.'),
    path: z.string().describe('Path of that document in its collection.'),
    ...searchInput,
  },
  output: { results: z.array(z.object(resultShape)), ...answerShape },
  example: { input: { collection: 'docs', path: 'guide.md' } },
  errors: ['not_found', 'invalid_argument'],
  run: async (
    { collection, path, mode = 'hybrid', limit = 10, maxTokens = DEFAULT_TOKENS, explain = false, ...scope },
    call,
  ) => {
    const id = await indexedId(call.sql, await projectIfAny(call), collection);
    const document = await documentIdOf(call.sql, id, path);
    if (document === undefined) throw noDocument(path);
    const documents = await documentsAsked(call, scope);
    const found = await relatedTo(call.sql, call.vectors, { document, documents, mode, limit });
    const aliases = await aliasesOf(call);
    return bounded(
      found.map((result) => shown(result, aliases, explain)),
      maxTokens,
    );
  },
});
