/**
 * For modules of Foundry VTT: the documents of the running world behind the port of ai-assist, and
 * updates with array operations on it. Nothing of Node is used here.
 */
export type { Data, DocumentPort, DocumentQuery, FetchedDocument } from './library/documents/document.js';
export { type UpdateLimits, type UpdateRequest, updateDocument } from './library/documents/update.js';
export {
  type FromUuid,
  foundryDocuments,
  type Game,
  type LiveCollection,
  type LiveDocument,
} from './providers/foundry/globals.js';
