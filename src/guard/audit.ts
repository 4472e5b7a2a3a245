/** Step 7: every call leaves an entry. A change records itself in its own commit; the rest follows in batches. */
import { type Failure, shortHash } from '../errors.js';
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
  // An id that names nothing is just a value of the caller's.
  const targets = failure.type === 'not_found' ? head.targets.map(shortHash) : head.targets;
  return { ...head, targets, outcome: 'failed', errorType: failure.type, error: failure.redacted, revision: null };
}

const TARGET_KEY = /^(id|relativeTo|.*Ids?)$/;
const MOST_TARGETS = 100;

/** The ids in a call's arguments or answer. What lies deeper is payload, which is not logged. */
export function targetsOf(fields: Record<string, unknown>): string[] {
  const { position, ...top } = fields;
  const found = Object.entries({ ...top, ...(position as object | undefined) }).flatMap(([key, value]): string[] =>
    TARGET_KEY.test(key) ? [value].flat().filter((id) => typeof id === 'string') : [],
  );
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

  /** The batches that are being written: who waits for a flush waits for them too. */
  let writing: Promise<void> = Promise.resolve();

  const append = (entries: AuditEntry[]) => database.write((sql) => appendAudit(sql, entries));
  const flush = () => {
    clearTimeout(timer);
    timer = undefined;
    const entries = waiting;
    waiting = [];
    // A call that was answered must not fail for its entry; what cannot be written is said aloud.
    const warn = (error: Error) => process.emitWarning(`${entries.length} audit entries were lost: ${error.message}`);
    if (entries.length > 0) writing = Promise.all([writing, append(entries).catch(warn)]).then(() => {});
    return writing;
  };

  return {
    write: (entry) => append([entry]),
    later(entry) {
      waiting.push(entry);
      if (waiting.length >= FLUSH_AT) void flush();
      else timer ??= setTimeout(flush, FLUSH_AFTER_MS).unref();
    },
    flush,
  };
}
