/**
 * The program that answers one call inside OmniFocus. Its source is sent as it stands here, so it knows
 * nothing but its argument, plain JavaScript and the globals of Omni Automation: it must import no values.
 * A script that throws midway keeps its earlier changes, so everything is checked before the first one.
 */
import type {
  FolderIdentifier,
  FolderQuery,
  FolderUpdate,
  Folder as ListedFolder,
  Position,
} from '../../library/folders/folder.js';
import type { OmniFolder, OmniFolderClass, OmniLibrary, OmniLocation } from './omni-automation.js';

/** What is asked. A rehearsal stops before the first change. */
export type FolderRequest = { rehearse?: boolean } & (
  | { action: 'list'; query: FolderQuery }
  | { action: 'add'; name: string; position: Position }
  | { action: 'edit'; which: FolderIdentifier; update: FolderUpdate }
  | { action: 'remove'; which: FolderIdentifier }
  | { action: 'move'; which: FolderIdentifier; position: Position }
);

/** Why a call was refused before it changed anything. */
export type Refusal =
  | { reason: 'not_found'; field: 'id' | 'name' | 'parentId' | 'relativeTo'; value: string }
  | { reason: 'ambiguous'; name: string; matchingIds: string[] }
  | { reason: 'not_a_sibling' | 'circular'; id: string }
  | { reason: 'library'; action: 'delete' | 'move' };

export type FolderAnswer =
  | { success: true; folders: ListedFolder[] }
  | { success: true; id: string; name: string }
  | { success: false; refused: Refusal }
  | { success: false; error: string; changing: boolean };

declare const Folder: OmniFolderClass;
declare const folders: readonly OmniFolder[];
declare const flattenedFolders: readonly OmniFolder[];
declare const library: OmniLibrary;
declare const moveSections: (sections: OmniFolder[], position: OmniLocation) => void;
declare const deleteObject: (folder: OmniFolder) => void;

