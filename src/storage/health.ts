/** Whether the database is whole, as SQLite itself sees it. */
import { migrations } from './migrations/steps.js';
import type { Sql } from './sql.js';

const MOST = 5;

/** What is wrong with the file: pages, indexes, references between tables. Nothing: it is whole. */
export async function integrityFaults(sql: Sql): Promise<string[]> {
  const pages = await sql.all<{ integrity_check: string }>(`PRAGMA integrity_check(${MOST})`);
  const faults = pages.map((row) => row.integrity_check).filter((text) => text !== 'ok');
  const strays = await sql.all<{ table: string; parent: string }>('PRAGMA foreign_key_check');
  const pairs = new Set(strays.map(({ table, parent }) => `rows of ${table} refer to rows of ${parent} that are gone`));
  return [...faults, ...pairs].slice(0, MOST);
}

export type SchemaVersion = { found: number; known: number };

/** The schema that the file has now, and the newest one that this version knows. */
export async function schemaVersion(sql: Sql): Promise<SchemaVersion> {
  const row = await sql.get<{ user_version: number }>('SELECT user_version FROM pragma_user_version');
  return { found: row?.user_version ?? 0, known: migrations.length };
}
