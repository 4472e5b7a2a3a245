/** The audit log: append-only, each entry chained to the one before it by a hash. */
import { createHash } from 'node:crypto';
import type { Sql } from './sql.js';

export const auditOutcomes = ['succeeded', 'failed', 'rehearsed', 'replayed', 'started'] as const;

export type AuditEntry = {
  at: number;
  agent: string;
  role: string;
  door: string;
  tool: string;
  effect: string;
  outcome: (typeof auditOutcomes)[number];
  errorType: string | null;
  /** The error text, with hashes in place of the caller's values. */
  error: string | null;
  /** Ids that the call named or made. */
  targets: string[];
  /** Hash of the arguments: values themselves are not kept. */
  inputHash: string;
  /** The revision that the call made, where it changed the library. */
  revision: number | null;
};

export type LoggedEntry = AuditEntry & { seq: number; previous: string; hash: string };

type Row = Omit<LoggedEntry, 'targets'> & { targets: string };

const columns = `seq, at, agent, role, door, tool, effect, outcome, error_type AS errorType, error, targets,
  input_hash AS inputHash, revision, previous, hash`;

/** What the first entry is chained to. */
const BEGINNING = '';

/** The fields of an entry in the order of their columns. */
const fieldsOf = (entry: AuditEntry) => [
  entry.at,
  entry.agent,
  entry.role,
  entry.door,
  entry.tool,
  entry.effect,
  entry.outcome,
  entry.errorType,
  entry.error,
  JSON.stringify(entry.targets),
  entry.inputHash,
  entry.revision,
];

function chainHash(previous: string, entry: AuditEntry): string {
  return createHash('sha256')
    .update(JSON.stringify([previous, ...fieldsOf(entry)]))
    .digest('hex');
}

/** Appends entries. Call it inside a write transaction: the chain has one end. */
export async function appendAudit(sql: Sql, entries: readonly AuditEntry[]): Promise<void> {
  const last = await sql.get<{ hash: string }>('SELECT hash FROM audit ORDER BY seq DESC LIMIT 1');
  let previous = last?.hash ?? BEGINNING;
  for (const entry of entries) {
    const hash = chainHash(previous, entry);
    await sql.run(
      `INSERT INTO audit (at, agent, role, door, tool, effect, outcome, error_type, error, targets, input_hash,
         revision, previous, hash) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      [...fieldsOf(entry), previous, hash],
    );
    previous = hash;
  }
}

export type AuditQuery = {
  agent?: string | undefined;
  tool?: string | undefined;
  outcome?: string | undefined;
  /** Only entries with a higher number. */
  after: number;
  limit: number;
};

/** Entries in the order they were written. */
export const listAudit = (sql: Sql, query: AuditQuery): Promise<LoggedEntry[]> => queryAudit(sql, query, 'ASC');

/** The newest entries, in the order they were written. */
export const lastAudit = async (sql: Sql, query: AuditQuery): Promise<LoggedEntry[]> =>
  (await queryAudit(sql, query, 'DESC')).reverse();

async function queryAudit(sql: Sql, query: AuditQuery, order: 'ASC' | 'DESC'): Promise<LoggedEntry[]> {
  const { agent, tool, outcome, after, limit } = query;
  const given = Object.entries({ agent, tool, outcome }).filter(([, value]) => value !== undefined);
  const rows = await sql.all<Row>(
    `SELECT ${columns} FROM audit WHERE ${['seq > ?', ...given.map(([name]) => `${name} = ?`)].join(' AND ')}
     ORDER BY seq ${order} LIMIT ?`,
    [after, ...given.map(([, value]) => value as string), limit],
  );
  return rows.map((row) => ({ ...row, targets: JSON.parse(row.targets) as string[] }));
}

export type AuditVerdict = { entries: number; intact: boolean; brokenAt?: number; reason?: string };

const PAGE = 1000;

/** Follows the chain from its beginning to the first link that does not hold. */
export async function verifyAudit(sql: Sql): Promise<AuditVerdict> {
  let previous = BEGINNING;
  let seen = 0;
  for (;;) {
    const page = await listAudit(sql, { after: seen, limit: PAGE });
    for (const entry of page) {
      const reason = fault(entry, seen + 1, previous);
      if (reason) return { entries: seen, intact: false, brokenAt: seen + 1, reason };
      previous = entry.hash;
      seen = entry.seq;
    }
    if (page.length < PAGE) break;
  }
  // SQLite remembers the highest number it ever gave, even when the last rows are gone.
  const given = await sql.get<{ seq: number }>("SELECT seq FROM sqlite_sequence WHERE name = 'audit'");
  if (given && given.seq > seen)
    return { entries: seen, intact: false, brokenAt: seen + 1, reason: 'the entry is missing' };
  return { entries: seen, intact: true };
}

function fault(entry: LoggedEntry, expected: number, previous: string): string | undefined {
  if (entry.seq !== expected) return 'the entry is missing';
  if (entry.previous !== previous) return 'the entry is not chained to the one before it';
  if (entry.hash !== chainHash(previous, entry)) return 'the entry was changed after it was written';
  return undefined;
}
