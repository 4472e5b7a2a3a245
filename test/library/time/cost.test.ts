import { expect, test } from 'vitest';
import { openChange } from '../../../src/library/tree/change.js';
import { addNode, removeNode, setProperties } from '../../../src/library/tree/edit.js';
import type { StoredNode } from '../../../src/library/tree/node.js';
import { findNode } from '../../../src/library/tree/read.js';
import { addTags } from '../../../src/library/tree/tags.js';
import { diffBetween } from '../../../src/library/tree/time/diff.js';
import { listRevisions, listRevisionsOf } from '../../../src/library/tree/time/history.js';
import { createSnapshot, restoreSnapshot } from '../../../src/library/tree/time/snapshots.js';
import { redoLast, undoLast } from '../../../src/library/tree/time/undo.js';
import { currentRevision } from '../../../src/library/tree/version.js';
import type { Database, Sql } from '../../../src/storage/sql.js';
import { request, withTree } from './random-tree.js';

/** Runs work and answers its statements that read a table of the tree from end to end. */
async function scansOf(database: Database, work: (sql: Sql) => Promise<unknown>): Promise<string[]> {
  const statements = new Map<string, Parameters<Sql['all']>[1]>();
  await database.write(async (sql) => {
    const noting =
      <Result>(run: (text: string, params?: Parameters<Sql['all']>[1]) => Promise<Result>) =>
      (text: string, params: Parameters<Sql['all']>[1] = []) => {
        statements.set(text, params);
        return run(text, params);
      };
    await work({ all: noting(sql.all), get: noting(sql.get), run: noting(sql.run) } as Sql);
  });
  const scans: string[] = [];
  for (const [text, params] of statements) {
    if (!text.startsWith('SELECT')) continue;
    const plan = await database.read((sql) => sql.all<{ detail: string }>(`EXPLAIN QUERY PLAN ${text}`, params));
    for (const { detail } of plan)
      if (/^SCAN (nodes|payloads|tags|\w+_history)/.test(detail)) scans.push(`${detail}: ${text}`);
  }
  return scans;
}

async function makeTree(database: Database): Promise<string> {
  return database.write(async (sql) => {
    const change = openChange(request(sql, 'ann'));
    const parent = (await findNode(sql, 'library')) as StoredNode;
    const folder = await addNode(change, { parent, edge: 'last' }, 'folder', { name: 'all' });
    const place = { parent: (await findNode(sql, folder)) as StoredNode, edge: 'last' } as const;
    for (let count = 0; count < 50; count++) await addNode(change, place, 'note', { name: `${count}` });
    return folder;
  });
}

test('T314 T326 T335 T344 diffs, restores, undo and history find what changed by indexes, not by reading the tree', async () => {
  await withTree(async (database) => {
    const folder = await makeTree(database);
    const snapshot = await database.write((sql) => createSnapshot(openChange(request(sql, 'ann')), 'start'));
    await database.write(async (sql) => {
      const change = openChange(request(sql, 'ann'));
      const children = await sql.all<{ id: string }>('SELECT id FROM nodes WHERE parent_id = ?', [folder]);
      const [first, second, third] = children.map(({ id }) => id) as [string, string, string];
      await setProperties(change, first, [{ path: ['name'], value: 'other' }]);
      await removeNode(change, second);
      await addTags(change, third, ['x']);
    });
    const latest = await database.read(currentRevision);
    const whole = { from: 0, to: latest, before: undefined, limit: 50 };
    const open = (sql: Sql) => openChange(request(sql, 'ann', `r${latest}`));
    const works: ((sql: Sql) => Promise<unknown>)[] = [
      (sql) => diffBetween(sql, snapshot.revision, latest),
      (sql) => diffBetween(sql, latest, snapshot.revision),
      (sql) => listRevisions(sql, whole),
      (sql) => listRevisionsOf(sql, folder, whole),
      (sql) => undoLast(openChange(request(sql, 'ann'))),
      (sql) => redoLast(openChange(request(sql, 'ann'))),
      (sql) => createSnapshot(open(sql), 'again'),
      (sql) => restoreSnapshot(openChange(request(sql, 'ann')), snapshot.id, 'snapshotId'),
    ];
    for (const work of works) {
      const scans = await scansOf(database, work);
      expect(scans.filter((scan) => !scan.startsWith('SCAN bookmark_history'))).toEqual([]);
    }
  });
});
