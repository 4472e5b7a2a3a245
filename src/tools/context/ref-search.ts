/** Search over the indexed documents: one query, several at once, or a document that others are like. */
import { z } from 'zod';
import { indexedId } from '../../context/collections.js';
import { countAllDocuments, documentIdOf } from '../../context/document-store.js';
import { noDocument } from '../../context/read-document.js';
import { adviceFor } from '../../search/advice.js';
import type { Mode } from '../../search/candidates.js';
import { relatedTo } from '../../search/related.js';
import { search } from '../../search/search.js';
import { searchSeveral } from '../../search/several.js';
import type { ToolCall } from '../call.js';
import { defineTool } from '../define.js';
import { collectionName, ORIGIN_NOTE, projectIfAny } from './place.js';
import { aliasesOf, documentsAsked, scopeShape } from './search-scope.js';
import { answerShape, bounded, DEFAULT_TOKENS, maxTokens, mode, resultShape, shown } from './search-shapes.js';

const shared = { toolset: 'context', effect: 'read' } as const;
const MOST_QUERIES = 20;
const limit = z.int().min(1).max(100).optional().describe('How many documents at the most. Default: 10.');
const explain = z.boolean().optional().describe('Also say by which ranks and scores each result came to its place.');

/** What is asked besides the query itself, with what counts where nothing is said. */
const common = { ...scopeShape, mode, limit, maxTokens, explain };

/** No text of a query is an error: what no document can have is left out of it. */
const searchable = (query: string): string => query.toWellFormed().replaceAll('\0', ' ');

export const refSearch = defineTool({
  ...shared,
  name: 'ref_search',
  summary: `Search the synced documentation and standards by words and by meaning. One result a document, at its best place. ${ORIGIN_NOTE}`,
  input: {
    query: z.string().describe('A question, or words: any may match. "Quotes" for a phrase, -word to leave out.'),
    ...common,
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
    const suggestions = found.length === 0 ? await adviceOn(call, query, mode, documents) : undefined;
    const aliases = await aliasesOf(call);
    const results = found.map((result) => shown(result, aliases, explain));
    return { ...bounded(results, maxTokens), ...(suggestions && { suggestions }) };
  },
});

async function adviceOn(
  { sql, vectors }: ToolCall,
  query: string,
  mode: Mode,
  scope: ReadonlySet<number> | undefined,
): Promise<string[]> {
  const [documents, coverage] = [await countAllDocuments(sql), await vectors.coverage(sql)];
  return adviceFor({ query, mode, scoped: scope !== undefined, documents, coverage });
}

export const refBatch = defineTool({
  ...shared,
  name: 'ref_batch',
  summary: `Search for several things at once: one answer, without repeats, and what more queries find comes first. ${ORIGIN_NOTE}`,
  judgesText: ['queries'],
  input: { queries: z.array(z.string()).min(1).max(MOST_QUERIES).describe('Each as for ref_search.'), ...common },
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
    const suggestions = results.length === 0 ? await adviceOn(call, queries.join(' '), mode, documents) : undefined;
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

export const refRelated = defineTool({
  ...shared,
  name: 'ref_related',
  summary: `Find documents that are like one document. ${ORIGIN_NOTE}`,
  input: {
    collection: collectionName.describe('Collection of the document that others are compared with.'),
    path: z.string().describe('Path of that document in its collection.'),
    ...common,
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
