/** Answers for people: trees for what is nested, tables for lists, lines for the rest. */
import type { Envelope } from '../workspace.js';
import type { ExitCode } from './command.js';
import { isTreeNode, renderForest, renderTree } from './render-tree.js';
import { bold, columns, dim, print, printError, printJson, printNote, safe } from './terminal.js';

export function answer(envelope: Envelope, json: boolean): ExitCode {
  if (json) printJson(envelope, 2);
  else if (envelope.success) print(render(envelope));
  else printFailure(envelope);
  return envelope.success ? 0 : 1;
}

type Failed = Extract<Envelope, { success: false }>;

function printFailure({ success: _, error, error_type: _type, instruction, ...details }: Failed): void {
  printError(error, instruction);
  for (const [name, value] of Object.entries(details)) printNote(`${name}: ${inline(value)}`);
}

function render({ success: _, ...fields }: Envelope): string {
  return Object.entries(fields)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => renderField(name, value))
    .join('\n');
}

type Row = Record<string, unknown>;

function renderField(name: string, value: unknown): string {
  if (isTreeNode(value)) return renderTree(value);
  if (isRecord(value)) return `${dim(`${name}:`)}\n${indented(render(value as Envelope))}`;
  if (!isRows(value) || value.length === 0) return `${dim(`${name}:`)} ${inline(value)}`;
  return isForest(value) ? renderForest(value) : table(value);
}

const isRecord = (value: unknown): value is Row => typeof value === 'object' && value !== null && !Array.isArray(value);

const isRows = (value: unknown): value is Row[] => Array.isArray(value) && value.every(isRecord);

const isForest = (rows: Row[]) => rows.every((row) => typeof row.id === 'string' && 'parentId' in row);

const indented = (text: string) => `  ${text.replaceAll('\n', '\n  ')}`;

function table(rows: Row[]): string {
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const shown = names.filter((name) => rows.some((row) => inline(row[name]) !== ''));
  const head = shown.map((name) => bold(name));
  return columns([head, ...rows.map((row) => shown.map((name) => cut(inline(row[name]))))]);
}

const WIDEST = 60;
const cut = (text: string) => (text.length > WIDEST ? `${text.slice(0, WIDEST - 1)}…` : text);

/** A value on one line. A breadcrumb is read by its names, a list of words as words. */
function inline(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'string') return safe(value);
  if (Array.isArray(value) && value.length === 0) return 'none';
  if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return safe(value.join(', '));
  if (isBreadcrumb(value)) return safe(value.map(({ name, nodeId }) => name ?? nodeId).join(' / '));
  return safe(JSON.stringify(value));
}

type Step = { nodeId: string; name?: string; depth: number };

const isBreadcrumb = (value: unknown): value is Step[] =>
  isRows(value) && value.every((step) => typeof step.nodeId === 'string' && typeof step.depth === 'number');
