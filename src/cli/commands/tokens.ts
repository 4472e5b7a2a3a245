import { statSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { type Role, roles } from '../../config/settings.js';
import { namesIn, type ToolsetName } from '../../tools/selection.js';
import { openWorkspace, type Token, type TokenKeeper } from '../../workspace.js';
import { actionNamed } from '../actions.js';
import { type ExitCode, UsageError } from '../command.js';
import { usage } from '../options.js';
import { bold, columns, dim, print, printJson, printNote, safe } from '../terminal.js';

const options = {
  agent: { type: 'string' },
  role: { type: 'string' },
  toolsets: { type: 'string' },
  'read-only': { type: 'boolean' },
  project: { type: 'string' },
  expires: { type: 'string' },
  json: { type: 'boolean' },
} as const;

type Options = { [Name in keyof typeof options]?: (typeof options)[Name]['type'] extends 'boolean' ? boolean : string };
type Action = {
  flags: (keyof Options)[];
  words: number;
  run: (tokens: TokenKeeper, words: string[], given: Options) => Promise<ExitCode>;
};

const actions: Record<string, Action> = {
  create: { flags: ['agent', 'role', 'toolsets', 'read-only', 'project', 'expires'], words: 0, run: create },
  list: { flags: [], words: 0, run: list },
  revoke: { flags: [], words: 1, run: revoke },
};

export async function run([name, ...args]: string[]): Promise<ExitCode> {
  const action = actionNamed('tokens', actions, name);
  const allowed = Object.fromEntries([...action.flags, 'json' as const].map((flag) => [flag, options[flag]]));
  const { values, positionals } = usage(() => parseArgs({ args, options: allowed, allowPositionals: true }));
  if (positionals.length > action.words) {
    throw new UsageError(`Unexpected word '${positionals[action.words]}'`, 'Add --help to see how it is used.');
  }
  const workspace = await openWorkspace();
  try {
    return await action.run(workspace.tokens({ door: 'cli' }), positionals, values as Options);
  } finally {
    await workspace.close();
  }
}

async function create(tokens: TokenKeeper, _words: string[], given: Options): Promise<ExitCode> {
  const { agent, toolsets, project, expires, json } = given;
  if (agent === undefined || agent.trim() === '') {
    throw new UsageError('The agent is missing', 'Write --agent NAME: the name that the audit log will show.');
  }
  const { token, text } = await tokens.create({
    agent,
    readOnly: given['read-only'] === true,
    ...(given.role !== undefined && { role: readRole(given.role) }),
    ...(toolsets !== undefined && { toolsets: readToolsets(toolsets) }),
    ...(project !== undefined && { project: readFolder(project) }),
    ...(expires !== undefined && { expires: readTime(expires, Date.now()) }),
  });
  if (json) printJson({ success: true, token: text, ...shown(token) }, 2);
  else {
    print(text);
    printNote(`${dim('This is shown once: keep it safe. Its id is')} ${token.id}`);
  }
  return 0;
}

async function list(tokens: TokenKeeper, _words: string[], { json }: Options): Promise<ExitCode> {
  const all = await tokens.list();
  if (json) printJson({ success: true, tokens: all.map(shown) }, 2);
  else if (all.length === 0) print('There are no tokens. Make one: ai-assist tokens create --agent NAME');
  else {
    const head = ['id', 'agent', 'role', 'toolsets', 'project', 'created', 'expires', 'status'].map((name) =>
      bold(name),
    );
    print(columns([head, ...all.map(row)]));
  }
  return 0;
}

async function revoke(tokens: TokenKeeper, [id]: string[], { json }: Options): Promise<ExitCode> {
  if (id === undefined)
    throw new UsageError('The id of the token is missing', "Type 'ai-assist tokens list' to see it.");
  await tokens.revoke(id);
  if (json) printJson({ success: true, id }, 2);
  else print(`Revoked ${id}.`);
  return 0;
}

const day = (time: number | null) => (time === null ? 'never' : new Date(time).toISOString().slice(0, 10));

const row = (token: Token): string[] => [
  token.id,
  safe(token.agent),
  token.readOnly ? `${token.role}, read-only` : token.role,
  token.toolsets?.join(',') ?? "the server's",
  safe(token.project ?? "the server's"),
  day(token.created),
  day(token.expires),
  statusOf(token),
];

function statusOf({ revoked, expires }: Token): string {
  if (revoked !== null) return 'revoked';
  return expires !== null && expires <= Date.now() ? 'expired' : 'valid';
}

const iso = (time: number | null) => time && new Date(time).toISOString();

const shown = (token: Token) => ({
  ...token,
  created: iso(token.created),
  expires: iso(token.expires),
  revoked: iso(token.revoked),
  status: statusOf(token),
});

function readToolsets(text: string): ToolsetName[] {
  const names = namesIn(text);
  if (names.length > 0) return names as ToolsetName[];
  throw new UsageError('--toolsets needs names', 'Write --toolsets A,B, or leave it out.');
}

function readRole(role: string): Role {
  if (roles.includes(role as Role)) return role as Role;
  throw new UsageError(`--role '${role}' is not a role`, `Write one of ${roles.join(', ')}.`);
}

function readFolder(folder: string): string {
  const full = path.resolve(folder);
  if (statSync(full, { throwIfNoEntry: false })?.isDirectory()) return full;
  throw new UsageError(`--project '${folder}' is not a folder`, 'Name the folder of a project.');
}

const units: Record<string, number> = { h: 3_600_000, d: 86_400_000, w: 604_800_000 };

/** A span from now, such as 12h, 30d or 4w, or a date. */
function readTime(text: string, now: number): number {
  const [, count, unit] = /^(\d{1,5})([hdw])$/.exec(text) ?? [];
  if (count && unit) return now + Number(count) * (units[unit] as number);
  const date = /^\d{4}-\d\d-\d\d/.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isFinite(date)) return date;
  throw new UsageError(`--expires '${text}' is no time`, 'Write 12h, 30d or 4w, or a date such as 2030-12-31.');
}
