/** How Foundry names documents: `Actor.ID`, and on for embedded ones: `Actor.ID.Item.ID`. */
import { invalidArgument } from '../../errors.js';
import type { DocumentReference } from '../../library/documents/document.js';
import { otherType } from '../../library/documents/failures.js';

export type Uuid = { uuid: string; documentType: string };

/** The uuid of a document that was named by type and id, or by a uuid as its id. */
export function uuidOf({ documentType, documentId }: DocumentReference): Uuid {
  const parts = documentId.split('.');
  if (parts.length === 1) {
    if (documentType !== undefined) return { uuid: `${documentType}.${documentId}`, documentType };
    throw invalidArgument`Invalid documentId '${documentId}': the type of the document is not known`.advise(
      'Pass documentType too, or a uuid such as Actor.abc as documentId.',
    );
  }
  const named = parts.at(-2) as string;
  if (parts.includes('')) throw invalidArgument`Invalid documentId '${documentId}': not a uuid of Foundry`;
  // Compendium.package.pack.ID does not name the type: the pack has only one.
  const isShort = parts[0] === 'Compendium' && parts.length === 4;
  if (isShort) return { uuid: documentId, documentType: documentType ?? 'Compendium' };
  if (documentType !== undefined && named !== documentType) throw otherType(documentId, documentType, named);
  return { uuid: documentId, documentType: named };
}

/** A folder's own id, whether it was given as that or as a uuid. */
export const folderIdOf = (folderId: string): string => folderId.replace(/^Folder\./, '');
