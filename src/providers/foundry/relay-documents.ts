/** The documents of a live Foundry world, through the REST relay that its users run. */
import { asFailure, type Failure } from '../../errors.js';
import { placeOf, untakenOf } from '../../library/documents/differences.js';
import type {
  ChangedDocument,
  Data,
  DocumentPort,
  DocumentReference,
  FetchedDocument,
} from '../../library/documents/document.js';
import { noDocument, noFolderFor, unknownType } from '../../library/documents/failures.js';
import type { PageTokens } from '../../library/documents/query.js';
import { cancelled, createPayload, notTaken, updatePayload } from './payload.js';
import type { Relay } from './relay-client.js';
import { listWorld } from './relay-listing.js';
import { foundryTypes, plainType } from './types.js';
import { folderIdOf, uuidOf } from './uuid.js';

export function relayDocuments(
  relay: Relay,
  { dryRun, tokens }: { dryRun: boolean; tokens: PageTokens },
): DocumentPort {
  const get = (which: DocumentReference) => fetchDocument(relay, which);

  return {
    types: async () => ({ types: foundryTypes.map(plainType) }),

    async checkType(documentType) {
      if (!foundryTypes.includes(documentType)) throw unknownType(documentType, foundryTypes);
    },

    get,

    list: (query) => listWorld(relay, query, tokens),

    async create(documentType, data, folderId) {
      const folder = folderId === undefined ? undefined : folderIdOf(folderId);
      createPayload(data, folder);
      if (folder !== undefined) await checkFolder(relay, folder);
      if (dryRun) return changed({ documentType, documentId: '(new)', data });
      const body = { entityType: documentType, data, ...(folder !== undefined && { folder }) };
      const { uuid, entity } = await relay({ method: 'POST', path: '/create', query: {}, body });
      const made = firstOf(entity);
      if (typeof uuid !== 'string' || !made) throw cancelled('creation');
      return changed({ documentType, documentId: uuid.split('.').at(-1) as string, data: made });
    },

    async update(document, { data, differences }) {
      const payload = updatePayload(document.data, differences);
      if (differences.length === 0 || dryRun) return changed({ ...document, data });
      const query = { uuid: uuidOf(document).uuid };
      const { entity } = await relay({ method: 'PUT', path: '/update', query, body: { data: payload } });
      const after = firstOf(entity);
      if (!after) throw cancelled('update');
      const untaken = untakenOf(document.data, after, differences);
      if (untaken.length === differences.length) throw cancelled('update');
      if (untaken.length > 0) throw notTaken(untaken.map(placeOf));
      return changed({ ...document, data: after });
    },

    async remove(which) {
      const document = await get(which);
      if (dryRun) return changed(document);
      const query = { uuid: uuidOf(which).uuid };
      await relay({ method: 'DELETE', path: '/delete', query });
      await checkGone(relay, which);
      return changed(document);
    },
  };
}

async function fetchDocument(relay: Relay, which: DocumentReference): Promise<FetchedDocument> {
  const found = await findDocument(relay, which);
  if (!found) throw noDocument(which.documentId);
  return found;
}

async function findDocument(relay: Relay, which: DocumentReference): Promise<FetchedDocument | undefined> {
  const { uuid, documentType } = uuidOf(which);
  const answer = await relay({ method: 'GET', path: '/get', query: { uuid } }).catch((thrown: Failure) => {
    // A world that is not there has another message, and says nothing of the document.
    if (thrown.type === 'not_found' && !/world/.test(thrown.message)) return { data: null };
    throw thrown;
  });
  const data = firstOf(answer.data);
  if (!data) return undefined;
  const folderId = typeof data.folder === 'string' ? data.folder : null;
  return { documentType, documentId: which.documentId, folderId, data };
}

/** Foundry would put the document at the top. */
async function checkFolder(relay: Relay, folderId: string): Promise<void> {
  if (!(await findDocument(relay, { documentType: 'Folder', documentId: folderId }))) throw noFolderFor(folderId);
}

/** The relay reports success for a deletion that the world cancelled. */
async function checkGone(relay: Relay, which: DocumentReference): Promise<void> {
  const found = await findDocument(relay, which).catch((thrown: unknown) => {
    throw asFailure(thrown).with({ mayHaveHappened: true });
  });
  if (found) throw cancelled('deletion');
}

/** The relay gives one document, or a list of one; what is no document counts as nothing. */
function firstOf(answer: unknown): Data | undefined {
  const [first] = Array.isArray(answer) ? answer : [answer];
  return typeof first === 'object' && first !== null && !Array.isArray(first) ? (first as Data) : undefined;
}

function changed({
  documentType,
  documentId,
  data,
}: Pick<FetchedDocument, 'documentType' | 'documentId' | 'data'>): ChangedDocument {
  return { documentType, documentId, ...(typeof data.name === 'string' && { name: data.name }) };
}
