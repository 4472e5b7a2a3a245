/** Documents, and the port through which the document tools reach whoever keeps them. */
import type { Path } from '../tree/payload.js';
import type { Predicate } from '../tree/query/predicate.js';

export type Data = Record<string, unknown>;

/** Which document is meant. Where the type is left out, the id alone must tell. */
export type DocumentReference = { documentType?: string | undefined; documentId: string };

export type Document = {
  documentType: string;
  documentId: string;
  /** What it stands in; null at the top. */
  folderId: string | null;
  data: Data;
};

/** A provider that keeps versions answers with one; others leave it out. */
type Versioned = { version?: string };

export type FetchedDocument = Document & Versioned;

export type DocumentQuery = {
  documentType?: string | undefined;
  folderId?: string | undefined;
  /** Also what stands in folders inside the folder. */
  includeChildren: boolean;
  predicate?: Predicate | undefined;
  /** What each line shows of the data; none: nothing. The rest is let go at once: a page may hold large documents. */
  pick?: ((data: Data) => Data) | undefined;
  limit: number;
  pageToken?: string | undefined;
  /** The query as it was asked: a page token is good for the same one only. */
  asked: object;
};

export type DocumentLine = Omit<Document, 'data'> & { name?: string | undefined; data?: Data | undefined };

export type DocumentPage = { documents: DocumentLine[]; nextPageToken?: string | undefined } & Versioned;

/** One place where a document becomes another: lists change as a whole. */
export type Difference = { path: Path; value: unknown } | { path: Path; isRemoved: true };

/** What an update makes of a document: all of it, and where it differs. */
export type DocumentUpdate = { data: Data; differences: readonly Difference[] };

export type ChangedDocument = Omit<DocumentLine, 'data' | 'folderId'> & Versioned;

export type DocumentType = {
  documentType: string;
  /** JSON Schema; null: none, or the provider does not tell. */
  schema: Data | null;
  protectedPaths: string[];
  /** Types it may stand below; null: any. */
  allowedParents: string[] | null;
  selfPayload: boolean;
  /** How many there are, where the provider counts them. */
  nodes?: number | undefined;
};

/** What a keeper of documents can do. Arguments have passed their rules; lookups are the keeper's. */
export interface DocumentPort {
  types(): Promise<{ types: DocumentType[] } & Versioned>;
  /** Refuses a type that there is not, before anything else is looked at. */
  checkType(documentType: string): Promise<void>;
  get(which: DocumentReference): Promise<FetchedDocument>;
  list(query: DocumentQuery): Promise<DocumentPage>;
  create(documentType: string, data: Data, folderId: string | undefined): Promise<ChangedDocument>;
  /** Writes what was made of a document that `get` gave. Where nothing differs, nothing is written. */
  update(document: FetchedDocument, update: DocumentUpdate): Promise<ChangedDocument>;
  remove(which: DocumentReference): Promise<ChangedDocument>;
}
