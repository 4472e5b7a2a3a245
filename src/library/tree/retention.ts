/** Forgetting old history: row versions that ended before the retention time, but for those a snapshot needs. */
import { writeSetting } from '../../storage/settings.js';
import type { Sql } from '../../storage/sql.js';
import { HORIZON } from './tree.js';
import { currentRevision } from './version.js';

const histories = ['node_history', 'payload_history', 'tag_history', 'bookmark_history'];

/**
 * Drops what was replaced before the first revision that is younger than `before` (a time). The
 * first one counts, not the last older one: a clock may have been wrong for a while.
 */
export async function dropHistory(sql: Sql, before: number): Promise<void> {
  const young = await sql.get<{ revision: number | null }>(
    'SELECT min(revision) AS revision FROM revisions WHERE at >= ?',
    [before],
  );
  const horizon = young?.revision == null ? await currentRevision(sql) : young.revision - 1;
  if (horizon < 1) return;
  for (const table of histories) {
    await sql.run(
      `DELETE FROM ${table} WHERE until <= ?
       AND NOT EXISTS (SELECT 1 FROM snapshots WHERE revision >= ${table}.since AND revision < ${table}.until)`,
      [horizon],
    );
  }
  await sql.run(
    `DELETE FROM payloads WHERE NOT EXISTS (SELECT 1 FROM nodes WHERE payload_id = payloads.id)
     AND NOT EXISTS (SELECT 1 FROM node_history WHERE payload_id = payloads.id)`,
  );
  await writeSetting(sql, HORIZON, String(horizon));
}
