/** A workspace: one database and the tools on it, for any number of sessions in one process. */
import { loadConfig } from './config/config.js';
import type { Environment } from './config/platform.js';
import type { Role, SettingValues } from './config/settings.js';
import { openEquip } from './equip.js';
import { type FailureEnvelope, plainFailure } from './errors.js';
import { auditor } from './guard/audit.js';
import { mayCall } from './guard/authorise.js';
import type { Envelope } from './guard/envelope.js';
import { type Door, runCall } from './guard/pipeline.js';
import { rateLimiter } from './guard/rate.js';
import type { Guard } from './guard/routes.js';
import { knownToken, type NewToken, type Token, type TokenKeeper, tokenKeeper } from './guard/tokens.js';
import { upkeep } from './guard/upkeep.js';
import { idSource, type NewId } from './library/tree/id.js';
import { openProviders } from './providers.js';
import { lazyMeaning } from './search/lazy-meaning.js';
import type { Meaning, MeaningOptions } from './search/meaning.js';
import { lazyDatabase } from './storage/lazy.js';
import { openDatabase } from './storage/open.js';
import type { Progress, ToolCall } from './tools/call.js';
import type { Tool } from './tools/define.js';
import type { ToolInput, ToolName, ToolOutput } from './tools/index.js';
import { checkSelection, type Selection } from './tools/selection.js';
import { type Watch, type WorkspaceChange, workspaceWatch } from './watch.js';

export type { Envelope, NewToken, Token, TokenKeeper, Watch, WorkspaceChange };

export type WorkspaceOptions = {
  /** Settings that win over the configuration file and the environment. */
  settings?: Partial<SettingValues>;
  /** The environment that the configuration is read from. Default: the process's own. */
  env?: Environment;
  now?: () => number;
  newId?: NewId;
  /** The tools to serve. Default: all there are. */
  tools?: readonly Tool[];
  /** Open the database at the first call instead of now. */
  lazy?: boolean;
  /** Give new texts their vectors while the workspace is open; when it is lazy, from the first call on. */
  background?: boolean;
};

export type SessionOptions = {
  agent?: string;
  role?: Role;
  /** The folder that the project file is looked for in and above. */
  project?: string;
  readOnly?: boolean;
  /** More selections of tools: a session has what all of them have. */
  narrowedBy?: readonly Selection[];
  door?: Door;
} & Selection;

export type CallOptions = { signal?: AbortSignal; onProgress?: (progress: Progress) => void };

export type ToolResult<Name extends ToolName> = ({ success: true } & ToolOutput<Name>) | FailureEnvelope;

export type Session = {
  call<Name extends ToolName>(name: Name, input: ToolInput<Name>, options?: CallOptions): Promise<ToolResult<Name>>;
  /** The same for a name and an input that come from elsewhere. */
  callUntyped(name: string, input: unknown, options?: CallOptions): Promise<Envelope>;
  /** The tools that this session may call. */
  tools(): readonly Tool[];
  /** Whether there is such a tool, be it allowed or not. */
  knows(name: string): boolean;
  /** Tells what changes in the library and in the index, whoever changes it. */
  watch: Watch;
  /** Waits until every call of this session is recorded. */
  close(): Promise<void>;
};

export type Workspace = {
  /** The file of the database, or `:memory:`. */
  readonly location: string;
  session(options?: SessionOptions): Session;
  /** Tokens for clients over HTTP, as an owner manages them. */
  tokens(as?: Pick<SessionOptions, 'agent' | 'role' | 'door'>): TokenKeeper;
  /** The token of a text that a client shows, unless it is unknown, expired or revoked. */
  knownToken(text: string): Promise<Token | undefined>;
  /** Resolves when the database can be read, and rejects when it cannot. */
  ready(): Promise<void>;
  close(): Promise<void>;
};

const HOUR = 3_600_000;
/** How often a watched database is looked at. */
const WATCH_MS = 400;
const never = new AbortController().signal;

