/** Every setting: what it is for, what it allows, its default and its environment variable. */
import os from 'node:os';
import path from 'node:path';
import { anyText, DAY_SECONDS, type Format, oneOf, onOff, seconds, text, wholeNumber } from './formats.js';
import { type Environment, platformFolders } from './platform.js';

export type Setting<Value> = { doc: string; format: Format; default: Value; env: string };

export type Role = 'reader' | 'editor' | 'owner';
export const roles: readonly Role[] = ['reader', 'editor', 'owner'];

export type EmbedderKind = 'minilm' | 'openai' | 'none';

export type EmbedEngine = 'auto' | 'wasm';

export type SqliteDriver = 'auto' | 'node' | 'libsql';

export type FoldersProvider = 'library' | 'omnifocus';

export type DocumentsProvider = 'library' | 'foundry';

const WEEK_MINUTES = 7 * 24 * 60;
const YEAR_HOURS = 365 * 24;
const CENTURY_DAYS = 36_500;

export function settingsFor(env: Environment) {
  return {
    'project.configFile': setting('Name of the project file.', text, 'context.json', 'AI_ASSIST_PROJECT_CONFIG_FILE'),
    'project.lockSeconds': setting(
      'How long a change of the project file waits for another process.',
      wholeNumber(0, DAY_SECONDS),
      10,
      'AI_ASSIST_PROJECT_LOCK_SECONDS',
    ),
    database: setting(
      'The database: a file, or :memory: for one that ends with the process.',
      text,
      path.join(platformFolders(env).data, 'library.db'),
      'AI_ASSIST_DATABASE',
    ),
    'sqlite.driver': setting<SqliteDriver>(
      'How SQLite is reached: by Node itself, by the package libsql, or whichever is there.',
      oneOf('auto', 'node', 'libsql'),
      'auto',
      'AI_ASSIST_SQLITE_DRIVER',
    ),
    'providers.folders': setting<FoldersProvider>(
      'Who keeps the folders: the embedded library, or OmniFocus on this Mac.',
      oneOf('library', 'omnifocus'),
      'library',
      'AI_ASSIST_FOLDERS_PROVIDER',
    ),
    'providers.documents': setting<DocumentsProvider>(
      'Who keeps the documents: the embedded library, or a Foundry VTT world by its REST relay.',
      oneOf('library', 'foundry'),
      'library',
      'AI_ASSIST_DOCUMENTS_PROVIDER',
    ),
    'providers.foundry.url': setting(
      'Address of the REST relay of Foundry. Its key is read from AI_ASSIST_FOUNDRY_API_KEY only.',
      anyText,
      'http://localhost:3010',
      'AI_ASSIST_FOUNDRY_URL',
    ),
    'providers.foundry.clientId': setting(
      'Which world of the relay: its client id. Not needed where the key knows one world only.',
      anyText,
      '',
      'AI_ASSIST_FOUNDRY_CLIENT_ID',
    ),
    'providers.foundry.timeoutSeconds': setting(
      'How long the relay may take to answer.',
      seconds,
      30,
      'AI_ASSIST_FOUNDRY_TIMEOUT',
    ),
    'agent.name': setting(
      'Who calls: the name that versions, keys and the audit log know.',
      text,
      localUser(),
      'AI_ASSIST_AGENT',
    ),
    'agent.role': setting<Role>(
      'What the agent may do: reader, editor or owner. An MCP server is an editor unless this is set.',
      oneOf(...roles),
      'owner',
      'AI_ASSIST_ROLE',
    ),
    readOnly: setting('Refuse every call that changes something.', onOff, false, 'AI_ASSIST_READ_ONLY'),
    'limits.callsPerMinute': setting(
      'Calls a minute for each agent; 0 for no limit.',
      wholeNumber(0),
      1200,
      'AI_ASSIST_CALLS_PER_MINUTE',
    ),
    'limits.maxBatch': setting('Items that one call may name or match.', wholeNumber(1), 100, 'AI_ASSIST_MAX_BATCH'),
    'limits.pageSize': setting('Items a page, where a call does not say.', wholeNumber(1), 50, 'AI_ASSIST_PAGE_SIZE'),
    'limits.maxPageSize': setting('Items a page at the most.', wholeNumber(1), 200, 'AI_ASSIST_MAX_PAGE_SIZE'),
    'limits.maxInputBytes': setting(
      'Size of the input of one call.',
      wholeNumber(1024),
      8 * 1024 * 1024,
      'AI_ASSIST_MAX_INPUT_BYTES',
    ),
    'limits.maxDepth': setting(
      'Depth of nesting in the input of one call.',
      wholeNumber(8),
      256,
      'AI_ASSIST_MAX_DEPTH',
    ),
    'idempotency.hours': setting(
      'How long a repeated call with the same key gets the first answer.',
      wholeNumber(1, YEAR_HOURS),
      24,
      'AI_ASSIST_IDEMPOTENCY_HOURS',
    ),
    'history.days': setting(
      'How long replaced versions of the library are kept; 0 for ever.',
      wholeNumber(0, CENTURY_DAYS),
      365,
      'AI_ASSIST_HISTORY_DAYS',
    ),
    'network.allowHosts': setting(
      'Hosts on loopback or private networks that packages of others may be fetched from: names, divided by commas.',
      anyText,
      '',
      'AI_ASSIST_ALLOW_HOSTS',
    ),
    'network.timeoutSeconds': setting('How long one fetch may take.', seconds, 60, 'AI_ASSIST_NETWORK_TIMEOUT'),
    'search.embedder': setting<EmbedderKind>(
      'What finds documents by meaning: minilm in this process, openai for a server with its protocol, or none.',
      oneOf('minilm', 'openai', 'none'),
      'minilm',
      'AI_ASSIST_EMBEDDER',
    ),
    'search.engine': setting<EmbedEngine>(
      'What runs minilm: auto for the package onnxruntime-node where it is installed, or wasm for the own engine.',
      oneOf('auto', 'wasm'),
      'auto',
      'AI_ASSIST_EMBED_ENGINE',
    ),
    'search.threads': setting(
      'Threads that embed texts; 0 for half of the cores in a server, and all of them for a command that waits.',
      wholeNumber(0),
      0,
      'AI_ASSIST_EMBED_THREADS',
    ),
    'search.openai.url': setting(
      'Address of the embedding server. Its key is AI_ASSIST_OPENAI_KEY in the environment; for OpenAI itself also OPENAI_API_KEY.',
      text,
      'https://api.openai.com/v1',
      'AI_ASSIST_OPENAI_URL',
    ),
    'search.openai.model': setting(
      'Model that the embedding server is asked for.',
      text,
      'text-embedding-3-small',
      'AI_ASSIST_OPENAI_MODEL',
    ),
    'search.openai.dimensions': setting(
      'Numbers in a vector of that model; 0 for as many as it has.',
      wholeNumber(0),
      0,
      'AI_ASSIST_OPENAI_DIMENSIONS',
    ),
    'omnifocus.timeoutSeconds': setting(
      'How long OmniFocus may take for one call. macOS itself gives up after 120 seconds, which is gentler.',
      seconds,
      150,
      'AI_ASSIST_OMNIFOCUS_TIMEOUT',
    ),
    'mcp.toolsets': setting(
      'Toolsets that an MCP server has, divided by commas; all for every tool.',
      anyText,
      '',
      'AI_ASSIST_TOOLSETS',
    ),
    'mcp.tools': setting(
      'Single tools that an MCP server has beside the toolsets, divided by commas.',
      anyText,
      '',
      'AI_ASSIST_TOOLS',
    ),
    'mcp.excludeTools': setting(
      'Tools that an MCP server does not have, divided by commas.',
      anyText,
      '',
      'AI_ASSIST_EXCLUDE_TOOLS',
    ),
    'http.host': setting(
      'Address that serve listens on. Other than a loopback one, every client needs a token.',
      text,
      '127.0.0.1',
      'AI_ASSIST_HTTP_HOST',
    ),
    'http.port': setting(
      'Port that serve listens on; 0 for any free one.',
      wholeNumber(0, 65_535),
      7333,
      'AI_ASSIST_HTTP_PORT',
    ),
    'http.allowHosts': setting(
      'More names that clients may know the server by, as behind a proxy: divided by commas.',
      anyText,
      '',
      'AI_ASSIST_HTTP_ALLOW_HOSTS',
    ),
    'http.allowOrigins': setting(
      'Origins of web pages that may call the server, such as https://app.example.com: divided by commas.',
      anyText,
      '',
      'AI_ASSIST_HTTP_ALLOW_ORIGINS',
    ),
    'http.requireToken': setting('Ask for a token on loopback too.', onOff, false, 'AI_ASSIST_HTTP_REQUIRE_TOKEN'),
    'http.sessionMinutes': setting(
      'How long a session of the 2025 protocol is kept without a request.',
      wholeNumber(1, WEEK_MINUTES),
      60,
      'AI_ASSIST_HTTP_SESSION_MINUTES',
    ),
    'audit.reads': setting('Record calls that only read, too.', onOff, true, 'AI_ASSIST_AUDIT_READS'),
  };
}

function setting<Value>(doc: string, format: Format, standard: Value, env: string): Setting<Value> {
  return { doc, format, default: standard, env };
}

/** A container may run under a user that has no name. */
function localUser(): string {
  try {
    return os.userInfo().username || 'local';
  } catch {
    return 'local';
  }
}

type Settings = ReturnType<typeof settingsFor>;
export type SettingName = keyof Settings;
type Widen<Value> = Value extends boolean ? boolean : Value;
export type SettingValues = {
  [Name in SettingName]: Settings[Name] extends Setting<infer Value> ? Widen<Value> : never;
};
