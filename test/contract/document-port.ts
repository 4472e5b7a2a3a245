/** What every keeper of documents must do. Call it with a function that opens an empty one with the types Actor and Item. */
import { beforeEach, describe, expect, test } from 'vitest';
import type { Data, DocumentPort, DocumentQuery } from '../../src/library/documents/document.js';
import { updateDocument } from '../../src/library/documents/update.js';
import { parsePredicate } from '../../src/library/tree/query/predicate.js';

export type OpenKeeper = () => Promise<{
  port: DocumentPort;
  /** Makes a folder for actors, in another one or at the top, and answers its id. */
  addFolder(parentId?: string): Promise<string>;
}>;

const limits = { maxDepth: 50, maxInputBytes: 1e6 };

export function documentContract(keeper: string, open: OpenKeeper): void {
  describe(`documents of ${keeper}`, () => {
    let port: DocumentPort;
    let addFolder: (parentId?: string) => Promise<string>;
    beforeEach(async () => {
      ({ port, addFolder } = await open());
    });

    const hero = {
      name: 'Ada',
      system: { hp: 7, bonds: ['sea', 'home', 'debt'], purse: { gold: 3 }, list: [{ tags: ['a'] }] },
    };
    const create = async (data: Data = hero, folderId?: string) =>
      (await port.create('Actor', data, folderId)).documentId;
    const dataOf = async (documentId: string) => (await port.get({ documentType: 'Actor', documentId })).data;
    const update = (documentId: string, request: object) =>
      updateDocument(port, { documentType: 'Actor', documentId, ...request }, limits);
    const idsOf = async (query: Partial<DocumentQuery>) => {
      const whole = { includeChildren: true, limit: 50, asked: query, ...query };
      return (await port.list(whole)).documents.map(({ documentId }) => documentId);
    };

    test('D60 a document that was created is there, with its data', async () => {
      const made = await port.create('Actor', hero, undefined);
      expect(made).toMatchObject({ documentType: 'Actor', documentId: expect.any(String), name: 'Ada' });
      expect(await port.get({ documentType: 'Actor', documentId: made.documentId })).toMatchObject({
        documentType: 'Actor',
        documentId: made.documentId,
        folderId: null,
        data: hero,
      });
    });

    test('D60 updates and operations change what they name, and nothing else', async () => {
      const id = await create();
      const answer = await update(id, {
        updates: { 'system.hp': 9, system: { purse: { silver: 1 } } },
        operations: [
          { path: 'system.bonds', action: 'delete', index: 2 },
          { path: 'system.list.0.tags', action: 'insert', value: 'b' },
          { path: 'system.fresh', action: 'insert', value: 1 },
        ],
      });
      expect(answer).toMatchObject({ documentType: 'Actor', documentId: id, name: 'Ada' });
      expect(await dataOf(id)).toMatchObject({
        name: 'Ada',
        system: {
          hp: 9,
          bonds: ['sea', 'home'],
          purse: { gold: 3, silver: 1 },
          list: [{ tags: ['a', 'b'] }],
          fresh: [1],
        },
      });
      await update(id, { operations: [{ path: 'system.bonds', action: 'delete', index: 0 }] });
      expect(await dataOf(id)).toMatchObject({ system: { hp: 9, bonds: ['home'] } });
    });

    test('D60 a patch works too, and a change of nothing succeeds', async () => {
      const id = await create();
      await update(id, { patch: [{ op: 'replace', path: '/system/bonds/0', value: 'sky' }] });
      const before = await dataOf(id);
      expect(before).toMatchObject({ system: { bonds: ['sky', 'home', 'debt'] } });
      expect((await update(id, { updates: { name: 'Ada', 'system.hp': 7 } })).differences).toEqual([]);
      expect(await dataOf(id)).toEqual(before);
    });

    test('D60 a failing operation leaves the document as it was', async () => {
      const id = await create();
      const before = await dataOf(id);
      const operations = [
        { path: 'system.bonds', action: 'delete', index: 0 },
        { path: 'system.bonds', action: 'delete', index: 2 },
      ];
      await expect(update(id, { updates: { name: 'Eve' }, operations })).rejects.toThrow('Operation 2: system.bonds');
      expect(await dataOf(id)).toEqual(before);
    });

    test('D60 an unknown type, and a document that is not there', async () => {
      await expect(port.checkType('Ghost')).rejects.toMatchObject({
        type: 'invalid_argument',
        message: "Invalid documentType 'Ghost': unknown type",
      });
      const nobody = { documentType: 'Actor', documentId: 'nobody0000000000' };
      const missing = { type: 'not_found', message: "Invalid documentId 'nobody0000000000': document not found" };
      await expect(port.get(nobody)).rejects.toMatchObject(missing);
      await expect(port.remove(nobody)).rejects.toMatchObject(missing);
      await expect(update('nobody0000000000', { updates: { name: 'x' } })).rejects.toMatchObject(missing);
    });

    test('D60 a document that was removed is gone', async () => {
      const id = await create();
      const other = await create();
      expect(await port.remove({ documentType: 'Actor', documentId: id })).toMatchObject({
        documentId: id,
        name: 'Ada',
      });
      await expect(dataOf(id)).rejects.toMatchObject({ type: 'not_found' });
      expect(await idsOf({ documentType: 'Actor' })).toEqual([other]);
    });

    test('D60 documents are listed by type, folder and filter, and page by page', async () => {
      const outer = await addFolder();
      const inner = await addFolder(outer);
      const [top, first, second] = [
        await create({ name: 'top', stars: 1 }),
        await create({ name: 'first', stars: 2 }, outer),
        await create({ name: 'second', stars: 3 }, inner),
      ];
      const item = (await port.create('Item', { name: 'sword' }, undefined)).documentId;
      const sorted = (...ids: string[]) => ids.toSorted();
      const of = { documentType: 'Actor' };
      expect(await idsOf(of)).toEqual(sorted(top, first, second));
      expect(await idsOf({})).toEqual(sorted(top, first, second, item));
      expect(await idsOf({ ...of, folderId: outer })).toEqual(sorted(first, second));
      expect(await idsOf({ ...of, folderId: outer, includeChildren: false })).toEqual([first]);
      expect(await idsOf({ ...of, includeChildren: false })).toEqual([top]);
      const predicate = parsePredicate({ path: 'stars', op: 'gt', value: 1 }, 'filter');
      expect(await idsOf({ ...of, predicate })).toEqual(sorted(first, second));
      await expect(idsOf({ ...of, folderId: 'ghost' })).rejects.toThrow("Invalid folderId 'ghost': folder not found");

      const query = { ...of, includeChildren: true, pick: (data: Data) => data, limit: 2, asked: of };
      const page = await port.list(query);
      expect(page.documents).toHaveLength(2);
      expect(page.documents[0]).toMatchObject({ documentType: 'Actor', data: { name: expect.any(String) } });
      const rest = await port.list({ ...query, pageToken: page.nextPageToken });
      expect(rest.documents.map(({ documentId }) => documentId)).toEqual(sorted(top, first, second).slice(2));
      expect(rest).not.toHaveProperty('nextPageToken');
      await expect(
        port.list({ ...query, asked: { other: true }, pageToken: page.nextPageToken }),
      ).rejects.toMatchObject({
        type: 'invalid_argument',
      });
    });

    test('D60 D62 its types are listed, and a new document stands in its folder', async () => {
      const { types } = await port.types();
      expect(types.map(({ documentType }) => documentType)).toEqual(expect.arrayContaining(['Actor', 'Item']));
      const folder = await addFolder();
      const id = await create(hero, folder);
      expect(await port.get({ documentType: 'Actor', documentId: id })).toMatchObject({ folderId: folder });
    });
  });
}