export async function openWorkspace(options: WorkspaceOptions = {}): Promise<Workspace> {
  const {
    settings = {},
    env = process.env,
    now = Date.now,
    newId = idSource(now),
    tools = await allTools(),
    lazy = false,
    background = false,
  } = options;
  const { get } = loadConfig(env, settings);

  const storage = { location: get('database'), driver: get('sqlite.driver') };
  const database = lazyDatabase(storage.location, () => openDatabase(storage));
  if (!lazy) await database.open();
  const providers = openProviders(get, env);
  const embeds = background && !get('readOnly');
  const meaning = lazyMeaning(() => meaningOptions(get, env, { database, now, background: embeds }), embeds);
  const guard: Guard = {
    tools,
    database,
    limits: {
      callsPerMinute: get('limits.callsPerMinute'),
      maxBatch: get('limits.maxBatch'),
      maxInputBytes: get('limits.maxInputBytes'),
      maxDepth: get('limits.maxDepth'),
      pageSize: Math.min(get('limits.pageSize'), get('limits.maxPageSize')),
      maxPageSize: get('limits.maxPageSize'),
    },
    setting: get,
    rate: rateLimiter(get('limits.callsPerMinute')),
    auditor: auditor(database),
    upkeep: upkeep(database, get('history.days')),
    auditReads: get('audit.reads'),
    keyLifetimeMs: get('idempotency.hours') * HOUR,
    now,
    providerOf: ({ port }) => providers.outside(port),
    equip: await openEquip(tools, { newId, providers, meaning }),
  };

  if (!lazy) meaning.afterCall();
  const watch = workspaceWatch(database, WATCH_MS);
  return {
    location: database.location,
    // Not by spreading: `agent: process.env.NAME` may be undefined, which must not replace the default.
    session: (wanted = {}) =>
      openSession(guard, watch, meaning, {
        ...wanted,
        agent: checkedAgent(wanted.agent ?? get('agent.name')),
        role: wanted.role ?? get('agent.role'),
        readOnly: wanted.readOnly ?? get('readOnly'),
      }),
    tokens: ({ agent, role, door = 'library' } = {}) => {
      const identity = { agent: checkedAgent(agent ?? get('agent.name')), role: role ?? get('agent.role') };
      const keeper = tokenKeeper(guard, identity, door);
      return { ...keeper, create: async (wanted) => keeper.create({ ...wanted, agent: checkedAgent(wanted.agent) }) };
    },
    knownToken: (text) => knownToken(guard, text),
    ready: async () => void (await database.read((sql) => sql.get('SELECT 1'))),
    close: async () => {
      watch.stop();
      await meaning.close();
      await guard.upkeep.settle();
      await guard.auditor.flush();
      await database.close();
    },
  };
}

/** Loaded when it is needed: a command that knows its tools starts sooner without the rest. */
const allTools = async (): Promise<readonly Tool[]> => (await import('./tools/index.js')).tools;

/** The audit chain hashes the name as it is stored, so it must be text that a database gives back unchanged. */
function checkedAgent(agent: string): string {
  if (agent.trim() !== '' && agent.isWellFormed() && !agent.includes('\u0000')) return agent;
  throw plainFailure('invalid_argument', `Invalid agent '${agent}': must be text that is not empty`);
}

function openSession(
  guard: Guard,
  watch: Watch,
  meaning: Meaning,
  options: SessionOptions & { agent: string; role: Role; readOnly: boolean },
): Session {
  const { agent, role, readOnly, project, door = 'library', narrowedBy = [] } = options;
  const { toolsets, tools, excludeTools } = options;
  const selections = [{ toolsets, tools, excludeTools }, ...narrowedBy];
  for (const selection of selections) checkSelection(selection, guard.tools);
  const permission = { identity: { agent, role }, readOnly, selections };
  const callUntyped: Session['callUntyped'] = (tool, input, { signal = never, onProgress = () => {} } = {}) =>
    runCall(guard, { ...permission, tool, input, door, project, signal, onProgress }).finally(meaning.afterCall);
  const allowed = guard.tools.filter((tool) => mayCall(tool, permission));
  return {
    call: callUntyped as Session['call'],
    callUntyped,
    tools: () => allowed,
    knows: (name) => guard.tools.some((tool) => tool.name === name),
    watch,
    close: () => guard.auditor.flush(),
  };
}

type Get = ToolCall['setting'];

function meaningOptions(get: Get, env: Environment, more: Omit<MeaningOptions, 'settings'>): MeaningOptions {
  const url = get('search.openai.url');
  return {
    ...more,
    settings: {
      kind: get('search.embedder'),
      engine: get('search.engine'),
      threads: get('search.threads'),
      sparing: more.background,
      openai: {
        url,
        model: get('search.openai.model'),
        dimensions: get('search.openai.dimensions'),
        key: keyFor(url, env),
        timeoutMs: get('network.timeoutSeconds') * 1000,
      },
    },
  };
}

/** The key that other programs use is for OpenAI's own server: another one must not be sent it by accident. */
function keyFor(url: string, env: Environment): string | undefined {
  const isOpenai = URL.canParse(url) && new URL(url).host === 'api.openai.com';
  return env.AI_ASSIST_OPENAI_KEY || (isOpenai ? env.OPENAI_API_KEY : undefined) || undefined;
}
