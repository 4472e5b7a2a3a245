/** What must hold of a folder tool's arguments before anything is looked up. */
import { plainFailure } from '../../errors.js';
import type { FolderIdentifier, FolderUpdate, Position } from './folder.js';

const refuse = (message: string, instruction: string) => plainFailure('invalid_argument', message).advise(instruction);

export const nameRequired = 'Folder name is required and must be a non-empty string';

/** A name as it is stored: without white space at its ends, and not empty. */
export function checkedName(name: string): string {
  const trimmed = name.trim();
  if (trimmed === '') throw refuse(nameRequired, 'Give a name with at least one visible character.');
  return trimmed;
}

export function checkIdentifier({ id, name }: FolderIdentifier): void {
  if (id || name) return;
  throw refuse(
    'Either id or name must be provided to identify the folder',
    'Pass the id of the folder. list_folders shows the ids.',
  );
}

/** The update with its new name trimmed. */
export function checkedUpdate({ newName, newStatus }: FolderUpdate): FolderUpdate {
  if (newName === undefined && newStatus === undefined) {
    throw refuse(
      'At least one of newName or newStatus must be provided',
      'Pass newName to rename the folder, or newStatus to activate or drop it.',
    );
  }
  return { newName: newName === undefined ? undefined : checkedName(newName), newStatus };
}

export function checkPosition({ placement, relativeTo }: Position): void {
  const besideSibling = placement === 'before' || placement === 'after';
  if (!besideSibling || relativeTo) return;
  throw refuse(
    "relativeTo is required when placement is 'before' or 'after'",
    'Pass the id of the sibling folder as relativeTo.',
  );
}
