/** The folders of the embedded library: self-payload nodes of its tree. */
import { type Change, touchChildren, touchNode, touchSubtree } from '../tree/change.js';
import { ROOT_ID, type StoredNode } from '../tree/node.js';
import { type Place, rankAt } from '../tree/place.js';
import { findNode, isWithin } from '../tree/read.js';
import { insertNode, moveNode, removeSubtree, updateOwnPayload } from '../tree/write.js';
import { ambiguousName, circularMove, libraryIsNoTarget, noFolder, notASibling } from './failures.js';
import type { ChangedFolder, FolderIdentifier, FolderPort, Position } from './folder.js';
import { findFolderIds, listFolders } from './library-listing.js';

export function libraryFolders(change: Change): FolderPort {
  const { sql } = change;
  const answer = async (id: string, name: string): Promise<ChangedFolder> => ({
    id,
    name,
    version: await change.version(),
  });

  return {
    list: async (query) => ({ folders: await listFolders(sql, query), version: await change.version() }),

    async add(name, position) {
      const place = await resolvePosition(change, position);
      await touchChildren(change, place.parent);
      const id = change.newId();
      const rank = await rankAt(change, place);
      await insertNode(change, {
        id,
        parentId: place.parent.id,
        rank,
        type: 'folder',
        name,
        status: 'active',
        payloadId: null,
      });
      return answer(id, name);
    },

    async edit(which, { newName, newStatus }) {
      const folder = await findFolder(change, which);
      await touchNode(change, folder);
      const own = { name: newName ?? folder.name, status: newStatus ?? folder.status };
      const differs = own.name !== folder.name || own.status !== folder.status;
      if (differs) await updateOwnPayload(change, folder, own);
      return answer(folder.id, own.name ?? '');
    },

    async remove(which) {
      refuseLibrary(which, 'delete');
      const folder = await findFolder(change, which);
      await touchSubtree(change, folder);
      await touchChildren(change, await parentOf(change, folder));
      await removeSubtree(change, folder);
      return answer(folder.id, folder.name ?? '');
    },

    async move(which, position) {
      refuseLibrary(which, 'move');
      const folder = await findFolder(change, which);
      const place = await resolvePosition(change, position);
      if (position.relativeTo === folder.id || (await isWithin(sql, place.parent.id, folder.id))) {
        throw circularMove(folder.id);
      }
      await touchSubtree(change, folder);
      await touchChildren(change, await parentOf(change, folder));
      await touchChildren(change, place.parent);
      await moveNode(change, folder, place.parent.id, await rankAt(change, place, folder.id));
      return answer(folder.id, folder.name ?? '');
    },
  };
}

function refuseLibrary({ id }: FolderIdentifier, action: 'delete' | 'move'): void {
  if (id === ROOT_ID) throw libraryIsNoTarget(action);
}

async function findFolder({ sql }: Change, { id, name = '' }: FolderIdentifier): Promise<StoredNode> {
  const node = id ? await findNode(sql, id) : await findByName(sql, name);
  if (node?.type !== 'folder') throw noFolder.id(id ?? '');
  return node;
}

async function findByName(sql: Change['sql'], name: string): Promise<StoredNode | undefined> {
  const ids = await findFolderIds(sql, name);
  if (ids.length > 1) throw ambiguousName(name, ids);
  if (ids[0] === undefined) throw noFolder.name(name);
  return findNode(sql, ids[0]);
}

async function parentOf({ sql }: Change, node: StoredNode): Promise<StoredNode> {
  return (await findNode(sql, node.parentId ?? ROOT_ID)) as StoredNode;
}

/** The gap that a position names. A missing `relativeTo` at an edge means the library. */
async function resolvePosition(change: Change, { placement, relativeTo = ROOT_ID }: Position): Promise<Place> {
  const reference = await findNode(change.sql, relativeTo);
  const isLibrary = reference?.id === ROOT_ID;
  if (!reference || (reference.type !== 'folder' && !isLibrary)) throw noFolder.relativeTo(relativeTo);
  if (placement === 'beginning') return { parent: reference, edge: 'first' };
  if (placement === 'ending') return { parent: reference, edge: 'last' };
  if (isLibrary) throw notASibling(relativeTo);
  return { parent: await parentOf(change, reference), sibling: reference, side: placement };
}
