import { describe, expect, test } from 'vitest';
import { ada, type Call, create, dataOf, documentsWorkspace } from './documents-workspace.js';

const addFolder = async (call: Call, name: string, parentId?: string) => {
  const position = { placement: 'ending', ...(parentId && { relativeTo: parentId }) };
  return String((await call('add_folder', { name, position })).id);
};

const update = (documentId: string, more: object, documentType = 'Actor') => ({ documentType, documentId, ...more });

describe('documents are nodes of the library', () => {
  test('D40 they stand in folders, and views, searches and tags know them', async () => {
    const call = await documentsWorkspace();
    const folder = await addFolder(call, 'Heroes');
    const id = await create(call, 'Actor', ada, folder);
    expect(await call('list_children', { nodeId: folder })).toMatchObject({
      children: [{ nodeId: id, payloadType: 'Actor', payload: ada }],
    });
    expect(await call('select_nodes', { queryDsl: 'Actor[system.hp>3]' })).toMatchObject({ nodes: [{ nodeId: id }] });
    const viewed = await call('get_view', { rootNodeId: folder });
    expect(JSON.stringify(viewed)).toContain(id);
    const { version } = await call('get_document', { documentId: id });
    expect(await call('tag_node', { nodeId: id, tags: ['pc'], version })).toMatchObject({ success: true });
    expect(await call('query_by_tag', { tag: 'pc' })).toMatchObject({ nodes: [{ nodeId: id }] });
    expect(await call('get_path', { nodeId: id })).toMatchObject({ path: [{}, { name: 'Heroes' }, { name: 'Ada' }] });
  });

  test('D41 a new document goes to the end of its folder, or to the top', async () => {
    const call = await documentsWorkspace();
    const folder = await addFolder(call, 'Heroes');
    const made = await call('create_document', { documentType: 'Actor', data: ada, folderId: folder });
    expect(made).toMatchObject({ success: true, documentType: 'Actor', documentId: expect.any(String), name: 'Ada' });
    const second = await create(call, 'Actor', { name: 'Eve' }, folder);
    const top = await create(call, 'note', {});
    expect(await call('list_children', { nodeId: folder })).toMatchObject({
      children: [{ nodeId: made.documentId }, { nodeId: second }],
    });
    expect(await call('get_document', { documentId: top })).toMatchObject({ document: { folderId: null, data: {} } });
    const refused = (more: object) => call('create_document', { documentType: 'note', data: {}, ...more });
    expect(await refused({ folderId: 'nowhere' })).toMatchObject({
      error: "Invalid folderId 'nowhere': folder not found",
      error_type: 'not_found',
    });
    expect(await refused({ folderId: top })).toMatchObject({ error_type: 'not_found' });
    expect(await refused({ documentType: 'ghost' })).toMatchObject({
      instruction: 'Use one of Actor, note.',
      error: "Invalid documentType 'ghost': unknown type",
    });
    expect(await refused({ documentType: 'folder' })).toMatchObject({
      error: "Invalid documentType 'folder': not a type of documents",
      error_type: 'invalid_argument',
    });
    expect(await refused({ data: [] })).toMatchObject({ error_type: 'invalid_argument' });
    expect(await refused({ folderId: null })).toMatchObject({ success: true });
  });

  test('D42 all violations of the schema are listed by their paths', async () => {
    const call = await documentsWorkspace();
    const wrong = { system: { hp: 'many', bonds: ['sea', 7] } };
    const paths = [{ path: 'name' }, { path: 'system.hp' }, { path: 'system.bonds.1' }];
    const created = await call('create_document', { documentType: 'Actor', data: wrong });
    expect(created).toMatchObject({ error_type: 'invalid_argument', violations: paths });
    const id = await create(call, 'Actor', ada);
    const changed = await call(
      'update_document',
      update(id, {
        updates: { 'system.hp': 'many', name: 3 },
        operations: [{ path: 'system.bonds', action: 'replace', index: 1, value: 7 }],
      }),
    );
    expect(changed).toMatchObject({
      violations: [{ path: 'name' }, { path: 'system.hp' }, { path: 'system.bonds.1' }],
    });
    expect(await dataOf(call, id)).toEqual(ada);
  });

  test('D43 updates have history, can be undone, and stand in snapshots', async () => {
    const call = await documentsWorkspace();
    const id = await create(call, 'Actor', ada);
    const first = await call('get_document', { documentId: id });
    await call('snapshot_create', { label: 'before', version: first.version });
    const operations = [{ path: 'system.bonds', action: 'delete', index: 0 }];
    await call('update_document', update(id, { operations }));
    expect(await call('get_node', { nodeId: id, atVersion: first.version })).toMatchObject({ node: { payload: ada } });
    expect(await call('history', { nodeId: id })).toMatchObject({ success: true });
    const { version } = await call('get_document', { documentId: id });
    expect(await call('undo', { version })).toMatchObject({ success: true });
    expect(await dataOf(call, id)).toEqual(ada);
    await call('delete_document', { documentId: id });
    const now = (await call('list_documents')).version;
    const restored = await call('snapshot_restore', { snapshotId: 'before', version: now });
    expect(restored).toMatchObject({ success: true });
    expect(await dataOf(call, id)).toEqual(ada);
  });

  test('D44 two agents who edit different arrays of one document lose nothing', async () => {
    const call = await documentsWorkspace();
    const id = await create(call, 'note', { left: [], right: [] });
    let conflicts = 0;
    /** Adds numbers to an array, each with the version that was read before it. */
    const edit = async (agent: string, path: string) => {
      for (let value = 0; value < 20; ) {
        const { version } = await call('get_document', { documentId: id }, { agent });
        const operations = [{ path, action: 'insert', value }];
        const answer = await call('update_document', { ...update(id, { operations }, 'note'), version }, { agent });
        if (answer.success) value += 1;
        else {
          expect(answer).toMatchObject({ error_type: 'conflict', currentVersion: expect.any(String) });
          conflicts += 1;
        }
      }
    };
    await Promise.all([edit('ann', 'left'), edit('bob', 'right')]);
    const all = Array.from({ length: 20 }, (_, value) => value);
    expect(await dataOf(call, id)).toEqual({ left: all, right: all });
    expect(conflicts).toBeGreaterThan(0);
  });

  test('D44 a version that is out of date changes nothing, though nothing would differ', async () => {
    const call = await documentsWorkspace();
    const id = await create(call, 'Actor', ada);
    const { version } = await call('get_document', { documentId: id });
    await call('update_document', update(id, { updates: { name: 'Eve' } }));
    for (const name of ['Ann', 'Eve']) {
      expect(await call('update_document', update(id, { updates: { name }, version }))).toMatchObject({
        error_type: 'conflict',
      });
    }
    expect(await call('delete_document', { documentId: id, version })).toMatchObject({ error_type: 'conflict' });
  });

  test('D45 a protected property is changed by an owner only', async () => {
    const call = await documentsWorkspace();
    const id = await create(call, 'Actor', { ...ada, system: { ...ada.system, key: 'k' } });
    const editor = { role: 'editor', agent: 'ed' } as const;
    const asEditor = (more: object) => call('update_document', update(id, more), editor);
    expect(await asEditor({ updates: { 'system.key': 'x' } })).toMatchObject({ error_type: 'forbidden' });
    expect(await asEditor({ patch: [{ op: 'remove', path: '/system' }] })).toMatchObject({ error_type: 'forbidden' });
    expect(await asEditor({ updates: { 'system.key': 'k', 'system.hp': 1 } })).toMatchObject({
      changed: ['system.hp'],
    });
    expect(await asEditor({ patch: [{ op: 'remove', path: '/system/hp' }] })).toMatchObject({ changed: ['system.hp'] });
    expect(await call('update_document', update(id, { updates: { 'system.key': 'x' } }))).toMatchObject({
      success: true,
    });
  });

  test('D46 a deleted document is gone, and answers what it was', async () => {
    const call = await documentsWorkspace();
    const id = await create(call, 'Actor', ada);
    expect(await call('delete_document', { documentId: id, documentType: 'note' })).toMatchObject({
      error: `Invalid documentId '${id}': it is of the type 'Actor', not 'note'`,
      error_type: 'not_found',
    });
    expect(await call('delete_document', { documentId: id, dryRun: true })).toMatchObject({
      success: true,
      dryRun: true,
    });
    const gone = await call('delete_document', { documentId: id, documentType: 'Actor' });
    expect(gone).toMatchObject({ success: true, documentType: 'Actor', documentId: id, name: 'Ada' });
    expect(await call('get_document', { documentId: id })).toMatchObject({ error_type: 'not_found' });
    expect(await call('delete_document', { documentId: id })).toMatchObject({ error_type: 'not_found' });
  });

  test('D47 a payload that two documents share changes in both', async () => {
    const call = await documentsWorkspace();
    const id = await create(call, 'note', { list: [1] });
    const { version } = await call('get_document', { documentId: id });
    const copy = { sourceId: id, targetParentId: 'library', mode: 'reference', version };
    const { nodeId } = await call('copy_subtree', copy);
    await call('update_document', update(id, { operations: [{ path: 'list', action: 'insert', value: 2 }] }, 'note'));
    expect(await dataOf(call, String(nodeId))).toEqual({ list: [1, 2] });
  });

  test('D10 a call that changes nothing succeeds and makes no revision', async () => {
    const call = await documentsWorkspace();
    const id = await create(call, 'Actor', ada);
    const { version } = await call('get_document', { documentId: id });
    const same = { updates: { name: 'Ada', system: { bonds: [...ada.system.bonds] } } };
    expect(await call('update_document', update(id, same))).toMatchObject({
      success: true,
      changed: [],
      content: `Updated Actor ${id}: nothing differs`,
      version,
    });
    expect(await call('update_document', update(id, { patch: [] }))).toMatchObject({ success: true, version });
  });

  test('D1 an answer stays small, however much changed', async () => {
    const call = await documentsWorkspace();
    const id = await create(call, 'note', {});
    const entries = Array.from({ length: 1000 }, (_, index) => [`${'k'.repeat(1000)}${index}`, index]);
    const answer = await call('update_document', update(id, { updates: Object.fromEntries(entries) }, 'note'));
    expect(answer.content).toMatch(/ and 995 more$/);
    expect(answer.changed).toHaveLength(200);
    expect(JSON.stringify(answer).length).toBeLessThan(100_000);
    expect(Object.keys(await dataOf(call, id))).toHaveLength(1000);
  });

  test('D28 prototype keys are refused in values', async () => {
    const call = await documentsWorkspace();
    const value = JSON.parse('{"__proto__":{"x":1}}');
    const id = await create(call, 'note', {});
    const operations = [{ path: 'list', action: 'insert', value }];
    expect(await call('update_document', update(id, { operations }, 'note'))).toMatchObject({
      error_type: 'invalid_argument',
    });
    expect(await call('create_document', { documentType: 'note', data: value })).toMatchObject({
      error_type: 'invalid_argument',
    });
  });
});

