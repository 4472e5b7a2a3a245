/** Where documents come from. Each kind of source is one file in sources/, behind this contract. */

/** A collection as the project file declares it, with its path or URL made absolute. */
export type SourceSpec =
  | { readonly type: 'file'; readonly path: string; readonly glob: string }
  | { readonly type: 'pkg'; readonly url: string };

/** What the last sync of a source left behind, so that an unchanged one is recognised. */
export type SourceState = {
  /** Hex sha256 of the manifest's bytes. */
  manifestHash: string | null;
  /** Hex sha256 of the bundle's bytes. */
  bundleHash: string | null;
  etag: string | null;
  lastModified: string | null;
};

export const noState: SourceState = { manifestHash: null, bundleHash: null, etag: null, lastModified: null };

/** What the file system says of a local file: while it is the same, the file need not be read. */
export type FileStat = { size: number; mtimeMs: number; ctimeMs: number; inode: number };

/** A document that a source declares. */
export type SourceDocument = {
  /** Relative, with forward slashes, unique in its source; for an entry with a URL of its own, that URL. */
  path: string;
  /** Hex sha256 that the manifest promises. Content that differs is not indexed. */
  declaredHash?: string;
  /** Local files only. */
  stat?: FileStat;
  /** The content. Throws a failure when it cannot be had. */
  read(signal: AbortSignal): Promise<Uint8Array>;
};

/** Something about one file that a person should know, without stopping the rest. */
export type SourceWarning = { path: string; message: string };

export type SourceListing =
  /** The source is what it was at the last complete sync. */
  | { changed: false; state: SourceState }
  | {
      changed: true;
      state: SourceState;
      /** Of the manifest. */
      name?: string;
      version?: string;
      description?: string;
      documents: SourceDocument[];
      warnings: SourceWarning[];
    };

export type OpenOptions = {
  /** The state after the last sync, if that was complete and nothing is forced. */
  previous: SourceState | undefined;
  signal: AbortSignal;
  /** Says what is being done, such as 'Fetching manifest'. */
  onStep: (step: string) => void;
};

export interface Source {
  /** Lists what the source declares now. Throws a failure when that cannot be had. */
  open(options: OpenOptions): Promise<SourceListing>;
  /** Removes what `open` has put on disk for a while. */
  close(): Promise<void>;
}

/** Limits that protect against sources that are too large, by mistake or on purpose. */
export type SourceLimits = {
  maxFileBytes: number;
  maxManifestBytes: number;
  maxBundleBytes: number;
  /** Of all files of a bundle together, unpacked. */
  maxUnpackedBytes: number;
  maxDocuments: number;
};

export const defaultLimits: SourceLimits = {
  maxFileBytes: 10 * 1024 * 1024,
  maxManifestBytes: 20 * 1024 * 1024,
  maxBundleBytes: 200 * 1024 * 1024,
  maxUnpackedBytes: 1024 * 1024 * 1024,
  maxDocuments: 200_000,
};
