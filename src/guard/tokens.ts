/** Tokens: made, listed and revoked by an owner, and recorded like any other change. Who shows one is known by it. */
import { createHash, randomBytes } from 'node:crypto';
import { type Role, roles } from '../config/settings.js';
import { asFailure, notFound, plainFailure } from '../errors.js';
import { appendAudit } from '../storage/audit-log.js';
import type { Sql } from '../storage/sql.js';
import { findToken, insertToken, listTokens, markRevoked, type StoredToken } from '../storage/tokens.js';
import type { Identity } from '../tools/call.js';
import { checkSelection, type ToolsetName } from '../tools/selection.js';
import { type AuditHead, failed, succeeded } from './audit.js';
import { contentHash } from './hash.js';
import type { Door } from './pipeline.js';
import type { Guard } from './routes.js';

/** Who holds a token, and what it allows. */
export type Token = Omit<StoredToken, 'role' | 'toolsets'> & { role: Role; toolsets: ToolsetName[] | null };

export type NewToken = {
  agent: string;
  role?: Role;
  readOnly?: boolean;
  toolsets?: readonly ToolsetName[];
  project?: string;
  /** Time in milliseconds. Default: it does not expire. */
  expires?: number;
};

export type TokenKeeper = {
  /** The text is shown here and never again. */
  create(wanted: NewToken): Promise<{ token: Token; text: string }>;
  list(): Promise<Token[]>;
  revoke(id: string): Promise<void>;
};

/** What marks a token as ours, for people and for programs that look for secrets in the wrong place. */
const PREFIX = 'aia_';

const hashToken = (text: string): string => createHash('sha256').update(text).digest('hex');

/** The token of a text that a client shows, unless it is unknown, expired or revoked. */
export async function knownToken({ database, now }: Guard, text: string): Promise<Token | undefined> {
  if (!text.startsWith(PREFIX)) return undefined;
  const token = (await database.read((sql) => findToken(sql, hashToken(text)))) as Token | undefined;
  return token && isValid(token, now()) ? token : undefined;
}

const isValid = ({ expires, revoked }: Token, now: number): boolean =>
  revoked === null && (expires === null || expires > now);

export function tokenKeeper(guard: Guard, identity: Identity, door: Door): TokenKeeper {
  return {
    create: (wanted) =>
      recorded(guard, headOf(guard, identity, door, 'token_create', wanted), async (sql, head) => {
        checkNew(wanted, guard);
        const text = `${PREFIX}${randomBytes(32).toString('base64url')}`;
        const token = tokenFrom(wanted, head.at);
        await insertToken(sql, hashToken(text), token);
        head.targets = [token.id];
        return { token, text };
      }),
    list: async () => {
      requireOwner(identity);
      return (await guard.database.read(listTokens)) as Token[];
    },
    revoke: (id) =>
      recorded(guard, headOf(guard, identity, door, 'token_revoke', { id }), async (sql, head) => {
        if (!(await markRevoked(sql, id, head.at))) {
          throw notFound`There is no token '${id}'`.advise("Type 'ai-assist tokens list' to see the tokens.");
        }
        head.targets = [id];
      }),
  };
}

function tokenFrom(wanted: NewToken, created: number): Token {
  const { agent, role = 'editor', readOnly = false, toolsets, project = null, expires = null } = wanted;
  // Short enough to type, and too many to guess which one is next.
  const id = randomBytes(5).toString('hex');
  const named = toolsets === undefined ? null : [...toolsets];
  return { id, agent, role, readOnly, toolsets: named, project, created, expires, revoked: null };
}

function checkNew({ role, toolsets, expires }: NewToken, { tools, now }: Guard): void {
  if (role !== undefined && !roles.includes(role)) {
    throw plainFailure('invalid_argument', `'${role}' is not a role`).advise(`Use one of ${roles.join(', ')}.`);
  }
  checkSelection({ toolsets }, tools);
  if (expires === undefined || expires > now()) return;
  throw plainFailure('invalid_argument', 'The token would have expired already').advise('Name a time to come.');
}

function requireOwner({ agent, role }: Identity): void {
  if (role === 'owner') return;
  throw plainFailure('forbidden', `Agent '${agent}' has the role ${role} and may not see or change tokens`).advise(
    'This needs the role owner.',
  );
}

function headOf({ now }: Guard, { agent, role }: Identity, door: Door, tool: string, input: object): AuditHead {
  return { at: now(), agent, role, door, tool, effect: 'write', inputHash: contentHash(input), targets: [] };
}

/** Runs the change and its audit entry in one transaction; a failure is recorded too. */
async function recorded<T>(
  { database, auditor }: Guard,
  head: AuditHead,
  work: (sql: Sql, head: AuditHead) => Promise<T>,
): Promise<T> {
  try {
    requireOwner({ agent: head.agent, role: head.role as Role });
    return await database.write(async (sql) => {
      const result = await work(sql, head);
      await appendAudit(sql, [succeeded(head)]);
      return result;
    });
  } catch (thrown) {
    const failure = asFailure(thrown);
    await auditor.write(failed(head, failure));
    throw failure;
  }
}
