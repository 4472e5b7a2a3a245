/** What must hold of every tree, whatever was done to it. */
import { expect } from 'vitest';
import { currentRevision } from '../../../src/library/tree/version.js';
import type { Database } from '../../../src/storage/sql.js';
import { type Dump, dumpAt } from './picture.js';

export const revisionNow = (database: Database): Promise<number> => database.read(currentRevision);

export const dumpNow = (database: Database): Promise<Dump> =>
  database.read(async (sql) => dumpAt(sql, await currentRevision(sql)));

/** Counts are right, nothing dangles, every node hangs on the root. */
export async function expectSound(database: Database): Promise<void> {
  const wrong = await database.read((sql) =>
    sql.all(
      `SELECT id FROM nodes WHERE child_count <> (SELECT count(*) FROM nodes AS child WHERE child.parent_id = nodes.id)
       UNION ALL SELECT node_id FROM tags WHERE node_id NOT IN (SELECT id FROM nodes)
       UNION ALL SELECT node_id FROM bookmarks WHERE node_id NOT IN (SELECT id FROM nodes)
       UNION ALL SELECT id FROM nodes WHERE id NOT IN (
         WITH RECURSIVE below (id) AS (
           SELECT 'library' UNION SELECT child.id FROM below JOIN nodes AS child ON child.parent_id = below.id
         ) SELECT id FROM below
       )`,
    ),
  );
  expect(wrong).toEqual([]);
}

/** The tree as of every revision, as it was noted when it was the latest. */
export class Past {
  private readonly dumps = new Map<number, Dump>();

  async note(database: Database): Promise<void> {
    const revision = await revisionNow(database);
    if (!this.dumps.has(revision)) this.dumps.set(revision, await dumpNow(database));
  }

  at(revision: number): Dump {
    return this.dumps.get(revision) as Dump;
  }

  revisions(): number[] {
    return [...this.dumps.keys()];
  }

  async expectUnchanged(database: Database): Promise<void> {
    for (const [revision, dump] of this.dumps) {
      expect(await database.read((sql) => dumpAt(sql, revision))).toEqual(dump);
    }
  }
}
