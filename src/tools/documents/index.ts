/** Types of documents. */
import { defineDocumentType, listDocumentTypes } from './types.js';

export const documentTools = [listDocumentTypes, defineDocumentType] as const;
