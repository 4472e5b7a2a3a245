/** The claim on embedding: one process of all that share a database embeds for an embedder, so that none does it twice. */
import { isGone, newHolder } from '../../storage/holder.js';
import type { Database, Sql } from '../../storage/sql.js';
import { registerEmbedder } from './store.js';

export type EmbedClaim = {
  /** Inside the transaction of a change: whether the claim still holds. It then lasts anew. */
  keep(sql: Sql): Promise<boolean>;
  release(): Promise<void>;
};

export type ClaimSettings = { now: () => number; leaseMs?: number; isAlive?: (pid: number) => boolean };

const LEASE_MS = 30_000;

/** The claim, or undefined while another process has it. */
export async function claimEmbedding(
  database: Database,
  name: string,
  { now, leaseMs = LEASE_MS, isAlive }: ClaimSettings,
): Promise<EmbedClaim | undefined> {
  const holder = newHolder();
  const taken = await database.write(async (sql) => {
    const { id } = await registerEmbedder(sql, name);
    if (await currentHolder(sql, name, now(), isAlive)) return false;
    await sql.run('UPDATE embedders SET claimed_by = ?, claimed_until = ? WHERE id = ?', [holder, now() + leaseMs, id]);
    return true;
  });
  if (!taken) return undefined;
  const keep = async (sql: Sql) =>
    (await sql.run('UPDATE embedders SET claimed_until = ? WHERE name = ? AND claimed_by = ?', [
      now() + leaseMs,
      name,
      holder,
    ])) > 0;
  // One batch on a slow machine, or a slow server, may take longer than the claim holds.
  const beat = setInterval(() => void database.write(keep).catch(() => {}), leaseMs / 3).unref();
  return {
    keep,
    release: async () => {
      clearInterval(beat);
      await database.write((sql) =>
        sql.run('UPDATE embedders SET claimed_by = NULL, claimed_until = NULL WHERE claimed_by = ?', [holder]),
      );
    },
  };
}

/** Who embeds now, if anyone does. A claim that ran out, or whose process is gone, counts no more. */
export async function currentHolder(
  sql: Sql,
  name: string,
  now: number,
  isAlive?: (pid: number) => boolean,
): Promise<string | undefined> {
  const row = await sql.get<{ holder: string | null; until: number | null }>(
    'SELECT claimed_by AS holder, claimed_until AS until FROM embedders WHERE name = ?',
    [name],
  );
  if (!row?.holder || (row.until ?? 0) <= now || isGone(row.holder, isAlive)) return undefined;
  return row.holder;
}
