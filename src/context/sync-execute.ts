/** Carries out the plan of a sync: removals first, then what must be read, a few documents at a time. */
import { shown } from '../project/shown.js';
import type { Sql } from '../storage/sql.js';
import { type Batch, openBatch } from './batch.js';
import { putDocument, removeDocument } from './document-store.js';
import { type Fetched, fetchDocument } from './fetch-document.js';
import { inLanes } from './lanes.js';
import { saveMark } from './marks.js';
import type { Stored, SyncPlan } from './plan.js';
import type { SourceDocument, SourceWarning } from './source.js';
import type { ChangeKind, SyncRun } from './sync-run.js';

type Plan = SyncPlan<SourceDocument>;
type StoredDocuments = ReadonlyMap<string, Stored>;
/** A change that waits to be stored, and what it counts as once it is. */
type Change = { path: string; kind: ChangeKind; apply: (sql: Sql) => Promise<unknown> };
type Work = { document: SourceDocument; kind: Exclude<ChangeKind, 'remove'> };

/** Answers the documents that could not be had. `before` runs first in every transaction. */
export async function executePlan(
  run: SyncRun,
  plan: Plan,
  stored: StoredDocuments,
  before: (sql: Sql) => Promise<void>,
): Promise<SourceWarning[]> {
  const { database, now, concurrency, signal } = run;
  const advance = progressOf(run, plan);
  const write = async (changes: readonly Change[]) => {
    signal.throwIfAborted();
    await database.write(async (sql) => {
      await before(sql);
      for (const { apply } of changes) await apply(sql);
    });
    for (const change of changes) advance(change);
  };
  const batch = openBatch<Change>({ write, now });
  const failures: SourceWarning[] = [];
  for (const path of plan.remove) await batch.add(removal(run, path), 0);
  await inLanes(workOf(plan), concurrency, (work) => carryOut(run, work, { stored, batch, failures, advance }));
  await batch.finish();
  return failures;
}

/** What the plan would do. Documents that only their content can tell about are read, and nothing is stored. */
export async function checkOnly(run: SyncRun, plan: Plan, stored: StoredDocuments): Promise<void> {
  const { result, concurrency } = run;
  const { add, update, check, remove } = plan;
  result.added = add.map(({ path }) => path);
  result.updated = update.map(({ path }) => path);
  result.removed = [...remove];
  await inLanes(check, concurrency, async (document) => {
    const fetched = await fetchDocument(document, {
      ...fetching(run),
      force: false,
      stored: stored.get(document.path),
    });
    if (fetched.kind === 'changed') result.updated.push(document.path);
    if ('problem' in fetched) warn(run, document.path, fetched.problem);
  });
}

function* workOf(plan: Plan): Generator<Work> {
  for (const kind of ['add', 'update', 'check'] as const) {
    for (const document of plan[kind]) yield { document, kind };
  }
}

const fetching = ({ signal, now, maxFileBytes }: SyncRun) => ({ signal, now, maxBytes: maxFileBytes });

type Hands = {
  stored: StoredDocuments;
  batch: Batch<Change>;
  failures: SourceWarning[];
  advance: (change: Pick<Change, 'path' | 'kind'>) => void;
};

async function carryOut(run: SyncRun, { document, kind }: Work, hands: Hands): Promise<void> {
  run.signal.throwIfAborted();
  const { path } = document;
  const stored = hands.stored.get(path);
  const fetched = await fetchDocument(document, { ...fetching(run), force: kind === 'update', stored });
  if (fetched.kind === 'changed') {
    if (fetched.warning) warn(run, path, fetched.warning);
    return hands.batch.add(storing(run, fetched, stored ? 'update' : 'add'), fetched.document.content.length);
  }
  if (fetched.kind === 'same') {
    // Nothing was known of the file, and nothing can be: there is nothing to store.
    if (!fetched.stat && !stored?.stat) return hands.advance({ path, kind: 'check' });
    return hands.batch.add(keeping(run, path, fetched), 0);
  }
  const warning = warn(run, path, fetched.problem);
  // Refused content stays refused: that is a failure only while an older document stands in for it.
  if (fetched.kind === 'failed' || stored) hands.failures.push(warning);
  hands.advance({ path, kind: 'check' });
}

function warn({ result }: SyncRun, path: string, message: string): SourceWarning {
  const warning = { path: shown(path), message };
  result.warnings.push(warning);
  return warning;
}

const removal = ({ id }: SyncRun, path: string): Change => ({
  path,
  kind: 'remove',
  apply: (sql) => removeDocument(sql, id, path),
});

const keeping = ({ id }: SyncRun, path: string, { hash, stat }: Fetched & { kind: 'same' }): Change => ({
  path,
  kind: 'check',
  apply: (sql) => saveMark(sql, id, path, { hash, stat }),
});

const storing = ({ id, now }: SyncRun, fetched: Fetched & { kind: 'changed' }, kind: 'add' | 'update'): Change => ({
  path: fetched.document.path,
  kind,
  apply: (sql) => putDocument(sql, id, fetched.document, fetched.chunks, now()),
});

const steps = { add: 'Adding', update: 'Updating', remove: 'Removing', check: 'Checking' } satisfies Record<
  ChangeKind,
  string
>;

/** Counts what is done, in the result and for whoever watches. */
function progressOf({ result, onProgress }: SyncRun, { add, update, check, remove }: Plan): Hands['advance'] {
  const total = add.length + update.length + check.length + remove.length;
  const counted = { add: result.added, update: result.updated, remove: result.removed };
  let done = 0;
  return ({ path, kind }) => {
    done++;
    if (kind !== 'check') counted[kind].push(path);
    onProgress({ step: steps[kind], done, total, path, kind });
  };
}
