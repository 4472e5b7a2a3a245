/** Two routes through a folder, by what is in it and by all there is, give one answer. */
import { expect, test } from 'vitest';
import type { DocumentQuery } from '../../../src/library/documents/document.js';
import { libraryDocuments } from '../../../src/library/documents/library-documents.js';
import { listLibrary } from '../../../src/library/documents/library-listing.js';
import { openChange } from '../../../src/library/tree/change.js';
import { idSource } from '../../../src/library/tree/id.js';
import { usualPace } from '../../../src/library/tree/query/pace.js';
import { parsePredicate } from '../../../src/library/tree/query/predicate.js';
import { saveType } from '../../../src/library/tree/types.js';
import type { Sql } from '../../../src/storage/sql.js';
import { portOn, scratchDatabase } from '../../support/library-port.js';

const newId = idSource(Date.now);
const routes = { 'what is in it': usualPace, 'all there is': { ...usualPace, small: 0 } };

async function library() {
  const database = await scratchDatabase();
  const folders = portOn(database);
  const outer = (await folders.add('outer', { placement: 'ending' })).id;
  const inner = (await folders.add('inner', { placement: 'ending', relativeTo: outer })).id;
  const at = (sql: Sql) =>
    libraryDocuments(openChange({ sql, agent: 'test', tool: 'test', at: Date.now(), newId }), 'test');
  await database.write(async (sql) => {
    for (const name of ['Actor', 'note'])
      await saveType(sql, { name, schema: null, protectedPaths: [], allowedParents: null });
    for (let index = 0; index < 300; index++)
      await at(sql).create(index % 7 ? 'note' : 'Actor', { stars: index % 5 }, [undefined, outer, inner][index % 3]);
  });
  const remove = (documentId: string) => database.write((sql) => at(sql).remove({ documentId }));
  /** All pages of a query, and something else that happens behind the first. */
  const all = async (query: Partial<DocumentQuery>, route: keyof typeof routes, meanwhile?: () => Promise<unknown>) => {
    const ids: string[] = [];
    for (let pageToken: string | undefined, turn = 0; turn === 0 || pageToken; turn++) {
      const whole = { includeChildren: true, limit: 11, asked: query, pageToken, ...query };
      const page = await database.read((sql) => listLibrary(sql, whole, 'test', routes[route]));
      ids.push(...page.documents.map(({ documentId }) => documentId));
      pageToken = page.nextPageToken;
      if (turn === 0) await meanwhile?.();
    }
    return ids;
  };
  return { all, outer, inner, remove };
}

test('D52 a folder is listed the same by what is in it and by all there is', async () => {
  const { all, outer, inner } = await library();
  for (const documentType of [undefined, 'Actor', 'note']) {
    for (const predicate of [undefined, parsePredicate({ path: 'stars', op: 'gt', value: 2 }, 'filter')]) {
      for (const folderId of [outer, inner]) {
        const query = { documentType, predicate, folderId };
        const ids = await all(query, 'what is in it');
        expect(ids).toEqual(ids.toSorted());
        expect(ids.length).toBeGreaterThan(3);
        expect(await all(query, 'all there is')).toEqual(ids);
      }
    }
  }
});

test('D53 both routes read later pages as the first page was read', async () => {
  const { all, outer, remove } = await library();
  for (const route of ['what is in it', 'all there is'] as const) {
    const query = { folderId: outer };
    const before = await all(query, route);
    expect(await all(query, route, () => remove(before.at(-1) as string))).toEqual(before);
    expect(await all(query, route)).toEqual(before.slice(0, -1));
  }
});
