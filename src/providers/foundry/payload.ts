/** What is sent to Foundry, and what cannot be: it merges objects, replaces arrays, and reads commands in keys. */
import { type Failure, invalidArgument, plainFailure } from '../../errors.js';
import { differencesOf, nestedOf, placeOf } from '../../library/documents/differences.js';
import type { Data, Difference } from '../../library/documents/document.js';

/** The payload of an update. `before` is the document as it was read. */
export function updatePayload(before: Data, differences: readonly Difference[]): Data {
  for (const difference of differences) {
    if ('isRemoved' in difference) throw cannotRemove(difference);
    checkKeys(difference);
    checkEmbedded(before, difference);
  }
  return nestedOf(differences);
}

/** Foundry splits keys at dots, and takes keys that begin with -= or == as commands, wherever they stand. */
function checkKeys({ path, ...rest }: Difference): void {
  const pending: unknown[] = [Object.fromEntries(path.map((key) => [key, null])), Object.values(rest)];
  for (let value = pending.pop(); value !== undefined; value = pending.pop()) {
    if (typeof value !== 'object' || value === null) continue;
    if (!Array.isArray(value)) for (const key of Object.keys(value)) checkKey(key);
    // One by one: a call with all entries of a long array as arguments would overflow the stack.
    for (const inner of Object.values(value)) if (typeof inner === 'object' && inner !== null) pending.push(inner);
  }
}

function checkKey(key: string): void {
  if (key.startsWith('-=') || key.startsWith('==')) {
    throw invalidArgument`Invalid key '${key}': Foundry would take it as a command`.advise(
      'Name the property itself. Pass an array as a whole to remove entries of it.',
    );
  }
  if (key.includes('.')) {
    throw invalidArgument`Invalid key '${key}': Foundry would split it at the dot`.advise('Use a key without dots.');
  }
}

/** The keys of a whole document that is to be created. */
export function createPayload(data: Data, folderId: string | undefined): Data {
  checkKeys({ path: [], value: data });
  return folderId === undefined ? data : { ...data, folder: folderId };
}

type Embedded = Data & { _id: string };

const isEmbedded = (entry: unknown): entry is Embedded =>
  typeof entry === 'object' && entry !== null && '_id' in entry && typeof entry._id === 'string';

/**
 * A list of entries with _id is an embedded collection: Foundry changes and adds its entries one by
 * one, and an entry that is not sent stays.
 */
function checkEmbedded(before: Data, difference: Difference): void {
  const [key, ...deeper] = difference.path;
  if (key === undefined || deeper.length > 0 || !('value' in difference)) return;
  const old = before[key];
  if (!Array.isArray(old) || old.length === 0 || !old.every(isEmbedded)) return;
  const entries = Array.isArray(difference.value) ? [...difference.value.entries()] : [];
  const sent = new Map(entries.flatMap(([index, entry]) => (isEmbedded(entry) ? [[entry._id, { index, entry }]] : [])));
  for (const before of old) {
    const kept = sent.get(before._id);
    if (!kept) throw cannotDrop(key, before._id);
    // An entry is merged with what it was: what is not sent of it stays, too.
    const at = [key, String(kept.index)];
    const removed = differencesOf(before, kept.entry, at).find((one) => 'isRemoved' in one);
    if (removed) throw cannotRemove(removed);
  }
}

const cannotRemove = (difference: Difference): Failure =>
  invalidArgument`Cannot remove '${placeOf(difference)}': an update of Foundry sets properties, and removes none`.advise(
    'Set it to null, or to an empty value that its type allows.',
  );

const cannotDrop = (key: string, id: string): Failure =>
  invalidArgument`Cannot remove '${id}' from '${key}': Foundry keeps embedded documents that an update leaves out`.advise(
    'Delete it with delete_document by its uuid, such as Actor.abc.Item.def.',
  );

/** What Foundry said no to without giving a reason. */
export const cancelled = (action: 'update' | 'creation' | 'deletion'): Failure =>
  plainFailure('conflict', `Foundry cancelled the ${action}`).advise(
    'A module or a rule of the world refused it. Read the document again, and ask the game master.',
  );

/** Some of the values stayed as they were, and the others did not. */
export const notTaken = (places: readonly string[]): Failure =>
  plainFailure('conflict', `Foundry did not take ${places.length} of the values that were set`)
    .with({ notTaken: places, mayHaveHappened: true })
    .advise('The rest was written. notTaken lists the paths: the world does not know them, or keeps their values.');