export function folderProgram(request: FolderRequest): string {
  const LIBRARY = 'library';
  let changing = false;

  /** Thrown, and caught at the end of the program. */
  const refuse: (refused: Refusal) => never = (refused) => {
    throw { refused };
  };

  const toFolder = (folder: OmniFolder): ListedFolder => ({
    id: folder.id.primaryKey,
    name: folder.name,
    status: folder.status === Folder.Status.Active ? 'active' : 'dropped',
    parentId: folder.parent ? folder.parent.id.primaryKey : null,
  });

  /** A folder, then all in it. Siblings keep the order in which OmniFocus gives them. */
  function inTreeOrder(records: ListedFolder[], top: string | null): ListedFolder[] {
    const children = new Map<string | null, ListedFolder[]>();
    for (const record of records) {
      const siblings = children.get(record.parentId);
      if (siblings) siblings.push(record);
      else children.set(record.parentId, [record]);
    }
    const ordered: ListedFolder[] = [];
    const pending = (children.get(top) || []).slice().reverse();
    for (let record = pending.pop(); record; record = pending.pop()) {
      ordered.push(record);
      for (const child of (children.get(record.id) || []).slice().reverse()) pending.push(child);
    }
    return ordered.length === records.length ? ordered : records;
  }

  function findById(id: string, field: 'id' | 'parentId' | 'relativeTo'): OmniFolder {
    // What OmniFocus makes of an empty identifier is not documented.
    const folder = id === '' ? null : Folder.byIdentifier(id);
    if (!folder) return refuse({ reason: 'not_found', field, value: id });
    return folder;
  }

  function findByName(name: string): OmniFolder {
    const matches = flattenedFolders.filter((folder) => folder.name === name);
    const match = matches[0];
    if (!match) return refuse({ reason: 'not_found', field: 'name', value: name });
    if (matches.length > 1) {
      const all = inTreeOrder(flattenedFolders.map(toFolder), null);
      const matchingIds = all.filter((folder) => folder.name === name).map((folder) => folder.id);
      return refuse({ reason: 'ambiguous', name, matchingIds });
    }
    return match;
  }

  const find = (which: FolderIdentifier): OmniFolder =>
    which.id ? findById(which.id, 'id') : findByName(which.name || '');

  /** The place that a position names. The library itself is no folder: it has edges, and nothing beside it. */
  function resolvePosition(position: Position): { location: OmniLocation; reference: OmniFolder | null } {
    const { placement, relativeTo = LIBRARY } = position;
    if (relativeTo !== LIBRARY) {
      const reference = findById(relativeTo, 'relativeTo');
      return { location: reference[placement], reference };
    }
    if (placement === 'before' || placement === 'after') return refuse({ reason: 'not_a_sibling', id: relativeTo });
    return { location: library[placement], reference: null };
  }

  /** Neither into nor beside the folder itself, nor anywhere inside it. */
  function refuseCycle(folder: OmniFolder, reference: OmniFolder | null): void {
    const id = folder.id.primaryKey;
    for (let above = reference; above; above = above.parent) {
      if (above.id.primaryKey === id) refuse({ reason: 'circular', id });
    }
  }

  function list({ status, parentId, includeChildren }: FolderQuery) {
    const parent = parentId === undefined || parentId === LIBRARY ? null : findById(parentId, 'parentId');
    const top = parent ? parent.id.primaryKey : null;
    const found = includeChildren
      ? inTreeOrder((parent ? parent.flattenedFolders : flattenedFolders).map(toFolder), top)
      : (parent ? parent.folders : folders).map(toFolder);
    return { folders: found.filter((folder) => status === undefined || folder.status === status) };
  }

  function add(name: string, position: Position) {
    const { location } = resolvePosition(position);
    if (request.rehearse) return { id: 'not-made-yet', name };
    changing = true;
    const folder = new Folder(name, location);
    return { id: folder.id.primaryKey, name: folder.name };
  }

  function edit(which: FolderIdentifier, { newName, newStatus }: FolderUpdate) {
    const folder = find(which);
    const id = folder.id.primaryKey;
    if (request.rehearse) return { id, name: newName === undefined ? folder.name : newName };
    const status = newStatus === 'active' ? Folder.Status.Active : Folder.Status.Dropped;
    changing = true;
    if (newName !== undefined && newName !== folder.name) folder.name = newName;
    if (newStatus !== undefined && status !== folder.status) folder.status = status;
    return { id, name: folder.name };
  }

  function remove(which: FolderIdentifier) {
    if (which.id === LIBRARY) refuse({ reason: 'library', action: 'delete' });
    const folder = find(which);
    const removed = { id: folder.id.primaryKey, name: folder.name };
    if (request.rehearse) return removed;
    changing = true;
    deleteObject(folder);
    return removed;
  }

  function move(which: FolderIdentifier, position: Position) {
    if (which.id === LIBRARY) refuse({ reason: 'library', action: 'move' });
    const folder = find(which);
    const { location, reference } = resolvePosition(position);
    refuseCycle(folder, reference);
    const moved = { id: folder.id.primaryKey, name: folder.name };
    if (request.rehearse) return moved;
    changing = true;
    moveSections([folder], location);
    return moved;
  }

  function run() {
    if (request.action === 'list') return list(request.query);
    if (request.action === 'add') return add(request.name, request.position);
    if (request.action === 'edit') return edit(request.which, request.update);
    if (request.action === 'remove') return remove(request.which);
    return move(request.which, request.position);
  }

  function attempt(): FolderAnswer {
    try {
      return { success: true, ...run() };
    } catch (thrown) {
      const { refused } = Object(thrown) as { refused?: Refusal };
      return refused ? { success: false, refused } : { success: false, error: String(thrown), changing };
    }
  }

  // Nothing but ASCII goes out: no encoding on the way can change a name.
  return JSON.stringify(attempt()).replace(
    /[^\x20-\x7e]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
