/** Folders, and the port through which the folder tools reach whoever keeps them. */

export const folderStatuses = ['active', 'dropped'] as const;
export type FolderStatus = (typeof folderStatuses)[number];

export type Folder = { id: string; name: string; status: FolderStatus; parentId: string | null };

export const placements = ['before', 'after', 'beginning', 'ending'] as const;

/** Where a folder goes: beside a sibling, or at an edge of a parent (none named: the library). */
export type Position = { placement: (typeof placements)[number]; relativeTo?: string | undefined };

/** Which folder is meant: the id wins over the name. */
export type FolderIdentifier = { id?: string | undefined; name?: string | undefined };

export type FolderQuery = {
  status?: FolderStatus | undefined;
  /** Below which folder; none: the whole library. */
  parentId?: string | undefined;
  includeChildren: boolean;
};

/** A provider that keeps versions answers with one; others leave it out. */
export type FolderListing = { folders: Folder[]; version?: string };
export type ChangedFolder = { id: string; name: string; version?: string };

/** What a keeper of folders can do. Arguments have passed `rules.ts`; lookups are the keeper's. */
export interface FolderPort {
  list(query: FolderQuery): Promise<FolderListing>;
  add(name: string, position: Position): Promise<ChangedFolder>;
  edit(which: FolderIdentifier, update: FolderUpdate): Promise<ChangedFolder>;
  remove(which: FolderIdentifier): Promise<ChangedFolder>;
  move(which: FolderIdentifier, position: Position): Promise<ChangedFolder>;
}

export type FolderUpdate = { newName?: string | undefined; newStatus?: FolderStatus | undefined };
