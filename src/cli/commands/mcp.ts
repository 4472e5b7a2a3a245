import { parseArgs } from 'node:util';
import { loadConfig } from '../../config/config.js';
import { type Role, roles } from '../../config/settings.js';
import { serveOnStdio } from '../../mcp/stdio.js';
import { orDefault } from '../../tools/selection.js';
import { openWorkspace, type SessionOptions } from '../../workspace.js';
import { type ExitCode, UsageError } from '../command.js';
import { usage } from '../options.js';
import { readServedTools, servedToolsOptions } from '../served-tools.js';

export const options = {
  ...servedToolsOptions,
  role: { type: 'string' },
  agent: { type: 'string' },
  project: { type: 'string' },
} as const;

export async function run(args: string[]): Promise<ExitCode> {
  const { values } = usage(() => parseArgs({ args, options }));
  if (values.agent?.trim() === '') throw new UsageError('--agent needs a name', 'Write --agent NAME, or leave it out.');
  const config = loadConfig();
  const { selection, readOnly } = readServedTools(values, config);
  const session: SessionOptions = {
    door: 'mcp',
    role: readRole(values.role) ?? (config.isSet('agent.role') ? config.get('agent.role') : 'editor'),
    project: values.project ?? process.cwd(),
    ...(values.agent !== undefined && { agent: values.agent }),
    readOnly,
    ...orDefault(selection),
  };
  // Some clients start the server twice, or only to list its tools: the database waits for the first call.
  const workspace = await openWorkspace({ lazy: true, background: true });
  await serveOnStdio(workspace.session(session));
  await workspace.close();
  return 0;
}

function readRole(role: string | undefined): Role | undefined {
  if (role === undefined || roles.includes(role as Role)) return role as Role | undefined;
  throw new UsageError(`--role '${role}' is not a role`, `Write one of ${roles.join(', ')}.`);
}
