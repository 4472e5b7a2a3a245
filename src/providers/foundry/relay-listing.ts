/** Listing a world by the relay's /structure: folders inside folders, with the documents in each. */
import { type Failure, invalidArgument } from '../../errors.js';
import type { Data, DocumentPage, DocumentQuery } from '../../library/documents/document.js';
import { noFolderFor } from '../../library/documents/failures.js';
import { type Candidate, needsData, type PageTokens, pageOf } from '../../library/documents/query.js';
import type { Relay } from './relay-client.js';
import { listedTypes } from './types.js';
import { folderIdOf } from './uuid.js';

/** Foundry allows folders in four levels: more than that is never there. */
const DEEPEST = '10';

export async function listWorld(relay: Relay, query: DocumentQuery, tokens: PageTokens): Promise<DocumentPage> {
  const { documentType } = query;
  if (documentType !== undefined && !listedTypes.includes(documentType)) throw notListed(documentType);
  return pageOf(query, tokens, () => documentsOf(relay, query));
}

async function documentsOf(relay: Relay, query: DocumentQuery): Promise<Candidate[]> {
  const { documentType, folderId } = query;
  let found: Candidate[] = [];
  // One type after the other: with its data a document does not say its type.
  for (const type of documentType === undefined ? listedTypes : [documentType]) {
    const where = folderId === undefined ? {} : { path: `Folder.${folderIdOf(folderId)}` };
    const { data } = await relay({
      method: 'GET',
      path: '/structure',
      query: {
        types: type,
        recursive: 'true',
        recursiveDepth: DEEPEST,
        includeEntityData: String(needsData(query)),
        ...where,
      },
    }).catch((thrown: Failure) => {
      throw thrown.type === 'not_found' && /^Foundry: Folder/.test(thrown.message)
        ? noFolderFor(folderId ?? '')
        : thrown;
    });
    found = found.concat(collect(data, type, query));
  }
  return found;
}

const isRecord = (value: unknown): value is Data =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function collect(structure: unknown, type: string, { folderId, includeChildren }: DocumentQuery): Candidate[] {
  if (!isRecord(structure)) return [];
  const own = folderId === undefined ? null : folderIdOf(folderId);
  const here = entriesOf(structure.entities).map((entity) => toLine(entity, type, own));
  if (!includeChildren) return here.filter((line) => line !== undefined);
  const pending = isRecord(structure.folders) ? Object.values(structure.folders) : [];
  for (let folder = pending.pop(); folder !== undefined; folder = pending.pop()) {
    if (!isRecord(folder) || typeof folder.id !== 'string') continue;
    const { id } = folder;
    for (const entity of entriesOf(folder.entities)) here.push(toLine(entity, type, id));
    // Folders inside a folder stand beside its own properties, by their names.
    pending.push(...Object.values(folder).filter((inner) => isRecord(inner) && 'uuid' in inner));
  }
  return here.filter((line) => line !== undefined);
}

/** At the top they are grouped by type; in a folder they are a list. */
const entriesOf = (entities: unknown): unknown[] =>
  Array.isArray(entities) ? entities : isRecord(entities) ? Object.values(entities).flat() : [];

function toLine(entity: unknown, documentType: string, folderId: string | null): Candidate | undefined {
  if (!isRecord(entity)) return undefined;
  const documentId = entity._id ?? entity.id;
  if (typeof documentId !== 'string') return undefined;
  const name = typeof entity.name === 'string' ? { name: entity.name } : {};
  return { documentType, documentId, folderId, ...name, ...('_id' in entity && { data: entity }) };
}

const notListed = (documentType: string) =>
  invalidArgument`Invalid documentType '${documentType}': the relay does not list documents of this type`.advise(
    `It lists ${listedTypes.join(', ')}. Get others by their uuid.`,
  );
