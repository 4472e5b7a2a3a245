import { z } from 'zod';
import { parsePredicate } from '../../library/tree/query/predicate.js';
import { defineTool } from '../define.js';
import { conditions, limit, nextPageToken, pageSizeOf, pageToken } from '../tree/shapes.js';
import { checkPaths, data, folderId, paths, picked, version } from './shapes.js';

export const listDocuments = defineTool({
  name: 'list_documents',
  toolset: 'documents',
  port: 'documents',
  summary: 'List structured documents page by page: of a type, in a folder, or those that a filter matches.',
  effect: 'read',
  input: {
    documentType: z.string().optional().describe('Only documents of this type.'),
    folderId: z.string().nullish().describe('Only documents in this folder; null or left out for all.'),
    includeChildren: z.boolean().optional().describe('Also those in folders inside the folder. Default: true.'),
    filter: conditions
      .optional()
      .describe(
        'A condition { path, op, value }, a group { and: [...] } or { or: [...] }, or a list of conditions that must all hold. op is eq, contains, gt, lt or between.',
      ),
    paths,
    limit,
    pageToken,
  },
  output: {
    documents: z.array(
      z.object({
        documentType: z.string(),
        documentId: z.string(),
        name: z.string().optional(),
        folderId,
        data: data.optional().describe('Where paths were given: the values by their paths.'),
      }),
    ),
    version,
    nextPageToken,
  },
  example: { input: { documentType: 'note', filter: { path: 'stars', op: 'gt', value: 2 }, paths: ['stars'] } },
  errors: ['invalid_argument', 'not_found'],
  run: async (input, { documents, limits }) => {
    const { documentType, folderId, includeChildren = true, filter, paths, pageToken, limit: asked } = input;
    const limit = pageSizeOf(asked, limits);
    checkPaths(paths);
    const predicate = filter === undefined ? undefined : parsePredicate(filter, 'filter');
    if (documentType !== undefined) await documents.checkType(documentType);
    return documents.list({
      documentType,
      folderId: folderId ?? undefined,
      includeChildren,
      predicate,
      pick: paths && ((data) => picked(data, paths)),
      limit,
      pageToken,
      asked: { documentType, folderId, includeChildren, filter, paths },
    });
  },
});
