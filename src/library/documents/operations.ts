/** Operations on the arrays of a document: read from a caller's JSON, then run in order on a copy. */
import { Failure } from '../../errors.js';
import { isRecord, type Path, parsePath } from '../tree/payload.js';
import { type Fault, faulty, kindOf } from './faults.js';

export const actions = ['insert', 'replace', 'delete', 'test'] as const;
export type Action = (typeof actions)[number];

export type Operation = {
  /** Its place in the list, from 1. */
  number: number;
  /** The path as it was written, and its keys. */
  text: string;
  path: Path;
  action: Action;
  index: number | undefined;
  value: unknown;
};

const FIELDS = ['path', 'action', 'index', 'value'];

/** All operations, or one failure with every fault that can be told without the document. */
export function parseOperations(raw: readonly unknown[]): Operation[] {
  const parsed = raw.map((operation, index) => parseOperation(operation, index + 1));
  const faults = parsed.flatMap(({ faults }) => faults);
  const [first, ...others] = faults;
  if (first) throw faulty([first, ...others]);
  return parsed.map(({ operation }) => operation as Operation);
}

type Parsed = { operation?: Operation; faults: Fault[] };

function parseOperation(raw: unknown, number: number): Parsed {
  if (!isRecord(raw)) return { faults: [{ operation: number, message: `expected an object, not ${kindOf(raw)}` }] };
  const path = typeof raw.path === 'string' && raw.path !== '' ? raw.path : undefined;
  const messages = [...unknownFields(raw), ...pathFaults(raw.path), ...actionFaults(raw)];
  if (messages.length > 0) return { faults: messages.map((message) => ({ operation: number, path, message })) };
  const { action, index, value } = raw as Pick<Operation, 'action' | 'index' | 'value'>;
  const text = path as string;
  return { operation: { number, text, path: parsePath(text, 'path'), action, index, value }, faults: [] };
}

const unknownFields = (raw: object): string[] =>
  Object.keys(raw)
    .filter((key) => !FIELDS.includes(key))
    .map((key) => `unknown field '${key}': an operation has ${FIELDS.join(', ')}`);

function pathFaults(path: unknown): string[] {
  if (path === undefined || path === '') return ['path is required'];
  if (typeof path !== 'string') return [`path must be text, not ${kindOf(path)}`];
  // An agent that knows JSON Patch would make an array of that name, and never see it.
  if (path.startsWith('/'))
    return ['path has dots, not slashes: write a.b, or \\/a for a key that begins with a slash'];
  try {
    parsePath(path, 'path');
    return [];
  } catch (thrown) {
    if (thrown instanceof Failure) return [thrown.message.replace(/^path: /, '')];
    throw thrown;
  }
}

function actionFaults(raw: Record<string, unknown>): string[] {
  const { action, index, value } = raw;
  const known = actions.find((candidate) => candidate === action);
  if (action === undefined) return [`action is required: ${actions.join(', ')}`];
  if (!known) return [`unknown action '${shown(action)}': use ${actions.join(', ')}`];
  const needsIndex = known === 'replace' || known === 'delete';
  const needsValue = known !== 'delete';
  return [
    index === undefined && needsIndex && `index is required for ${known}`,
    index !== undefined && indexFault(index),
    needsValue && value === undefined && `value is required for ${known}`,
    !needsValue && value !== undefined && `value is not allowed for ${known}`,
  ].filter((message) => typeof message === 'string');
}

function indexFault(index: unknown): string | false {
  if (typeof index !== 'number') return `index must be a whole number, not ${kindOf(index)}`;
  if (!Number.isSafeInteger(index)) return `index ${index} is not a whole number`;
  return index < 0 && `index ${index} is negative: entries are counted from 0`;
}

const shown = (value: unknown) => (typeof value === 'string' ? value : (JSON.stringify(value) ?? '')).slice(0, 60);
