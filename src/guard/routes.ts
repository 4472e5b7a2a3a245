/** The routes of a checked call: read, change, rehearse, and the same outside the database. */
import { Failure, shortHash } from '../errors.js';
import { checkBasis } from '../library/tree/change.js';
import { currentVersion } from '../library/tree/version.js';
import { appendAudit } from '../storage/audit-log.js';
import type { Database, Sql } from '../storage/sql.js';
import type { Limits, ToolCall, Unequipped } from '../tools/call.js';
import type { CommonArguments, Tool } from '../tools/define.js';
import { type AuditHead, type Auditor, succeeded, targetsOf } from './audit.js';
import type { Envelope, SuccessEnvelope } from './envelope.js';
import { findReplay, keepResult, releaseKey, reserveKey, type Ticket } from './idempotency.js';
import type { RateLimiter } from './rate.js';
import type { Upkeep } from './upkeep.js';
import { checkVersionGiven } from './version.js';

export type Guard = {
  tools: readonly Tool[];
  database: Database;
  limits: Limits;
  setting: ToolCall['setting'];
  rate: RateLimiter;
  auditor: Auditor;
  upkeep: Upkeep;
  auditReads: boolean;
  keyLifetimeMs: number;
  now: () => number;
  /** The provider outside the database that keeps what a tool works on, where the configuration names one. */
  providerOf: (tool: Tool) => string | undefined;
  /** Completes what a tool has at hand with the ports that the configuration chose. */
  equip: (call: Unequipped, tool: Tool) => ToolCall;
};

/** A call that has passed every check: what the routes below need of it. */
export type Checked = {
  tool: Tool;
  input: Record<string, unknown>;
  common: CommonArguments;
  head: AuditHead;
  ticket: Ticket | undefined;
  /** Fires when the caller no longer wants it. */
  signal: AbortSignal;
  callWith: (sql: Sql) => ToolCall;
};

export async function read(
  { database, auditor, auditReads }: Guard,
  { tool, input, head, signal, callWith }: Checked,
): Promise<Envelope> {
  const fields = await database.read((sql) => {
    signal.throwIfAborted();
    return tool.invoke(input, callWith(sql));
  });
  if (auditReads) auditor.later(succeeded(head));
  return { success: true, ...fields };
}

/** A read of a file or another program: no connection of the database waits for it. */
export async function readOutside(
  { auditor, auditReads }: Guard,
  { tool, input, head, callWith }: Checked,
): Promise<Envelope> {
  const fields = await tool.invoke(input, callWith(noTransaction));
  if (auditReads) auditor.later(succeeded(head));
  return { success: true, ...fields };
}

export async function change(guard: Guard, checked: Checked): Promise<Envelope> {
  const { head, ticket } = checked;
  const earlier = ticket && (await guard.database.read((sql) => findReplay(sql, ticket)));
  if (earlier) return replay(guard, head, earlier);
  const result = await guard.database.write(async (sql) => {
    // A twin of this call may have committed while this one waited for its turn.
    const twin = ticket && (await findReplay(sql, ticket));
    return twin ? replay(guard, head, twin) : changeWithin(sql, checked);
  });
  guard.upkeep.afterChange(head.at);
  return result;
}

/** All of a change that happens inside its transaction. */
async function changeWithin(sql: Sql, checked: Checked): Promise<Envelope> {
  const { tool, input, common, head, ticket, signal, callWith } = checked;
  // It may have waited long for its turn.
  signal.throwIfAborted();
  await checkVersionGiven(tool, common.version, sql);
  const call = callWith(sql);
  await checkBasis(call.change);
  const result: SuccessEnvelope = { success: true, ...(await tool.invoke(input, call)) };
  signal.throwIfAborted();
  if (ticket) await keepResult(sql, ticket, result);
  const revision = await call.change.made();
  await appendAudit(sql, [succeeded(head, { revision, targets: targetsOf(result) })]);
  return result;
}

