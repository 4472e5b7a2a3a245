/** Answers for people: a tree of folders, tables for lists, lines for the rest. */
import type { Envelope } from '../workspace.js';
import type { ExitCode } from './command.js';
import { bold, columns, dim, print, printError, printJson, safe } from './terminal.js';

export function answer(envelope: Envelope, json: boolean): ExitCode {
  if (json) printJson(envelope, 2);
  else if (envelope.success) print(render(envelope));
  else printFailure(envelope);
  return envelope.success ? 0 : 1;
}

type Failed = Extract<Envelope, { success: false }>;

function printFailure({ success: _, error, error_type: _type, instruction, ...details }: Failed): void {
  printError(error, instruction);
  for (const [name, value] of Object.entries(details)) process.stderr.write(`${name}: ${inline(value)}\n`);
}

export function render({ success: _, ...fields }: Envelope): string {
  return Object.entries(fields)
    .map(([name, value]) => renderField(name, value))
    .join('\n');
}

type Row = Record<string, unknown>;

function renderField(name: string, value: unknown): string {
  if (!isRows(value)) return `${dim(`${name}:`)} ${inline(value)}`;
  if (value.length === 0) return `No ${name}.`;
  return isForest(value) ? forest(value) : table(value);
}

const isRows = (value: unknown): value is Row[] =>
  Array.isArray(value) && value.every((row) => typeof row === 'object' && row !== null);

const isForest = (rows: Row[]) => rows.every((row) => typeof row.id === 'string' && 'parentId' in row);

/** Rows that stand in tree order, each indented below its parent. */
function forest(rows: Row[]): string {
  const depths = new Map<unknown, number>();
  const lines = rows.map((row) => {
    const depth = (depths.get(row.parentId) ?? -1) + 1;
    depths.set(row.id, depth);
    const dropped = row.status === 'dropped' ? dim(' (dropped)') : '';
    return [`${'  '.repeat(depth)}${safe(String(row.name))}${dropped}`, dim(String(row.id))];
  });
  return columns(lines);
}

function table(rows: Row[]): string {
  const names = Object.keys(rows[0] as Row).filter((name) => rows.some((row) => inline(row[name]) !== ''));
  const head = names.map((name) => bold(name));
  return columns([head, ...rows.map((row) => names.map((name) => cut(inline(row[name]))))]);
}

const WIDEST = 60;
const cut = (text: string) => (text.length > WIDEST ? `${text.slice(0, WIDEST - 1)}…` : text);

function inline(value: unknown): string {
  if (value === null || value === undefined) return '';
  return safe(typeof value === 'string' ? value : JSON.stringify(value));
}
