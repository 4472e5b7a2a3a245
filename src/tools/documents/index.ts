/** The tools of the toolset documents. */
import { createDocument } from './create.js';
import { deleteDocument } from './delete.js';
import { getDocument } from './get.js';
import { listDocuments } from './list.js';
import { defineDocumentType, listDocumentTypes } from './types.js';
import { updateDocument } from './update.js';

export const documentTools = [
  listDocuments,
  getDocument,
  createDocument,
  updateDocument,
  deleteDocument,
  listDocumentTypes,
  defineDocumentType,
] as const;
