/** Rows as of a revision, for many keys at once. */
import type { Sql } from '../../../storage/sql.js';
import type { PayloadRow } from './differences.js';

const listed = 'IN (SELECT value FROM json_each(?))';

/** The texts of payloads as of a revision, by id. */
export async function payloadsAt(sql: Sql, revision: number, ids: Iterable<string>): Promise<Map<string, string>> {
  const wanted = JSON.stringify([...ids]);
  const rows = await sql.all<PayloadRow>(
    `SELECT id, data FROM payloads WHERE id ${listed} AND +since <= ?
     UNION ALL
     SELECT id, data FROM payload_history WHERE id ${listed} AND +since <= ? AND until > ?`,
    [wanted, revision, wanted, revision, revision],
  );
  return new Map(rows.map(({ id, data }) => [id, data]));
}

export type Holder = { id: string; type: string; payloadId: string };

/** The nodes that hold any of these payloads as of a revision. It reads what has changed after it, no more. */
export async function holdersAt(sql: Sql, revision: number, payloadIds: Iterable<string>): Promise<Holder[]> {
  const wanted = JSON.stringify([...payloadIds]);
  if (wanted === '[]') return [];
  return sql.all<Holder>(
    `SELECT id, type, payload_id AS payloadId FROM nodes WHERE payload_id ${listed} AND +since <= ?
     UNION ALL
     SELECT id, type, payload_id AS payloadId FROM node_history
     WHERE until > ? AND +since <= ? AND payload_id ${listed}`,
    [wanted, revision, revision, revision, wanted],
  );
}
