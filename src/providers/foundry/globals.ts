/**
 * The documents of the Foundry world that this code runs in, by Foundry's own globals. It uses
 * nothing of Node, so that a module of Foundry can import it.
 */
import { type Failure, invalidArgument, plainFailure } from '../../errors.js';
import type {
  ChangedDocument,
  Data,
  DocumentPort,
  DocumentQuery,
  DocumentReference,
  FetchedDocument,
} from '../../library/documents/document.js';
import { noDocument, noFolderFor, unknownType } from '../../library/documents/failures.js';
import { pageOf } from '../../library/documents/query.js';
import { cancelled, createPayload, updatePayload } from './payload.js';
import { plainTokens } from './plain-tokens.js';
import { plainType } from './types.js';
import { folderIdOf, uuidOf } from './uuid.js';

/** What is used of a document of Foundry. */
export type LiveDocument = {
  readonly id: string;
  readonly folder?: { readonly id: string } | null;
  toObject(): Data;
  canUserModify(user: unknown, action: 'update' | 'delete', data?: Data): boolean;
  update(data: Data): Promise<LiveDocument | undefined>;
  delete(): Promise<LiveDocument | undefined>;
};

type DocumentClass = {
  canUserCreate?(user: unknown): boolean;
  create(data: Data): Promise<LiveDocument | undefined>;
};

export type LiveCollection = {
  readonly documentClass: DocumentClass;
  readonly contents: readonly LiveDocument[];
  get(id: string): LiveDocument | undefined;
};

/** `game` of Foundry, as far as it is used. */
export type Game = {
  readonly user: unknown;
  readonly collections: { get(type: string): LiveCollection | undefined; keys(): Iterable<string> };
  readonly folders?: { get(id: string): unknown } | undefined;
};

/** Foundry's function of the same name: finds embedded documents, and those of compendiums. */
export type FromUuid = (uuid: string) => Promise<unknown>;

export function foundryDocuments(game: Game, fromUuid?: FromUuid): DocumentPort {
  /** The live documents behind those that were handed out. */
  const live = new WeakMap<object, LiveDocument>();
  const known = () => [...game.collections.keys()];

  const collectionOf = (documentType: string): LiveCollection => {
    const collection = game.collections.get(documentType);
    if (!collection) throw unknownType(documentType, known());
    return collection;
  };

  const get = async (which: DocumentReference): Promise<FetchedDocument> => {
    const { uuid, documentType } = uuidOf(which);
    const found = uuid === which.documentId ? await fromUuid?.(uuid) : collectionOf(documentType).get(which.documentId);
    if (!found) throw noDocument(which.documentId);
    const document = found as LiveDocument;
    const fetched = { documentType, documentId: which.documentId, ...contentOf(document) };
    live.set(fetched, document);
    return fetched;
  };

  return {
    types: async () => ({ types: known().map(plainType) }),

    // Embedded documents have no collection of their own: a uuid leads to them, where a way to follow it was given.
    async checkType(documentType) {
      if (!fromUuid) collectionOf(documentType);
    },

    get,

    async list(query) {
      checkFolder(game, query.folderId);
      return pageOf(query, plainTokens, async () => allOf(game, query, collectionOf));
    },

    async create(documentType, data, folderId) {
      const { documentClass } = collectionOf(documentType);
      checkFolder(game, folderId);
      if (documentClass.canUserCreate?.(game.user) === false) throw notAllowed('create');
      const folder = folderId === undefined ? undefined : folderIdOf(folderId);
      const made = await asked(() => documentClass.create(createPayload(data, folder)));
      if (!made) throw cancelled('creation');
      return answer(documentType, made.id, made);
    },

    async update(fetched, { differences }) {
      const document = live.get(fetched) as LiveDocument;
      const payload = updatePayload(fetched.data, differences);
      const { documentType, documentId } = fetched;
      if (differences.length === 0) return answer(documentType, documentId, document);
      if (!document.canUserModify(game.user, 'update', payload)) throw notAllowed('update');
      const updated = await asked(() => document.update(payload));
      if (!updated) throw cancelled('update');
      return answer(documentType, documentId, updated);
    },

    async remove(which) {
      const fetched = await get(which);
      const document = live.get(fetched) as LiveDocument;
      if (!document.canUserModify(game.user, 'delete')) throw notAllowed('delete');
      const answered = answer(fetched.documentType, fetched.documentId, document);
      if (!(await asked(() => document.delete()))) throw cancelled('deletion');
      return answered;
    },
  };
}

function checkFolder({ folders }: Game, folderId: string | undefined): void {
  if (folderId !== undefined && folders && !folders.get(folderIdOf(folderId))) throw noFolderFor(folderId);
}

const contentOf = (document: LiveDocument) => ({ folderId: document.folder?.id ?? null, data: document.toObject() });

function answer(documentType: string, documentId: string, document: LiveDocument): ChangedDocument {
  const { name } = document.toObject();
  return { documentType, documentId, ...(typeof name === 'string' && { name }) };
}

type Line = Omit<FetchedDocument, 'version'> & { name?: string };

function allOf(game: Game, query: DocumentQuery, collectionOf: (type: string) => LiveCollection): Line[] {
  const { documentType, includeChildren } = query;
  const folderId = query.folderId === undefined ? null : folderIdOf(query.folderId);
  const types = documentType === undefined ? [...game.collections.keys()] : [documentType];
  const isWanted = (document: LiveDocument) =>
    includeChildren ? folderId === null || isBelow(document, folderId) : (document.folder?.id ?? null) === folderId;
  return types.flatMap((type) =>
    collectionOf(type)
      .contents.filter(isWanted)
      .map((document): Line => {
        const content = contentOf(document);
        const { name } = content.data;
        return { documentType: type, documentId: document.id, ...content, ...(typeof name === 'string' && { name }) };
      }),
  );
}

type Folder = { readonly id: string; readonly folder?: Folder | null };

/** Folders stand in folders. */
function isBelow(document: LiveDocument, folderId: string): boolean {
  for (let at = document.folder as Folder | null | undefined; at; at = at.folder) if (at.id === folderId) return true;
  return false;
}

/** What Foundry throws when data does not fit its model is the caller's to mend. */
async function asked<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (thrown) {
    const { name, message } = thrown as Error;
    if (name === 'DataModelValidationError' || /validation/i.test(message)) throw invalidArgument`Foundry: ${message}`;
    throw thrown;
  }
}

const notAllowed = (action: string): Failure =>
  plainFailure('forbidden', `The user of Foundry may not ${action} this document`).advise(
    'Ask the game master for ownership of the document.',
  );
