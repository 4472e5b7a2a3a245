import { parseArgs } from 'node:util';
import type { Session } from '../../workspace.js';
import { type ExitCode, UsageError } from '../command.js';
import { usage } from '../options.js';
import { answer } from '../render.js';
import { withSession } from '../session.js';
import { columns, print, printError, printJson, safe } from '../terminal.js';

const options = {
  agent: { type: 'string' },
  tool: { type: 'string' },
  outcome: { type: 'string' },
  after: { type: 'string' },
  limit: { type: 'string' },
  json: { type: 'boolean' },
} as const;

type Options = { [Name in keyof typeof options]?: string | boolean };

const actions: Record<string, (session: Session, options: Options) => Promise<ExitCode>> = {
  list,
  verify,
  export: exportLog,
};

export async function run([name = '', ...args]: string[]): Promise<ExitCode> {
  const action = Object.hasOwn(actions, name) ? actions[name] : undefined;
  if (!action)
    throw new UsageError(`Unknown audit command '${name}'`, 'Write audit list, audit verify or audit export.');
  const { values } = usage(() => parseArgs({ args, options }));
  return withSession((session) => action(session, values));
}

async function list(session: Session, { json = false, after, limit, ...filter }: Options): Promise<ExitCode> {
  const input = { ...filter, ...numeric('after', after), ...numeric('limit', limit) };
  const envelope = await session.call('audit_list', input as object);
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

async function verify(session: Session, { json = false }: Options): Promise<ExitCode> {
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
