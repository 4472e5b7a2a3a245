import { type ParseArgsConfig, parseArgs } from 'node:util';
import { auditTools } from '../../tools/audit/index.js';
import type { ToolInput } from '../../tools/index.js';
import type { Session } from '../../workspace.js';
import { actionNamed } from '../actions.js';
import { type ExitCode, UsageError } from '../command.js';
import { usage } from '../options.js';
import { answer } from '../render.js';
import { withSession } from '../session.js';
import { columns, print, printError, printJson, safe } from '../terminal.js';

const json = { type: 'boolean' } as const;
const filter = {
  agent: { type: 'string' },
  tool: { type: 'string' },
  outcome: { type: 'string' },
  after: { type: 'string' },
  limit: { type: 'string' },
  last: { type: 'string' },
} as const;

type Values = Record<string, string | boolean | undefined>;
type Action = { options: ParseArgsConfig['options']; run: (session: Session, values: Values) => Promise<ExitCode> };

const actions: Record<string, Action> = {
  list: { options: { ...filter, json }, run: list },
  verify: { options: { json }, run: verify },
  export: { options: {}, run: exportLog },
};

export async function run([name, ...args]: string[]): Promise<ExitCode> {
  const action = actionNamed('audit', actions, name);
  const { values } = usage(() => parseArgs({ args, options: action.options ?? {} }));
  // The limit is for agents; a long export is one command.
  return withSession((session) => action.run(session, values as Values), {
    settings: { 'limits.callsPerMinute': 0 },
    tools: auditTools,
  });
}

async function list(session: Session, { json = false, after, limit, last, ...filter }: Values): Promise<ExitCode> {
  const numbers = { ...numeric('after', after), ...numeric('limit', limit), ...numeric('last', last) };
  const envelope = await session.call('audit_list', { ...filter, ...numbers } as ToolInput<'audit_list'>);
  if (json || !envelope.success) return answer(envelope, json === true);
  const rows = envelope.entries.map((entry) => [
    String(entry.seq),
    entry.at,
    safe(entry.agent),
    entry.door,
    safe(entry.tool),
    entry.outcome,
    safe(entry.error ?? entry.targets.join(' ')),
  ]);
  print(rows.length > 0 ? columns(rows) : 'No entries.');
  if (envelope.nextAfter !== undefined) print(`More: --after ${envelope.nextAfter}`);
  return 0;
}

async function verify(session: Session, { json = false }: Values): Promise<ExitCode> {
  const envelope = await session.call('audit_verify', {});
  if (!envelope.success || json) {
    answer(envelope, json === true);
    return envelope.success && envelope.intact ? 0 : 1;
  }
  if (envelope.intact) {
    print(`The audit log is intact: ${envelope.entries} entries.`);
    return 0;
  }
  printError(
    `The audit log is broken at entry ${envelope.brokenAt}: ${envelope.reason}`,
    `The ${envelope.entries} entries before it hold. Compare the rest with a backup or an earlier export.`,
  );
  return 1;
}

async function exportLog(session: Session): Promise<ExitCode> {
  for (let after: number | undefined = 0; after !== undefined; ) {
    const page: Awaited<ReturnType<typeof readPage>> = await readPage(session, after);
    if (!page.success) return answer(page, false);
    for (const entry of page.entries) printJson(entry);
    after = page.nextAfter;
  }
  return 0;
}

const readPage = (session: Session, after: number) => session.call('audit_list', { after, limit: 1000 });

function numeric(name: string, text: string | boolean | undefined): Record<string, number> {
  if (typeof text !== 'string') return {};
  if (/^\d+$/.test(text)) return { [name]: Number(text) };
  throw new UsageError(`--${name} '${text}' is not a whole number`, `Write --${name} with digits.`);
}
