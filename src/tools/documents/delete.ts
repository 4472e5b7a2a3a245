import { defineTool } from '../define.js';
import { changedDocument, checkId, documentId, optionalType } from './shapes.js';

export const deleteDocument = defineTool({
  name: 'delete_document',
  toolset: 'documents',
  port: 'documents',
  summary: 'Delete a structured document, with what stands below it. Answers the type, id and name that it had.',
  effect: 'destroy',
  input: { documentId, documentType: optionalType },
  output: changedDocument,
  example: { input: { documentId: 'style', documentType: 'note' } },
  errors: ['invalid_argument', 'not_found', 'conflict'],
  run: async ({ documentId, documentType }, { documents }) => {
    checkId(documentId);
    if (documentType !== undefined) await documents.checkType(documentType);
    return documents.remove({ documentId, documentType });
  },
});
