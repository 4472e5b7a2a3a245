import { z } from 'zod';
import { defineTool } from '../define.js';
import { changedDocument, data, documentType } from './shapes.js';

export const createDocument = defineTool({
  name: 'create_document',
  toolset: 'documents',
  port: 'documents',
  summary: 'Create a structured document of a type, in a folder or at the top. Its data must fit the type.',
  effect: 'write',
  input: {
    documentType,
    data: data.describe('The document: a JSON object. Its keys are taken as they are, dots too.'),
    folderId: z.string().nullish().describe('The folder it goes into; null or left out for the top.'),
  },
  output: changedDocument,
  example: { input: { documentType: 'note', data: { name: 'Tone', stars: 4, tags: ['writing'] }, folderId: 'guides' } },
  errors: ['invalid_argument', 'not_found', 'conflict'],
  run: async ({ documentType, data, folderId }, { documents }) => {
    await documents.checkType(documentType);
    return documents.create(documentType, data, folderId ?? undefined);
  },
});
