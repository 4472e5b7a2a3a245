/** A keeper of documents in memory that counts its calls: for tests of the domain alone. */
import type { Data, DocumentPort } from '../../../src/library/documents/document.js';
import { noDocument, unknownType } from '../../../src/library/documents/failures.js';

export type Counted = DocumentPort & { calls: Record<'get' | 'update', number>; stored(id: string): Data };

/** Documents of the type `Actor` by their ids. */
export function memoryPort(documents: Record<string, Data>): Counted {
  const stored = new Map(Object.entries(documents).map(([id, data]) => [id, JSON.stringify(data)]));
  const calls = { get: 0, update: 0 };
  const read = (id: string) => {
    const text = stored.get(id);
    if (text === undefined) throw noDocument(id);
    return JSON.parse(text) as Data;
  };
  const unused = () => Promise.reject(new Error('not used in these tests'));
  return {
    calls,
    stored: read,
    types: unused,
    list: unused,
    create: unused,
    remove: unused,
    async checkType(documentType) {
      if (documentType !== 'Actor') throw unknownType(documentType, ['Actor']);
    },
    async get({ documentId }) {
      calls.get += 1;
      return { documentType: 'Actor', documentId, folderId: null, data: read(documentId) };
    },
    async update({ documentId }, { data }) {
      calls.update += 1;
      stored.set(documentId, JSON.stringify(data));
      return { documentType: 'Actor', documentId };
    },
  };
}
