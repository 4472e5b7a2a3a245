import { realpathSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { type ClientDefinition, clients, entryFor, type Place, type Scope } from '../../setup/clients.js';
import { installInto, snippet } from '../../setup/install.js';
import { launchFor, sharedLaunch } from '../../setup/launch.js';
import { packageVersion } from '../../version.js';
import { closest } from '../closest.js';
import { type ExitCode, UsageError } from '../command.js';
import { usage } from '../options.js';
import { columns, dim, print, printJson, printNote, safe } from '../terminal.js';
import { options as mcpOptions } from './mcp.js';

const options = {
  print: { type: 'boolean' },
  scope: { type: 'string' },
  name: { type: 'string' },
  project: { type: 'string' },
  json: { type: 'boolean' },
} as const;

export async function run(args: string[]): Promise<ExitCode> {
  const { own, passed } = split(args);
  const { values, positionals } = usage(() => parseArgs({ args: own, options, allowPositionals: true }));
  const [wanted, extra] = positionals;
  if (extra !== undefined) throw new UsageError(`Unexpected word '${extra}'`, 'Name one client at a time.');
  const project = path.resolve(values.project ?? '.');
  const place: Place = { platform: process.platform, env: process.env, home: os.homedir(), project };
  if (wanted === undefined) return listClients(place, values.json === true);

  const client = findClient(wanted);
  const scope = readScope(values.scope, client);
  const name = readName(values.name);
  const file = (client.files[scope] ?? client.files.user)(place);
  const serverOptions = [
    ...(values.project !== undefined && scope === 'user' ? ['--project', project] : []),
    ...checked(passed),
  ];
  const launch =
    scope === 'project' ? sharedLaunch(running(), project, serverOptions) : launchFor(running(), serverOptions);
  const entry = entryFor(client, launch);

  if (values.print) {
    if (values.json) printJson({ client: client.name, file, entry }, 2);
    else {
      printNote(`This belongs into ${safe(file)}:`);
      print(snippet(client, name, entry));
    }
    return 0;
  }
  const done = await installInto(client, file, name, entry, new Date());
  if (values.json) printJson({ success: true, client: client.name, ...done }, 2);
  else report(client, name, done, !client.startsInProject && scope === 'user' && values.project === undefined);
  return 0;
}

/** What stands behind `--` is for the server. */
function split(args: readonly string[]): { own: string[]; passed: string[] } {
  const end = args.indexOf('--');
  return end < 0 ? { own: [...args], passed: [] } : { own: args.slice(0, end), passed: args.slice(end + 1) };
}

/** A client would show no more than that its server does not start, so the options are read now. */
function checked(passed: string[]): string[] {
  usage(() => parseArgs({ args: passed, options: mcpOptions }));
  return passed;
}

function findClient(wanted: string): ClientDefinition {
  const found = clients.find(({ name, title }) => [name, title.toLowerCase()].includes(wanted.toLowerCase()));
  if (found) return found;
  const names = clients.map(({ name }) => name);
  const near = closest(wanted, names);
  throw new UsageError(
    `Unknown client '${wanted}'`,
    near ? `Did you mean 'ai-assist install ${near}'?` : `Write one of ${names.join(', ')}.`,
  );
}

function readScope(scope: string | undefined, client: ClientDefinition): Scope {
  if (scope === undefined) return 'user';
  if (scope !== 'user' && scope !== 'project') {
    throw new UsageError(`--scope '${scope}' is not a scope`, 'Write user or project.');
  }
  if (client.files[scope]) return scope;
  throw new UsageError(`${client.title} has no settings of a project`, 'Leave --scope out.');
}

function readName(name = 'ai-assist'): string {
  if (/^[A-Za-z0-9_-]{1,64}$/.test(name)) return name;
  throw new UsageError(
    `--name '${name}' is not a name for a server`,
    'Write letters, digits, - and _, 64 at the most.',
  );
}

const running = () => ({
  mainFile: realpathSync(fileURLToPath(new URL('../main.cjs', import.meta.url))),
  node: process.execPath,
  version: packageVersion(),
  platform: process.platform,
});

function listClients(place: Place, json: boolean): ExitCode {
  const known = clients.map(({ name, title, files }) => ({
    name,
    title,
    user: files.user(place),
    project: files.project?.(place) ?? null,
  }));
  if (json) {
    printJson(known, 2);
    return 0;
  }
  print('Write ai-assist install CLIENT. The clients, with the file that is changed:\n');
  print(columns(known.map(({ name, title, user }) => [`  ${name}`, title, safe(user)])));
  print(dim('\nWith --print nothing is changed: the entry is shown.'));
  return 0;
}

function report(
  client: ClientDefinition,
  name: string,
  { file, changed, backup }: { file: string; changed: boolean; backup?: string },
  lacksProject: boolean,
): void {
  print(
    changed ? `${client.title} now has the server '${name}'.` : `${client.title} has the server '${name}' already.`,
  );
  print(`  file    ${safe(file)}`);
  if (backup !== undefined) print(`  backup  ${safe(backup)}`);
  print(client.afterwards);
  if (lacksProject) print(dim('It has no project yet. Add --project DIR to give it the collections of one.'));
}