describe('reading documents', () => {
  test('D50 D51 a document comes whole, or by paths', async () => {
    const call = await documentsWorkspace();
    const folder = await addFolder(call, 'Heroes');
    const id = await create(call, 'Actor', ada, folder);
    const whole = await call('get_document', { documentId: id, documentType: 'Actor' });
    expect(whole).toEqual({
      success: true,
      document: { documentType: 'Actor', documentId: id, folderId: folder, data: ada },
      version: expect.any(String),
    });
    expect(
      await call('get_document', { documentId: id, paths: ['system.bonds.1', 'system.hp', 'ghost.x'] }),
    ).toMatchObject({
      document: { data: { 'system.bonds.1': 'home', 'system.hp': 7 } },
      missing: ['ghost.x'],
    });
  });

  test('D52 a listing agrees with a plain filter over all documents', async () => {
    const call = await documentsWorkspace();
    const outer = await addFolder(call, 'outer');
    const inner = await addFolder(call, 'inner', outer);
    const places = [undefined, outer, inner];
    const all: { id: string; type: string; place: string | undefined; stars: number }[] = [];
    for (let index = 0; index < 36; index++) {
      const [type, place, stars] = [index % 2 ? 'note' : 'Actor', places[index % 3], index % 5];
      all.push({ id: await create(call, type, { name: `d${index}`, stars }, place), type, place, stars });
    }
    const idsOf = async (query: object) => {
      const listed = (await call('list_documents', query)) as unknown as { documents: { documentId: string }[] };
      return listed.documents.map(({ documentId }) => documentId);
    };
    for (const documentType of [undefined, 'note', 'Actor']) {
      for (const folderId of [undefined, null, 'library', outer, inner]) {
        for (const includeChildren of [true, false]) {
          for (const least of [undefined, 2, 9]) {
            const filter = least === undefined ? undefined : { path: 'stars', op: 'gt', value: least };
            const top = folderId === undefined || folderId === null || folderId === 'library';
            const expected = all.filter(
              ({ type, place, stars }) =>
                (documentType === undefined || type === documentType) &&
                (least === undefined || stars > least) &&
                (includeChildren
                  ? top || place === folderId || (folderId === outer && place === inner)
                  : place === (top ? undefined : folderId)),
            );
            const query = { documentType, folderId, includeChildren, filter };
            expect(await idsOf(query), JSON.stringify(query)).toEqual(expected.map(({ id }) => id));
          }
        }
      }
    }
  });

  test('D52 D53 lines have names, and data where paths are asked for; pages follow each other', async () => {
    const call = await documentsWorkspace();
    const ids: string[] = [];
    for (let index = 0; index < 7; index++) ids.push(await create(call, 'note', { name: `n${index}`, list: [index] }));
    await create(call, 'note', { name: 7 });
    const first = await call('list_documents', { documentType: 'note', limit: 3, paths: ['list.0', 'ghost'] });
    expect(first).toMatchObject({
      documents: [0, 1, 2].map((n) => ({ documentId: ids[n], name: `n${n}`, folderId: null, data: { 'list.0': n } })),
    });
    const query = { documentType: 'note', limit: 3, paths: ['list.0', 'ghost'], pageToken: first.nextPageToken };
    await call('delete_document', { documentId: ids[4] });
    await create(call, 'note', { name: 'late' });
    const second = await call('list_documents', query);
    expect(second).toMatchObject({ documents: [{ name: 'n3' }, { name: 'n4' }, { name: 'n5' }] });
    const third = await call('list_documents', { ...query, pageToken: second.nextPageToken });
    expect(third.documents).toMatchObject([{ name: 'n6' }, { folderId: null }]);
    expect(third).not.toHaveProperty('nextPageToken');
    expect(await call('list_documents', { ...query, documentType: 'Actor' })).toMatchObject({
      error: 'pageToken: not a token of this query and this agent',
    });
    expect(await call('list_documents', query, { agent: 'eve' })).toMatchObject({ error_type: 'invalid_argument' });
  });

  test.each([
    ['get_document', { documentId: '' }, 'documentId: must not be empty'],
    ['get_document', { documentId: 'library' }, "Invalid documentId 'library': document not found"],
    ['get_document', { documentId: 'ghost' }, "Invalid documentId 'ghost': document not found"],
    ['get_document', { documentId: 'x', paths: ['a..b'] }, "paths.0: 'a..b' is not a path: a key is empty"],
    ['get_document', { documentId: 'x', documentType: 'ghost' }, "Invalid documentType 'ghost': unknown type"],
    ['list_documents', { documentType: 'folder' }, "Invalid documentType 'folder': not a type of documents"],
    ['list_documents', { folderId: 'ghost' }, "Invalid folderId 'ghost': folder not found"],
    ['list_documents', { filter: { path: 'x', op: 'near', value: 1 } }, /^filter\.op: expected one of/],
    ['list_documents', { limit: 9999 }, /more than a page may have/],
    ['update_document', { documentType: 'note', documentId: '', updates: { x: 1 } }, 'documentId: must not be empty'],
    ['delete_document', { documentId: '' }, 'documentId: must not be empty'],
  ])('D54 %s %j is refused', async (tool, input, error) => {
    const call = await documentsWorkspace();
    expect(await call(tool, input)).toMatchObject({ success: false, error: expect.stringMatching(error) });
  });

  test('D54 a folder is no document', async () => {
    const call = await documentsWorkspace();
    const folder = await addFolder(call, 'x');
    expect(await call('get_document', { documentId: folder })).toMatchObject({ error_type: 'not_found' });
    expect(await call('delete_document', { documentId: folder })).toMatchObject({ error_type: 'not_found' });
  });
});
