/** The failures of looking up folders, with the messages and next moves that every provider gives. */
import { type Failure, invalidArgument, notFound, plainFailure } from '../../errors.js';

const FIND_IDS = 'Use list_folders to find the ids of existing folders.';

export const noFolder = {
  id: (id: string) => notFound`Invalid id '${id}': folder not found`.advise(FIND_IDS),
  name: (name: string) =>
    notFound`Invalid name '${name}': folder not found`.advise(
      'Names match exactly, with case and white space. Use list_folders to see the names and ids.',
    ),
  parentId: (id: string) => notFound`Invalid parentId '${id}': folder not found`.advise(FIND_IDS),
  relativeTo: (id: string) => notFound`Invalid relativeTo '${id}': folder not found`.advise(FIND_IDS),
} satisfies Record<string, (value: string) => Failure>;

export const ambiguousName = (name: string, matchingIds: string[]): Failure =>
  invalidArgument`Ambiguous name '${name}': found ${matchingIds.length} matches`
    .with({ code: 'DISAMBIGUATION_REQUIRED', matchingIds })
    .advise('Call again with one of the matchingIds as id. list_folders tells where each of them stands.');

export const notASibling = (id: string): Failure =>
  invalidArgument`Invalid relativeTo '${id}': folder is not a sibling in target parent`.advise(
    "Nothing stands beside the library. Use placement 'beginning' or 'ending' to put a folder into it.",
  );

export const circularMove = (id: string): Failure =>
  invalidArgument`Cannot move folder '${id}': target is a descendant of source`.advise(
    'Choose a destination outside the folder that you move.',
  );

export const libraryIsNoTarget = (action: 'delete' | 'move'): Failure =>
  plainFailure('invalid_argument', `Cannot ${action} library: not a valid folder target`).advise(
    `The library is the root and stays. Name a folder in it to ${action}.`,
  );
