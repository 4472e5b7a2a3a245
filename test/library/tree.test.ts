import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Folder } from '../../src/library/folders/folder.js';
import { nodesAt } from '../../src/library/tree/history.js';
import type { Node } from '../../src/library/tree/node.js';
import { currentRevision } from '../../src/library/tree/version.js';
import { openDatabase } from '../../src/storage/open.js';
import type { Database } from '../../src/storage/sql.js';
import { factor } from '../support/effort.js';
import { portOn, scratchDatabase } from '../support/library-port.js';
import { TreeModel } from './tree-model.js';
import { operations, runOperation } from './tree-operations.js';

const runs = 150 * factor;

test('F60 F61 F62 F64 F65 random operations agree with a naive tree, now and as of every revision', async () => {
  await fc.assert(
    fc.asyncProperty(operations, async (steps) => {
      const database = await openDatabase({ location: ':memory:' });
      const model = new TreeModel();
      const past = new Map<number, Folder[]>([[0, []]]);
      try {
        for (const step of steps) {
          await runOperation(database, model, step);
          past.set(await database.read(currentRevision), model.listing());
          await expectSound(database);
        }
        for (const [revision, folders] of past) expect(await listingAt(database, revision)).toEqual(folders);
      } finally {
        await database.close();
      }
    }),
    { numRuns: runs },
  );
});

/** No cycle, no orphan, no two siblings at one place. */
async function expectSound(database: Database): Promise<void> {
  const nodes = await database.read((sql) =>
    sql.all<{ id: string; parentId: string | null; rank: string }>('SELECT id, parent_id AS parentId, rank FROM nodes'),
  );
  const parents = new Map(nodes.map((node) => [node.id, node.parentId]));
  for (const node of nodes) {
    const seen = new Set<string>();
    let at: string | null = node.id;
    for (; at !== null && !seen.has(at); at = parents.get(at) ?? null) seen.add(at);
    expect(at).toBeNull();
    expect(seen.has('library')).toBe(true);
  }
  expect(new Set(nodes.map((node) => `${node.parentId} ${node.rank}`)).size).toBe(nodes.length);
}

async function listingAt(database: Database, revision: number): Promise<Folder[]> {
  const nodes = await database.read((sql) => nodesAt(sql, revision));
  const byPlace = (a: Node, b: Node) => (a.rank === b.rank ? (a.id < b.id ? -1 : 1) : a.rank < b.rank ? -1 : 1);
  const below = (parentId: string): Folder[] =>
    nodes
      .filter((node) => node.parentId === parentId)
      .sort(byPlace)
      .flatMap((node) => [
        {
          id: node.id,
          name: node.name ?? '',
          status: node.status as Folder['status'],
          parentId: parentId === 'library' ? null : parentId,
        },
        ...below(node.id),
      ]);
  return below('library');
}

test('F63 crowded siblings are spread anew, and nobody notices', async () => {
  const database = await scratchDatabase();
  const port = portOn(database);
  const first = await port.add('first', { placement: 'ending' });
  const last = await port.add('last', { placement: 'ending' });
  const expected = [last.id];
  for (let round = 0; round < 600; round++) {
    const { id } = await port.add(String(round), { placement: 'after', relativeTo: first.id });
    expected.unshift(id);
  }
  const ids = (await port.list({ includeChildren: true })).folders.map((folder) => folder.id);
  expect(ids).toEqual([first.id, ...expected]);
  const longest = await database.read((sql) =>
    sql.get<{ length: number }>('SELECT max(length(rank)) AS length FROM nodes'),
  );
  expect(longest?.length).toBeLessThanOrEqual(48);
  const spread = await database.read((sql) => sql.get('SELECT 1 FROM node_history WHERE id = ?', [last.id]));
  expect(spread, 'the siblings were spread at least once').toBeDefined();

  // Spreading is no change of the sibling: a writer that saw it before may still edit it.
  await portOn(database, last.version).edit({ id: last.id }, { newName: 'still last' });
  const early = await listingAt(database, 2);
  expect(early.map((folder) => folder.name)).toEqual(['first', 'last']);
});

test('F61 siblings with equal ranks, as an import might leave them, still have one order', async () => {
  const database = await scratchDatabase();
  const port = portOn(database);
  const ids: string[] = [];
  for (const name of ['a', 'b', 'c']) ids.push((await port.add(name, { placement: 'ending' })).id);
  await database.write((sql) => sql.run("UPDATE nodes SET rank = 'a5' WHERE type = 'folder'"));
  const between = await port.add('between', { placement: 'after', relativeTo: ids[0] as string });
  const listed = (await port.list({ includeChildren: true })).folders.map((folder) => folder.id);
  expect(listed).toEqual([ids[0], between.id, ids[1], ids[2]]);
});
