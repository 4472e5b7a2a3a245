/** Keys of calls that were made once, with their results. A key belongs to an agent and a tool. */
import type { Sql } from './sql.js';

export type KeyOwner = { agent: string; tool: string; key: string };
export type KnownKey = { inputHash: string; result: string | null };

const where = 'agent = ? AND tool = ? AND key = ?';

export async function findKey(sql: Sql, { agent, tool, key }: KeyOwner, now: number): Promise<KnownKey | undefined> {
  return sql.get<KnownKey>(
    `SELECT input_hash AS inputHash, result FROM idempotency_keys WHERE ${where} AND expires > ?`,
    [agent, tool, key, now],
  );
}

/** Keeps a key. A result of null reserves it for a call that is under way. */
export async function keepKey(
  sql: Sql,
  { agent, tool, key }: KeyOwner,
  known: KnownKey & { expires: number },
): Promise<void> {
  await sql.run(
    `INSERT INTO idempotency_keys (agent, tool, key, input_hash, result, expires) VALUES (?, ?, ?, ?, ?, ?)
     ON CONFLICT (agent, tool, key) DO UPDATE
     SET input_hash = excluded.input_hash, result = excluded.result, expires = excluded.expires`,
    [agent, tool, key, known.inputHash, known.result, known.expires],
  );
}

export async function dropKey(sql: Sql, { agent, tool, key }: KeyOwner): Promise<void> {
  await sql.run(`DELETE FROM idempotency_keys WHERE ${where}`, [agent, tool, key]);
}

export async function dropExpiredKeys(sql: Sql, now: number): Promise<void> {
  await sql.run('DELETE FROM idempotency_keys WHERE expires <= ?', [now]);
}
