/** The documents of the embedded library: nodes of its tree whose type is a type of documents. */
import { type Failure, invalidArgument } from '../../errors.js';
import { type Change, touchNode } from '../tree/change.js';
import { addNode, checkProtected, removeNode, storedNode, storePayload } from '../tree/edit.js';
import { ROOT_ID, type StoredNode } from '../tree/node.js';
import { nameOf, nodeAt } from '../tree/nodes.js';
import { findNode } from '../tree/read.js';
import { nodesByType } from '../tree/rules/definition.js';
import { checkPayload } from '../tree/schema.js';
import { currentTree, versionOf } from '../tree/tree.js';
import { findType, listTypes, type PayloadType } from '../tree/types.js';
import type { ChangedDocument, Data, DocumentPort, DocumentReference, FetchedDocument } from './document.js';
import { noDocument, noFolderFor, otherType, unknownType } from './failures.js';
import { listLibrary } from './library-listing.js';

/** `agent` is whose page tokens they are. */
export function libraryDocuments(change: Change, agent: string): DocumentPort {
  const { sql } = change;
  const answer = async (documentType: string, documentId: string, data: Data): Promise<ChangedDocument> => {
    const name = nameOf({ payload: data });
    return { documentType, documentId, ...(name !== undefined && { name }), version: await change.version() };
  };

  return {
    async types() {
      const counts = await nodesByType(sql);
      const types = (await listTypes(sql)).map((type) => ({ ...shown(type), nodes: counts.get(type.name) ?? 0 }));
      return { types, version: await change.version() };
    },

    checkType: async (documentType) => void (await typeOf(change, documentType)),

    get: (which) => fetchDocument(change, which),

    list: (query) => listLibrary(sql, query, agent),

    async create(documentType, data, folderId) {
      await typeOf(change, documentType);
      const parent = await folderOf(change, folderId);
      const documentId = await addNode(change, { parent, edge: 'last' }, documentType, data);
      return answer(documentType, documentId, data);
    },

    async update({ documentId, documentType }, { data, differences }) {
      const node = await storedNode(change, documentId, 'documentId');
      const type = await typeOf(change, documentType);
      for (const { path } of differences) checkProtected(change, type, path);
      checkPayload(type, data);
      await touchNode(change, node);
      if (differences.length > 0) await storePayload(change, node, data);
      return answer(documentType, documentId, data);
    },

    async remove(which) {
      const { documentType, documentId, data } = await fetchDocument(change, which);
      await removeNode(change, documentId);
      return answer(documentType, documentId, data);
    },
  };
}

const shown = ({ name, schema, protectedPaths, allowedParents, selfPayload }: PayloadType) => ({
  documentType: name,
  schema,
  protectedPaths: [...protectedPaths],
  allowedParents: allowedParents && [...allowedParents],
  selfPayload,
});

async function fetchDocument({ sql }: Change, which: DocumentReference): Promise<FetchedDocument> {
  const { documentId, documentType } = which;
  const tree = await currentTree(sql);
  const node = await nodeAt(tree, documentId);
  if (!node || node.payloadId === null) throw noDocument(documentId);
  if (documentType !== undefined && node.type !== documentType) throw otherType(documentId, documentType, node.type);
  const folderId = node.parentId === ROOT_ID ? null : node.parentId;
  return { documentType: node.type, documentId, folderId, data: node.payload, version: versionOf(tree) };
}

async function typeOf({ sql }: Change, name: string): Promise<PayloadType> {
  const type = await findType(sql, name);
  if (type?.selfPayload) throw noDocumentType(name);
  if (type) return type;
  const known = (await listTypes(sql)).filter(({ selfPayload }) => !selfPayload);
  throw unknownType(
    name,
    known.map((one) => one.name),
  );
}

const noDocumentType = (name: string): Failure =>
  invalidArgument`Invalid documentType '${name}': not a type of documents`.advise(
    'Folders have tools of their own: list_folders, add_folder, edit_folder, remove_folder and move_folder.',
  );

async function folderOf({ sql }: Change, folderId: string = ROOT_ID): Promise<StoredNode> {
  const node = await findNode(sql, folderId);
  if (node?.type !== 'folder' && node?.id !== ROOT_ID) throw noFolderFor(folderId);
  return node;
}
