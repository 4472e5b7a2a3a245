/** A database from before documents had marks. */
import path from 'node:path';
import { expect, test } from 'vitest';
import { chooseDriver, type DriverName } from '../../src/storage/drivers/choose.js';
import { migrations } from '../../src/storage/migrations/steps.js';
import { scratchDatabase } from '../support/library-port.js';
import { scratchFolder } from '../support/scratch.js';
import { folderSource } from './folder-source.mjs';
import { contentOf, expectWhole } from './indexed.js';
import { folderOf, sync, watched } from './syncing.js';

/** Takes the last steps of the schema back, as far as they are about documents. */
const BEFORE_MARKS = `
  CREATE TABLE file_stats (
    collection TEXT NOT NULL, path TEXT NOT NULL, size INTEGER NOT NULL, mtime_ms REAL NOT NULL,
    ctime_ms REAL NOT NULL, inode INTEGER NOT NULL, PRIMARY KEY (collection, path)
  ) WITHOUT ROWID;
  INSERT INTO file_stats SELECT collection, path, 1, 1.5, 1.5, 1 FROM document_marks;
  DROP TABLE document_marks;`;

test('C407 a database from before keeps its documents, and the next sync reads each file once', async () => {
  const location = path.join(scratchFolder(), 'data.db');
  const folder = folderOf({ 'a.md': '# A', 'b.md': '# B' });
  const first = await scratchDatabase(location);
  await sync(first, folderSource(folder));
  const before = await contentOf(first, ['a']);
  await first.close();

  const old = chooseDriver((process.env.AI_ASSIST_SQLITE_DRIVER ?? 'auto') as DriverName).connect(location);
  old.exec(BEFORE_MARKS);
  old.exec(migrations[3] as string);
  old.close();

  const database = await scratchDatabase(location);
  await expectWhole(database);
  for (const reads of [['a.md', 'b.md'], []]) {
    const noted = watched(folderSource(folder));
    expect(await sync(database, noted.source)).toMatchObject({ status: 'unchanged', documents: 2 });
    expect(noted.reads).toEqual(reads);
  }
  expect(await contentOf(database, ['a'])).toEqual(before);
});
