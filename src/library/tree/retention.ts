/** Forgetting old history: row versions that ended before the retention time. */
import type { Sql } from '../../storage/sql.js';

/** Drops what was replaced at or before the last revision older than `before` (a time). */
export async function dropHistory(sql: Sql, before: number): Promise<void> {
  const row = await sql.get<{ horizon: number | null }>('SELECT max(revision) AS horizon FROM revisions WHERE at < ?', [
    before,
  ]);
  const horizon = row?.horizon;
  if (horizon == null) return;
  await sql.run('DELETE FROM node_history WHERE until <= ?', [horizon]);
  await sql.run('DELETE FROM payload_history WHERE until <= ?', [horizon]);
}
