import { z } from 'zod';
import { defineTool } from '../define.js';
import {
  checkId,
  checkPaths,
  data,
  documentId,
  folderId,
  missingPaths,
  optionalType,
  paths,
  picked,
  version,
} from './shapes.js';

export const getDocument = defineTool({
  name: 'get_document',
  toolset: 'documents',
  port: 'documents',
  summary: 'Get a structured document: the whole of it, or only the values at the given paths.',
  effect: 'read',
  input: { documentId, documentType: optionalType, paths },
  output: {
    document: z.object({
      documentType: z.string(),
      documentId: z.string(),
      folderId,
      data: data.describe('The whole document; with paths, the values by their paths.'),
    }),
    missing: z.array(z.string()).optional().describe('The paths where nothing stands.'),
    version,
  },
  example: { input: { documentId: 'style', paths: ['stars', 'tags.0', 'author'] } },
  errors: ['invalid_argument', 'not_found'],
  run: async ({ documentId, documentType, paths }, { documents }) => {
    checkId(documentId);
    checkPaths(paths);
    if (documentType !== undefined) await documents.checkType(documentType);
    const { data, version, ...document } = await documents.get({ documentId, documentType });
    return {
      document: { ...document, data: picked(data, paths) },
      ...(paths && { missing: missingPaths(data, paths) }),
      version,
    };
  },
});
