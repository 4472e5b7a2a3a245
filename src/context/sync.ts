/**
 * Brings one collection to what its source declares. The order of the steps makes it safe to stop anywhere: the
 * collection counts as incomplete before the first document changes, each document is written with its chunks in
 * one transaction, and what the source looked like is kept only at the end.
 */
import { asFailure, Failure } from '../errors.js';
import { shown } from '../project/shown.js';
import type { Sql } from '../storage/sql.js';
import { type Claim, withClaim } from './claim.js';
import {
  type CollectionRecord,
  ensureCollection,
  markIncomplete,
  readState,
  saveError,
  saveOutcome,
} from './collection-store.js';
import { countDocuments } from './document-store.js';
import { listStored } from './marks.js';
import { planSync } from './plan.js';
import { rechunk } from './rechunk.js';
import { defaultLimits, type SourceListing, type SourceWarning } from './source.js';
import { checkOnly, executePlan } from './sync-execute.js';
import type { SyncOptions, SyncResult, SyncRun } from './sync-run.js';

export type { SyncOptions, SyncResult } from './sync-run.js';

const ignore = () => {};

/** Expected failures come back as the result's error. A signal that aborts rejects with its reason. */
export async function syncCollection(options: SyncOptions): Promise<SyncResult> {
  const run = prepared(options);
  const { source, database, id, spec, now, signal, waitMs, dryRun, result } = run;
  try {
    if (dryRun) return await rehearse(run);
    const prepare = (sql: Sql) => ensureCollection(sql, id, spec, now());
    return await withClaim(database, id, { signal, now, waitMs, prepare }, (claim) => reconcile(run, claim));
  } catch (thrown) {
    signal.throwIfAborted();
    if (!(thrown instanceof Failure)) throw thrown;
    result.documents = await storedCount(run);
    return { ...concluded(run), status: 'failed', error: thrown };
  } finally {
    await source.close();
  }
}

function prepared(options: SyncOptions): SyncRun {
  const defaults = {
    force: false,
    dryRun: false,
    signal: new AbortController().signal,
    now: Date.now,
    onProgress: ignore,
    concurrency: 8,
    waitMs: 60_000,
    maxFileBytes: defaultLimits.maxFileBytes,
  };
  const result: SyncResult = {
    status: 'unchanged',
    documents: 0,
    added: [],
    updated: [],
    removed: [],
    unchanged: 0,
    warnings: [],
  };
  return { ...defaults, ...options, result };
}

const storedCount = ({ database, id }: SyncRun): Promise<number> => database.read((sql) => countDocuments(sql, id));

/** Asks the source what it declares. What could not be had is thrown as a failure. */
async function openSource(run: SyncRun, record: CollectionRecord | undefined): Promise<SourceListing> {
  const { source, force, signal, onProgress } = run;
  const previous = record?.complete && !force ? record.state : undefined;
  const onStep = (step: string) => onProgress({ step, done: 0, total: 0 });
  try {
    return await source.open({ previous, signal, onStep });
  } catch (thrown) {
    signal.throwIfAborted();
    throw asFailure(thrown);
  }
}

async function rehearse(run: SyncRun): Promise<SyncResult> {
  const { database, id, force, result } = run;
  const record = await database.read((sql) => readState(sql, id));
  const listing = await openSource(run, record);
  const stored = await database.read((sql) => listStored(sql, id));
  if (!listing.changed) return untouched(run, record, stored.size);
  announce(run, listing);
  const plan = planSync(listing.documents, stored, { force });
  await checkOnly(run, plan, stored);
  result.documents = stored.size + result.added.length - result.removed.length;
  return concluded(run);
}

async function reconcile(run: SyncRun, claim: Claim): Promise<SyncResult> {
  const { database, id, force } = run;
  const record = await database.read((sql) => readState(sql, id));
  // Read while the source is busy with disk or network. The claim makes sure that it stays true.
  const reading = database.read((sql) => listStored(sql, id));
  reading.catch(ignore);
  const listing = await openSource(run, record).catch((failure: Failure) => keepError(run, failure));
  if (!listing.changed) {
    await rechunk(run, (sql) => claim.keep(sql));
    await finish(run, claim, listing, { name: record?.name, version: record?.version, failures: [] });
    return untouched(run, record, await storedCount(run));
  }
  announce(run, listing);
  const stored = await reading;
  const plan = planSync(listing.documents, stored, { force });
  let marked = false;
  const failures = await executePlan(run, plan, stored, async (sql) => {
    await claim.keep(sql);
    if (!marked) await markIncomplete(sql, id);
    marked = true;
  });
  await rechunk(run, (sql) => claim.keep(sql));
  await finish(run, claim, listing, { name: listing.name, version: listing.version, failures });
  run.result.documents = await storedCount(run);
  return concluded(run);
}

async function keepError({ database, id, now, signal }: SyncRun, failure: Failure): Promise<never> {
  signal.throwIfAborted();
  await database.write((sql) => saveError(sql, id, failure.message, now()));
  throw failure;
}

function announce({ result }: SyncRun, { name, version, warnings }: SourceListing & { changed: true }): void {
  Object.assign(result, name !== undefined && { name }, version !== undefined && { version });
  result.warnings.push(...warnings);
}

type Ending = {
  name?: string | null | undefined;
  version?: string | null | undefined;
  /** Documents that could not be had: the next sync must not skip them. */
  failures: readonly SourceWarning[];
};

/** The outcome and the end of the claim are one change. */
async function finish(run: SyncRun, claim: Claim, { state }: SourceListing, ending: Ending): Promise<void> {
  const { database, id, now } = run;
  const { failures, name, version } = ending;
  const outcome = {
    state,
    name: name ?? undefined,
    version: version ?? undefined,
    complete: failures.length === 0,
    error: summary(failures),
  };
  await database.write(async (sql) => {
    await saveOutcome(sql, id, outcome, now());
    await claim.release(sql);
  });
}

function summary(failures: readonly SourceWarning[]): string | null {
  const [first] = failures;
  if (!first) return null;
  const rest = failures.length > 1 ? `, and ${failures.length - 1} more` : '';
  return `Not every document could be had: '${first.path}': ${shown(first.message)}${rest}`;
}

function untouched({ result }: SyncRun, record: CollectionRecord | undefined, documents: number): SyncResult {
  const { name, version } = record ?? {};
  return { ...result, documents, unchanged: documents, ...(name && { name }), ...(version && { version }) };
}

function concluded({ result }: SyncRun): SyncResult {
  const { documents, added, updated, removed, warnings } = result;
  for (const paths of [added, updated, removed]) paths.sort();
  warnings.sort((one, other) => (one.path < other.path ? -1 : Number(one.path > other.path)));
  const changed = added.length + updated.length;
  return { ...result, status: changed + removed.length > 0 ? 'synced' : 'unchanged', unchanged: documents - changed };
}
