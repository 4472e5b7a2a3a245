/** A folder port on a fresh library, where each call is a transaction of its own. */
import { onTestFinished } from 'vitest';
import type { FolderPort } from '../../src/library/folders/folder.js';
import { libraryFolders } from '../../src/library/folders/library-folders.js';
import { openChange } from '../../src/library/tree/change.js';
import { idSource } from '../../src/library/tree/id.js';
import type { DriverName } from '../../src/storage/drivers/choose.js';
import { openDatabase } from '../../src/storage/open.js';
import type { Database, Sql } from '../../src/storage/sql.js';

export async function scratchDatabase(location = ':memory:'): Promise<Database> {
  const driver = (process.env.AI_ASSIST_SQLITE_DRIVER ?? 'auto') as DriverName;
  const database = await openDatabase({ location, driver });
  onTestFinished(() => database.close());
  return database;
}

const newId = idSource(Date.now);

/** The port, and `based` for a port whose calls carry a version. */
export function portOn(database: Database, version?: string): FolderPort {
  const change = (sql: Sql) =>
    libraryFolders(openChange({ sql, agent: 'test', tool: 'test', at: Date.now(), newId, version }));
  return {
    list: (query) => database.read((sql) => change(sql).list(query)),
    add: (name, position) => database.write((sql) => change(sql).add(name, position)),
    edit: (which, update) => database.write((sql) => change(sql).edit(which, update)),
    remove: (which) => database.write((sql) => change(sql).remove(which)),
    move: (which, position) => database.write((sql) => change(sql).move(which, position)),
  };
}
