/** Forgetting old history: row versions that ended before the retention time, but for those a snapshot needs. */
import { writeSetting } from '../../storage/settings.js';
import type { Sql } from '../../storage/sql.js';
import { HORIZON } from './tree.js';

const histories = ['node_history', 'payload_history', 'tag_history', 'bookmark_history'];

/** Drops what was replaced at or before the last revision older than `before` (a time). */
export async function dropHistory(sql: Sql, before: number): Promise<void> {
  const row = await sql.get<{ horizon: number | null }>('SELECT max(revision) AS horizon FROM revisions WHERE at < ?', [
    before,
  ]);
  const horizon = row?.horizon;
  if (horizon == null) return;
  for (const table of histories) {
    await sql.run(
      `DELETE FROM ${table} WHERE until <= ?
       AND NOT EXISTS (SELECT 1 FROM snapshots WHERE revision >= ${table}.since AND revision < ${table}.until)`,
      [horizon],
    );
  }
  await writeSetting(sql, HORIZON, String(horizon));
}
