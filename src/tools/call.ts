/** What a running tool has at hand. */
import type { Role, SettingName, SettingValues } from '../config/settings.js';
import type { DocumentPort } from '../library/documents/document.js';
import type { FolderPort } from '../library/folders/folder.js';
import type { Change } from '../library/tree/change.js';
import type { EmbeddingPort } from '../search/vectors/embedding.js';
import type { VectorPort } from '../search/vectors/port.js';
import type { Database, Sql } from '../storage/sql.js';
import type { Port } from './define.js';

/** Who calls. Keys, limits, views and the audit log belong to the agent's name. */
export type Identity = { readonly agent: string; readonly role: Role };

export type Limits = {
  readonly callsPerMinute: number;
  readonly maxBatch: number;
  readonly maxInputBytes: number;
  readonly maxDepth: number;
  /** Items a page: where a call does not say, and at the most. */
  readonly pageSize: number;
  readonly maxPageSize: number;
};

export type Progress = { done: number; total?: number; message?: string };

export type ToolCall = {
  readonly identity: Identity;
  /** The folder that the project file is looked for in and above. */
  readonly project: string | undefined;
  readonly limits: Limits;
  /** A setting of the application. */
  readonly setting: <Name extends SettingName>(name: Name) => SettingValues[Name];
  readonly now: number;
  readonly version: string | undefined;
  /** For tools whose effect lies outside the database: validate and plan, then stop. */
  readonly dryRun: boolean;
  readonly signal: AbortSignal;
  readonly onProgress: (progress: Progress) => void;
  /** The open transaction. Tools with an outside effect have none, and use `database`. */
  readonly sql: Sql;
  readonly database: Database;
} & Ports;

/** Whoever keeps what a tool works on: the configuration decides which provider that is. */
export type Ports = {
  readonly folders: FolderPort;
  readonly documents: DocumentPort;
  /** The change of the tree that this call makes, for tools of the tree itself. */
  readonly change: Change;
  /** Search by meaning over the chunks of documents. */
  readonly vectors: VectorPort;
  /** How far vectors are, and bringing them to completion. */
  readonly embedding: EmbeddingPort;
  /** The providers outside the database that the configuration names. */
  readonly providers: readonly NamedProvider[];
};

/** Another program that keeps something. `probe` asks it the least there is, and throws the reason if it does not answer. */
export type NamedProvider = { readonly name: string; readonly keeps: Port; probe(): Promise<void> };

export type Unequipped = Omit<ToolCall, keyof Ports>;