/** Runs the whole change and takes it back. The version it answers is the one that still holds. */
export async function rehearse(
  { database, auditor }: Guard,
  { tool, input, common, head, callWith }: Checked,
): Promise<Envelope> {
  const fields = await database.rehearse(async (sql) => {
    await checkVersionGiven(tool, common.version, sql);
    const version = await currentVersion(sql);
    const call = callWith(sql);
    await checkBasis(call.change);
    const answer = await tool.invoke(input, call);
    return 'version' in answer ? { ...answer, version } : answer;
  });
  await auditor.write({ ...succeeded(head), outcome: 'rehearsed' });
  return { success: true, ...fields, dryRun: true };
}

/** A change in a file or another program: recorded as started before it, and with its outcome after it. */
export async function changeOutside(guard: Guard, checked: Checked): Promise<Envelope> {
  const { tool, input, common, head, ticket, callWith } = checked;
  const run = () => tool.invoke(input, callWith(noTransaction));
  if (common.dryRun) {
    refuseVersion(guard, checked);
    const plan = await run();
    await guard.auditor.write({ ...succeeded(head), outcome: 'rehearsed' });
    return { success: true, ...plan, dryRun: true };
  }
  const earlier = await begin(guard, checked);
  if (earlier) return replay(guard, head, earlier);
  try {
    const result: SuccessEnvelope = { success: true, ...(await run()) };
    await finish(guard, checked, result);
    return result;
  } catch (thrown) {
    // After a change that happened, or may have, the key stays reserved: a repeated call must not make it twice.
    if (ticket && !mayHaveHappened(thrown)) await guard.database.write((sql) => releaseKey(sql, ticket));
    throw thrown;
  }
}

/** Reserves the key and records the start, or answers what an earlier call with the key got. */
function begin(guard: Guard, checked: Checked): Promise<SuccessEnvelope | undefined> {
  const { head, ticket } = checked;
  return guard.database.write(async (sql) => {
    const known = ticket && (await findReplay(sql, ticket));
    if (known) return known;
    refuseVersion(guard, checked);
    if (ticket) await reserveKey(sql, ticket);
    await appendAudit(sql, [{ ...succeeded(head), outcome: 'started' }]);
    return undefined;
  });
}

class Unrecorded extends Failure {}

/** Another program may go on after it was given up: its failure then says so in its details. */
const mayHaveHappened = (thrown: unknown): boolean =>
  thrown instanceof Unrecorded || (thrown instanceof Failure && thrown.details.mayHaveHappened === true);

/** Only the library counts revisions. A version of its own tree would say nothing of what others keep. */
function refuseVersion({ providerOf }: Guard, { tool, common }: Checked): void {
  const provider = providerOf(tool);
  if (provider === undefined || common.version === undefined) return;
  // The provider's name is no secret of the caller's: the log may keep it.
  const text = (version: string) => `Invalid version '${version}': ${provider} keeps no versions`;
  const { version } = common;
  throw new Failure('invalid_argument', { message: text(version), redacted: text(shortHash(version)) }).advise(
    'Call again without version. Read first what you are about to change.',
  );
}

async function finish({ database }: Guard, { head, ticket }: Checked, result: SuccessEnvelope): Promise<void> {
  try {
    await database.write(async (sql) => {
      if (ticket) await keepResult(sql, ticket, result);
      await appendAudit(sql, [succeeded(head, { targets: targetsOf(result) })]);
    });
  } catch (thrown) {
    const redacted = 'The change was made, but not recorded';
    throw new Unrecorded(
      'internal',
      { message: `${redacted}: ${(thrown as Error).message}`, redacted },
      {},
      'Do not repeat the call. Look at what it changed, and mend the database.',
    );
  }
}

function replay({ auditor }: Guard, head: AuditHead, result: SuccessEnvelope): Envelope {
  auditor.later({ ...succeeded(head), outcome: 'replayed' });
  return result;
}

const refuseSql = () =>
  Promise.reject(new Error('A tool with an outside effect has no transaction: use call.database.'));
const noTransaction: Sql = { all: refuseSql, get: refuseSql, run: refuseSql };
