/** Settings of the database itself, by name. */
import type { Sql } from './sql.js';

export async function readSetting(sql: Sql, name: string): Promise<string | undefined> {
  return (await sql.get<{ value: string }>('SELECT value FROM settings WHERE name = ?', [name]))?.value;
}

export async function writeSetting(sql: Sql, name: string, value: string): Promise<void> {
  await sql.run(
    'INSERT INTO settings (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value',
    [name, value],
  );
}
