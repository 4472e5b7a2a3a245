import { parseArgs } from 'node:util';
import { loadConfig } from '../../config/config.js';
import { asFailure } from '../../errors.js';
import { checkOrigins } from '../../mcp/http/gate.js';
import { doctorTools } from '../../tools/doctor/index.js';
import { namesIn } from '../../tools/selection.js';
import { openWorkspace, type ToolResult } from '../../workspace.js';
import { type ExitCode, UsageError } from '../command.js';
import { usage } from '../options.js';
import { answer } from '../render.js';
import { readServedTools } from '../served-tools.js';
import { bold, columns, dim, print, printJson, safe } from '../terminal.js';

type Report = Extract<ToolResult<'doctor'>, { success: true }>;

export async function run(args: string[]): Promise<ExitCode> {
  const options = { project: { type: 'string' }, json: { type: 'boolean' } } as const;
  const { values } = usage(() => parseArgs({ args, options }));
  const { json = false, project = process.cwd() } = values;
  const badSettings = problemOfSettings();
  const envelope = badSettings ?? (await examine(project));
  if (!envelope.success) return answer(envelope, json);
  if (json) printJson(envelope, 2);
  else show(envelope);
  return envelope.healthy ? 0 : 1;
}

/** With a bad setting no tool can run, or no server can start, so this one check is made here. */
function problemOfSettings(): Report | undefined {
  try {
    const config = loadConfig();
    readServedTools({}, config);
    checkOrigins(namesIn(config.get('http.allowOrigins')));
    return undefined;
  } catch (thrown) {
    const { message, mend } =
      thrown instanceof UsageError ? { message: thrown.message, mend: thrown.next } : told(thrown);
    const findings: Report['findings'] = [{ check: 'settings', level: 'problem', message, mend }];
    return { success: true, healthy: false, findings, skipped: ['everything else'] };
  }
}

function told(thrown: unknown) {
  const { message, instruction } = asFailure(thrown);
  return { message, mend: instruction };
}

/** The database is opened by the check, so that a broken one is a finding and not the end. */
async function examine(project: string): Promise<ToolResult<'doctor'>> {
  const workspace = await openWorkspace({ lazy: true, tools: doctorTools });
  try {
    return await workspace.session({ door: 'cli', project }).call('doctor', {});
  } finally {
    await workspace.close();
  }
}

function show({ findings, skipped, healthy }: Report): void {
  const rows = findings.flatMap(({ check, level, message, mend }) => [
    [level === 'ok' ? dim(level) : bold(level), check, safe(message)],
    ...(mend === undefined ? [] : [['', '', safe(`Mend: ${mend}`)]]),
  ]);
  print(columns(rows));
  if (skipped.length > 0) print(`\nNot checked: ${skipped.join(', ')}.`);
  const count = (wanted: string) => findings.filter(({ level }) => level === wanted).length;
  const verdict = healthy ? 'All is well' : 'Something is wrong';
  print(`\n${verdict}. Problems: ${count('problem')}, warnings: ${count('warning')}.`);
}
