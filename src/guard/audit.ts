/** Step 7: every call leaves an entry. A change records itself in its own commit; the rest follows in batches. */
import type { Failure } from '../errors.js';
import { type AuditEntry, appendAudit } from '../storage/audit-log.js';
import type { Database } from '../storage/sql.js';

/** The part of an entry that is known when the call comes in. */
export type AuditHead = Pick<
  AuditEntry,
  'at' | 'agent' | 'role' | 'door' | 'tool' | 'effect' | 'inputHash' | 'targets'
>;

export type Outcome = { revision?: number | undefined; targets?: string[] };

export function succeeded(head: AuditHead, { revision, targets = [] }: Outcome = {}): AuditEntry {
  const all = [...new Set([...head.targets, ...targets])];
  return { ...head, targets: all, outcome: 'succeeded', errorType: null, error: null, revision: revision ?? null };
}

export function failed(head: AuditHead, failure: Failure): AuditEntry {
  return { ...head, outcome: 'failed', errorType: failure.type, error: failure.redacted, revision: null };
}

const TARGET_KEY = /^(id|relativeTo|.*Ids?)$/;
const MOST_TARGETS = 100;

/** The ids in a call's arguments or answer, as far as they stand at the top or one level below it. */
export function targetsOf(fields: unknown, depth = 1): string[] {
  if (typeof fields !== 'object' || fields === null || Array.isArray(fields)) return [];
  const found = Object.entries(fields).flatMap(([key, value]): string[] => {
    if (TARGET_KEY.test(key)) return [value].flat().filter((id) => typeof id === 'string');
    return depth > 0 ? targetsOf(value, depth - 1) : [];
  });
  return found.filter((id) => id.length <= 200).slice(0, MOST_TARGETS);
}

const FLUSH_AFTER_MS = 250;
const FLUSH_AT = 500;

export type Auditor = {
  /** Writes an entry now, in a transaction of its own. */
  write(entry: AuditEntry): Promise<void>;
  /** Writes an entry soon, together with others, after the answer has gone out. */
  later(entry: AuditEntry): void;
  /** Writes what is waiting. */
  flush(): Promise<void>;
};

export function auditor(database: Database): Auditor {
  let waiting: AuditEntry[] = [];
  let timer: NodeJS.Timeout | undefined;

  const append = (entries: AuditEntry[]) => database.write((sql) => appendAudit(sql, entries));
  const flush = async () => {
    clearTimeout(timer);
    timer = undefined;
    const entries = waiting;
    waiting = [];
    if (entries.length > 0) await append(entries);
  };
  // A call that was answered must not fail for its entry; what cannot be written is said aloud.
  const flushQuietly = () =>
    flush().catch((error: Error) => process.emitWarning(`Audit entries were lost: ${error.message}`));

  return {
    write: (entry) => append([entry]),
    later(entry) {
      waiting.push(entry);
      if (waiting.length >= FLUSH_AT) void flushQuietly();
      else timer ??= setTimeout(flushQuietly, FLUSH_AFTER_MS).unref();
    },
    flush: async () => void (await flushQuietly()),
  };
}
