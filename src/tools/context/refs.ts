/** The indexed documents: read, outline, list, drop. */
import { z } from 'zod';
import { scopeOf } from '../../catalog/scope.js';
import { dropCollection, listCollections } from '../../context/collection-store.js';
import { collectionId, indexedId } from '../../context/collections.js';
import { listDocuments, listDocumentsAmong } from '../../context/document-store.js';
import { outlineDocument, readDocument } from '../../context/read-document.js';
import { shownUrl } from '../../context/url.js';
import { notFound } from '../../errors.js';
import { documentsIn, type Scope } from '../../search/scope.js';
import type { Sql } from '../../storage/sql.js';
import { defineTool } from '../define.js';
import { ORIGIN_NOTE, origin } from './origin.js';
import { collectionName, projectIfAny } from './place.js';

const shared = { toolset: 'context', effect: 'read' } as const;
const path = z.string().describe('Path of the document in its collection.');

export const refCollections = defineTool({
  ...shared,
  name: 'ref_collections',
  summary: 'List the indexed collections of all projects: type, source, number of documents, and when each was synced.',
  input: {},
  output: {
    collections: z.array(
      z.object({
        id: z.string(),
        type: z.string(),
        source: z.string(),
        name: z.string().nullable(),
        version: z.string().nullable(),
        documents: z.number(),
        lastSyncAt: z.string().nullable(),
      }),
    ),
  },
  example: { input: {} },
  errors: [],
  run: async (_input, { sql }) => {
    const known = await listCollections(sql);
    const collections = known.map(({ id, type, path, glob, url, name, version, documents, lastSyncAt }) => {
      const source = type === 'file' ? `${path} (${glob})` : shownUrl(url ?? '');
      return { id, type, source, name, version, documents, lastSyncAt };
    });
    return { collections };
  },
});

export const refRead = defineTool({
  ...shared,
  name: 'ref_read',
  summary: `Read a synced document, or one section of it, within a budget of tokens. ${ORIGIN_NOTE}`,
  input: {
    collection: collectionName,
    path,
    section: z.string().optional().describe('A heading, or a path of headings such as Usage > Options.'),
    startLine: z.int().min(1).optional().describe('Read on from this line: nextLine of the part before.'),
    maxTokens: z.int().min(1).max(100_000).optional().describe('About how many tokens at the most. Default: 4000.'),
  },
  output: {
    ...origin,
    title: z.string(),
    text: z.string(),
    startLine: z.number(),
    endLine: z.number(),
    lines: z.number().describe('Lines of the whole document.'),
    nextLine: z.number().optional().describe('There is more: pass it as startLine.'),
    cut: z.boolean().optional().describe('A single line was longer than the budget.'),
  },
  example: { input: { collection: 'docs', path: 'guide.md', section: 'Names' } },
  errors: ['not_found', 'invalid_argument'],
  run: async ({ collection: name, path, section, startLine, maxTokens = 4000 }, call) => {
    const collection = await indexedId(call.sql, await projectIfAny(call), name);
    const {
      hash,
      bytes: _,
      indexedAt: __,
      ...text
    } = await readDocument(call.sql, { collection, path, section, startLine, maxTokens });
    return { ...text, documentHash: hash };
  },
});

export const refOutline = defineTool({
  ...shared,
  name: 'ref_outline',
  summary: 'Show the headings of a synced document, with their lines: what ref_read can read as a section.',
  input: { collection: collectionName, path },
  output: {
    ...origin,
    title: z.string(),
    headings: z.array(z.object({ level: z.number(), text: z.string(), startLine: z.number(), endLine: z.number() })),
  },
  example: { input: { collection: 'docs', path: 'guide.md' } },
  errors: ['not_found', 'invalid_argument'],
  run: async ({ collection: name, path }, call) => {
    const id = await indexedId(call.sql, await projectIfAny(call), name);
    const { collection, title, headings, hash } = await outlineDocument(call.sql, id, path);
    return { collection, path, documentHash: hash, title, headings };
  },
});

export const refList = defineTool({
  ...shared,
  name: 'ref_list',
  summary: 'List the documents of a collection, group or category, in the order of their paths, page by page.',
  input: {
    collection: z.string().describe('A name in the project, several with commas, or the id of a collection.'),
    after: z.string().optional().describe('Go on behind this path: nextAfter of the page before.'),
    limit: z.int().min(1).max(1000).optional().describe('How many at the most. Default: 100.'),
  },
  output: {
    documents: z.array(
      z.object({
        collection: z.string(),
        path: z.string(),
        title: z.string(),
        description: z.string().optional().describe('From its front matter.'),
        tags: z.array(z.string()).optional(),
        bytes: z.number(),
        hash: z.string(),
        indexedAt: z.string(),
      }),
    ),
    nextAfter: z.string().optional(),
  },
  example: { input: { collection: 'docs' } },
  errors: ['not_found', 'invalid_argument'],
  run: async ({ collection: name, after, limit = 100 }, call) => {
    const scope = await scopeOf(call.sql, await projectIfAny(call), [name]);
    const { documents, more } = await listScope(call.sql, scope, { after, limit });
    const last = documents.at(-1);
    return { documents, ...(last && more && { nextAfter: last.path }) };
  },
});

type Page = { after?: string | undefined; limit: number };

async function listScope(sql: Sql, scope: Scope, page: Page) {
  const [only, ...others] = scope;
  const isWhole = only && !only.patterns && !only.narrowed && others.length === 0;
  if (!isWhole) return listDocumentsAmong(sql, await documentsIn(sql, scope), page);
  // One more than asked for tells whether there is a next page.
  const listed = await listDocuments(sql, only.collection, { ...page, limit: page.limit + 1 });
  return { documents: listed.slice(0, page.limit), more: listed.length > page.limit };
}

export const refDrop = defineTool({
  name: 'ref_drop',
  toolset: 'context',
  summary: 'Drop a collection from the index, for all projects. The project file keeps it; a sync brings it back.',
  effect: 'destroy',
  input: { collection: collectionName },
  output: { collection: z.string() },
  example: { input: { collection: 'docs' } },
  errors: ['not_found', 'invalid_argument'],
  run: async ({ collection: name }, call) => {
    const id = await collectionId(await projectIfAny(call), name);
    if (!(await dropCollection(call.sql, id))) {
      throw notFound`Collection '${name}' is not indexed`.advise('Use ref_collections to see which are.');
    }
    return { collection: id };
  },
});
