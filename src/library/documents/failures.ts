/** The failures of looking up documents, with the messages and next moves that every provider gives. */
import { type Failure, invalidArgument, notFound } from '../../errors.js';

const FIND_IDS = 'Use list_documents to find the ids of documents.';

export const noDocument = (id: string): Failure =>
  notFound`Invalid documentId '${id}': document not found`.advise(FIND_IDS);

export const otherType = (id: string, wanted: string, actual: string): Failure =>
  notFound`Invalid documentId '${id}': it is of the type '${actual}', not '${wanted}'`.advise(
    'Pass the type that the document has, or another id.',
  );

export const noFolderFor = (id: string): Failure =>
  notFound`Invalid folderId '${id}': folder not found`.advise(
    'Use list_folders to find the ids of folders. Leave folderId out for the top.',
  );

export const unknownType = (name: string, known: readonly string[]): Failure =>
  invalidArgument`Invalid documentType '${name}': unknown type`.advise(
    known.length > 0 ? `Use one of ${known.join(', ')}.` : 'Define it first with define_document_type.',
  );
