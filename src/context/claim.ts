/** A claim on a collection: while one process syncs it, others wait, so that the work is not done twice. */
import { setTimeout as sleep } from 'node:timers/promises';
import { monotonic } from '../clock.js';
import { conflict, type Failure } from '../errors.js';
import { holderParts, isGone, newHolder } from '../storage/holder.js';
import type { Database, Sql } from '../storage/sql.js';

export type Claim = {
  /** Inside the transaction of a change: makes sure that the claim still holds, and makes it last. */
  keep(sql: Sql): Promise<void>;
  /** Inside the transaction of the last change: gives the claim back. */
  release(sql: Sql): Promise<void>;
};

export type ClaimOptions = {
  signal: AbortSignal;
  now: () => number;
  /** How long to wait for another holder. */
  waitMs: number;
  /** Makes the row that is claimed. */
  prepare: (sql: Sql) => Promise<void>;
  /** How long a claim holds without a sign of life. */
  leaseMs?: number;
  isAlive?: (pid: number) => boolean;
};

const LEASE_MS = 30_000;
const POLL_MS = 100;

/** Runs `work` while no other process has the collection. Fails with a conflict when another keeps it for too long. */
export async function withClaim<T>(
  database: Database,
  id: string,
  options: ClaimOptions,
  work: (claim: Claim) => Promise<T>,
): Promise<T> {
  const { now, leaseMs = LEASE_MS } = options;
  const holder = newHolder();
  await acquire(database, id, holder, options);
  const extend = (sql: Sql) =>
    sql.run('UPDATE collections SET claimed_until = ? WHERE id = ? AND claimed_by = ?', [now() + leaseMs, id, holder]);
  let released = false;
  const claim: Claim = {
    keep: async (sql) => {
      if ((await extend(sql)) === 0) throw lost(id);
    },
    release: async (sql) => {
      await claim.keep(sql);
      await release(sql, id, holder);
      released = true;
    },
  };
  // A failed sign of life is no failure of the work: the next change finds out whether the claim still holds.
  const beat = setInterval(() => database.write(extend).catch(() => {}), leaseMs / 3).unref();
  try {
    return await work(claim);
  } catch (thrown) {
    released = false;
    throw thrown;
  } finally {
    clearInterval(beat);
    if (!released) await database.write((sql) => release(sql, id, holder)).catch(() => {});
  }
}

async function release(sql: Sql, id: string, holder: string): Promise<void> {
  await sql.run('UPDATE collections SET claimed_by = NULL, claimed_until = NULL WHERE id = ? AND claimed_by = ?', [
    id,
    holder,
  ]);
}

async function acquire(database: Database, id: string, holder: string, options: ClaimOptions): Promise<void> {
  const { signal, now, waitMs, prepare, leaseMs = LEASE_MS } = options;
  const deadline = monotonic() + waitMs;
  for (;;) {
    signal.throwIfAborted();
    const other = await database.write(async (sql) => {
      await prepare(sql);
      const current = await readHolder(sql, id, options);
      if (current === undefined) await take(sql, id, holder, now() + leaseMs);
      return current;
    });
    if (other === undefined) return;
    await becomesFree(database, id, options, deadline);
  }
}

/** Waits with reads only: a write for every look would hold up the one who works. */
async function becomesFree(database: Database, id: string, options: ClaimOptions, deadline: number): Promise<void> {
  for (;;) {
    options.signal.throwIfAborted();
    const holder = await database.read((sql) => readHolder(sql, id, options));
    if (holder === undefined) return;
    if (monotonic() >= deadline) throw held(id, holder);
    await sleep(POLL_MS);
  }
}

async function take(sql: Sql, id: string, holder: string, until: number): Promise<void> {
  await sql.run('UPDATE collections SET claimed_by = ?, claimed_until = ? WHERE id = ?', [holder, until, id]);
}

/** Who has the collection now. A claim that ran out, or whose process on this machine is gone, counts no more. */
async function readHolder(sql: Sql, id: string, { now, isAlive }: ClaimOptions): Promise<string | undefined> {
  const row = await sql.get<{ holder: string | null; until: number | null }>(
    'SELECT claimed_by AS holder, claimed_until AS until FROM collections WHERE id = ?',
    [id],
  );
  if (!row?.holder || (row.until ?? 0) <= now()) return undefined;
  return isGone(row.holder, isAlive) ? undefined : row.holder;
}

function held(id: string, holder: string): Failure {
  const { host, pid } = holderParts(holder);
  return conflict`The collection '${id}' is being synced by process ${pid} on '${host}'.`.advise(
    'Wait until that sync has ended, then sync again.',
  );
}

const lost = (id: string): Failure =>
  conflict`The collection '${id}' was dropped, or taken over by another sync.`.advise('Sync the collection again.');
