import path from 'node:path';
import { parseArgs } from 'node:util';
import { type Config, loadConfig } from '../../config/config.js';
import type { Role } from '../../config/settings.js';
import { type HttpOptions, serveHttp } from '../../mcp/http/serve.js';
import { namesIn } from '../../tools/selection.js';
import { openWorkspace } from '../../workspace.js';
import { type ExitCode, UsageError } from '../command.js';
import { usage } from '../options.js';
import { readServedTools, servedToolsOptions } from '../served-tools.js';
import { printNote } from '../terminal.js';

const options = {
  ...servedToolsOptions,
  host: { type: 'string' },
  port: { type: 'string' },
  'allow-hosts': { type: 'string' },
  'allow-origins': { type: 'string' },
  'require-token': { type: 'boolean' },
  project: { type: 'string' },
} as const;

type Values = { [Name in keyof typeof options]?: (typeof options)[Name]['type'] extends 'boolean' ? boolean : string };

export async function run(args: string[]): Promise<ExitCode> {
  const { values } = usage(() => parseArgs({ args, options }));
  const config = loadConfig();
  const wanted = httpOptions(values, config);
  const workspace = await openWorkspace({ background: true });
  try {
    const server = await serveHttp(workspace, wanted);
    const who = server.tokenNeeded ? 'every client needs a token' : 'no token needed on this machine';
    const where = ['0.0.0.0', '::'].includes(wanted.host) ? ' and on every address of this machine' : '';
    printNote(`Serving MCP at ${server.url}${where} (${who}). Stop with Ctrl-C.`);
    await stopSignal();
    printNote('Finishing running calls…');
    await server.close();
    return 0;
  } finally {
    await workspace.close();
  }
}

/** Standard output is left to programs: this is for people. */

/** The first signal asks for an end; the second one does not wait for it. */
function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    let asked = false;
    const stop = () => {
      if (asked) process.exit(130);
      asked = true;
      resolve();
    };
    process.on('SIGINT', stop).on('SIGTERM', stop);
  });
}

function httpOptions(values: Values, config: Config): HttpOptions {
  const list = (flag: 'allow-hosts' | 'allow-origins', setting: 'http.allowHosts' | 'http.allowOrigins') =>
    namesIn(values[flag] ?? config.get(setting));
  return {
    ...readServedTools(values, config),
    host: values.host ?? config.get('http.host'),
    port: readPort(values.port) ?? config.get('http.port'),
    allowHosts: list('allow-hosts', 'http.allowHosts'),
    allowOrigins: list('allow-origins', 'http.allowOrigins'),
    requireToken: values['require-token'] ?? config.get('http.requireToken'),
    maxBodyBytes: 2 * config.get('limits.maxInputBytes'),
    sessionIdleMs: config.get('http.sessionMinutes') * 60_000,
    anonymous: { agent: config.get('agent.name'), role: anonymousRole(config) },
    project: path.resolve(values.project ?? process.cwd()),
    onError: (error) => {
      if (process.env.AI_ASSIST_DEBUG) printNote(error.message);
    },
  };
}

/** Who shows no token is an editor, and a reader where the configuration says so: never more. */
const anonymousRole = (config: Config): Role =>
  config.isSet('agent.role') && config.get('agent.role') === 'reader' ? 'reader' : 'editor';

function readPort(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (/^\d{1,5}$/.test(text) && Number(text) < 65_536) return Number(text);
  throw new UsageError(`--port '${text}' is not a port`, 'Write a number from 0 to 65535.');
}
