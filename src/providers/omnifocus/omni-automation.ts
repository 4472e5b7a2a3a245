/** The part of Omni Automation that the program for folders uses, as OmniFocus documents it. */

/** Compares by identity only: it is no string, and turns into none that can be relied on. */
export type OmniStatus = { readonly '': 'Folder.Status' };

/** A place among siblings. OmniFocus resolves it when it is used. */
export type OmniLocation = { readonly '': 'Folder.ChildInsertionLocation' };

export interface OmniFolder {
  readonly id: { readonly primaryKey: string };
  name: string;
  status: OmniStatus;
  readonly parent: OmniFolder | null;
  readonly folders: readonly OmniFolder[];
  readonly flattenedFolders: readonly OmniFolder[];
  readonly before: OmniLocation;
  readonly after: OmniLocation;
  readonly beginning: OmniLocation;
  readonly ending: OmniLocation;
}

export interface OmniFolderClass {
  new (name: string, position: OmniLocation): OmniFolder;
  byIdentifier(id: string): OmniFolder | null;
  readonly Status: { readonly Active: OmniStatus; readonly Dropped: OmniStatus };
}

export type OmniLibrary = { readonly beginning: OmniLocation; readonly ending: OmniLocation };
