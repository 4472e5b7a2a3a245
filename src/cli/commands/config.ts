import { parseArgs } from 'node:util';
import { configFile, loadConfig } from '../../config/config.js';
import type { ExitCode } from '../command.js';
import { usage } from '../options.js';
import { bold, columns, dim, print, printJson, safe } from '../terminal.js';

export async function run(args: string[]): Promise<ExitCode> {
  const { values } = usage(() => parseArgs({ args, options: { json: { type: 'boolean' } } }));
  const entries = loadConfig().entries();
  if (values.json) {
    printJson(entries, 2);
    return 0;
  }
  const rows = entries.map(({ name, value, origin, doc, env }) => [name, safe(String(value)), origin, env, doc]);
  const head = ['setting', 'value', 'from', 'environment variable', 'what it does'].map((name) => bold(name));
  print(columns([head, ...rows]));
  print(dim(`\nConfiguration file: ${configFile(process.env)}`));
  return 0;
}
