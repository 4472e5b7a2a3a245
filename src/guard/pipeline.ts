/**
 * The way of every call: parse, authorise, limit, replay, then one transaction in which the
 * version is checked, the tool runs, and the audit entry is written.
 */
import { asFailure, Failure } from '../errors.js';
import type { Sql } from '../storage/sql.js';
import type { Progress, ToolCall } from '../tools/call.js';
import type { CommonArguments, Tool } from '../tools/define.js';
import { type AuditHead, failed, targetsOf } from './audit.js';
import { authorise, type Permission } from './authorise.js';
import { limitBatch } from './batch.js';
import { cancelled, considerate } from './considerate.js';
import type { Envelope } from './envelope.js';
import { contentHash } from './hash.js';
import type { Ticket } from './idempotency.js';
import { findTool, parseInput } from './parse.js';
import { type Checked, change, changeOutside, type Guard, read, readOutside, rehearse } from './routes.js';

export type Door = 'library' | 'cli' | 'mcp';

/** What a door hands in. */
export type CallRequest = Permission & {
  tool: string;
  input: unknown;
  door: Door;
  project: string | undefined;
  signal: AbortSignal;
  onProgress: (progress: Progress) => void;
};

export async function runCall(guard: Guard, request: CallRequest): Promise<Envelope> {
  const head = auditHead(guard, request);
  try {
    const checked = check(guard, request, head);
    const outside = checked.tool.outside || guard.providerOf(checked.tool) !== undefined;
    if (checked.tool.effect === 'read') return await (outside ? readOutside(guard, checked) : read(guard, checked));
    if (outside) return await changeOutside(guard, checked);
    return checked.common.dryRun ? await rehearse(guard, checked) : await change(guard, checked);
  } catch (thrown) {
    const failure = request.signal.aborted && !(thrown instanceof Failure) ? cancelled : asFailure(thrown);
    await recordFailure(guard, failed(head, failure));
    return failure.toEnvelope();
  }
}

/** The steps before anything is read or changed. */
function check(guard: Guard, request: CallRequest, head: AuditHead): Checked {
  const tool = findTool(guard.tools, request.tool);
  head.effect = tool.effect;
  const { input, common } = parseInput(tool, request.input, guard.limits);
  head.targets = targetsOf(input);
  head.inputHash = contentHash(input);
  authorise(tool, request);
  guard.rate.take(request.identity.agent, head.at);
  limitBatch(tool.batchSize(input), guard.limits.maxBatch);
  request.signal.throwIfAborted();
  const callWith = (sql: Sql) => equipped(guard, request, tool, common, head.at, sql);
  return { tool, input, common, head, ticket: ticketFor(guard, head, common), signal: request.signal, callWith };
}

/** Failures that cost the caller nothing, or the database is to blame for: they must not cost a commit each. */
const cheap = new Set<string | null>(['rate_limited', 'invalid_argument', 'internal']);

/** Failures of reads and floods of calls must not cost a commit each; failed changes are recorded at once. */
async function recordFailure({ auditor, auditReads }: Guard, entry: ReturnType<typeof failed>): Promise<void> {
  if (entry.effect === 'read' && !auditReads && entry.errorType !== 'forbidden') return;
  const isChange = entry.effect === 'write' || entry.effect === 'destroy';
  if (!isChange || cheap.has(entry.errorType)) return auditor.later(entry);
  try {
    await auditor.write(entry);
  } catch (thrown) {
    // The caller must get the first failure, which is most likely the cause of this one.
    process.emitWarning(`An audit entry was lost: ${(thrown as Error).message}`);
  }
}

function auditHead(guard: Guard, { tool, identity, door }: CallRequest): AuditHead {
  const { agent, role } = identity;
  // The effect stays unknown where there is no such tool.
  return {
    at: guard.now(),
    agent,
    role,
    door,
    // An unknown name is the caller's text: half a character in it would break the chain when it is read back.
    tool: tool.slice(0, 100).toWellFormed().replaceAll('\u0000', '\uFFFD'),
    effect: 'unknown',
    inputHash: '',
    targets: [],
  };
}

function ticketFor(
  { keyLifetimeMs }: Guard,
  head: AuditHead,
  { idempotencyKey, dryRun }: CommonArguments,
): Ticket | undefined {
  if (idempotencyKey === undefined || dryRun) return undefined;
  const owner = { agent: head.agent, tool: head.tool, key: idempotencyKey };
  return { owner, inputHash: head.inputHash, now: head.at, expires: head.at + keyLifetimeMs };
}

function equipped(
  guard: Guard,
  request: CallRequest,
  tool: Tool,
  common: CommonArguments,
  now: number,
  sql: Sql,
): ToolCall {
  const { identity, project, signal, onProgress } = request;
  const { version, dryRun = false } = common;
  const { limits, database, setting } = guard;
  return guard.equip(
    {
      identity,
      project,
      limits,
      setting,
      now,
      version,
      dryRun,
      signal,
      onProgress,
      sql: considerate(sql, signal, tool.effect),
      database,
    },
    tool,
  );
}
