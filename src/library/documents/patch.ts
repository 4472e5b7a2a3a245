/** JSON Patch (RFC 6902) as callers write it: read and checked before any document is looked at. */
import { isRecord } from '../tree/payload.js';
import { type Fault, faulty, kindOf } from './faults.js';

const names = ['add', 'remove', 'replace', 'move', 'copy', 'test'] as const;

export type PatchOperation = {
  /** Its place in the list, from 1. */
  number: number;
  op: (typeof names)[number];
  path: string;
  from?: string;
  value?: unknown;
};

const FORBIDDEN = new Set(['__proto__', 'constructor', 'prototype']);
const MOST_KEYS = 100;

/** The keys of a JSON Pointer. */
export const pointerKeys = (pointer: string): string[] =>
  pointer
    .split('/')
    .slice(1)
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));

/** All operations of a patch, or one failure with every fault in it. Members that the standard does not know are ignored. */
export function parsePatch(raw: readonly unknown[]): PatchOperation[] {
  const parsed = raw.map((operation, index) => parseOne(operation, index + 1));
  const [first, ...others] = parsed.filter((one) => 'message' in one);
  if (first) throw faulty([first, ...others]);
  return parsed as PatchOperation[];
}

function parseOne(raw: unknown, number: number): PatchOperation | Fault {
  if (!isRecord(raw)) return { operation: number, message: `expected an object, not ${kindOf(raw)}` };
  const { op, path, from, value } = raw;
  const name = names.find((known) => known === op);
  const message = name === undefined ? `unknown op: use ${names.join(', ')}` : partsFault(name, raw);
  if (message !== undefined) {
    return { operation: number, path: typeof path === 'string' ? path : undefined, message };
  }
  const parts = { number, op: name, path, ...(from !== undefined && { from }), ...('value' in raw && { value }) };
  return parts as PatchOperation;
}

function partsFault(op: PatchOperation['op'], { path, from, value }: Record<string, unknown>): string | undefined {
  const needsFrom = op === 'move' || op === 'copy';
  const needsValue = op === 'add' || op === 'replace' || op === 'test';
  if (needsValue && value === undefined) return `value is required for ${op}`;
  return pointerFault('path', path) ?? (needsFrom ? pointerFault('from', from) : undefined);
}

function pointerFault(name: string, pointer: unknown): string | undefined {
  if (pointer === undefined) return `${name} is required`;
  if (typeof pointer !== 'string') return `${name} must be text, not ${kindOf(pointer)}`;
  if (pointer !== '' && !pointer.startsWith('/')) return `${name} must be empty or begin with /`;
  if (/~(?![01])/.test(pointer)) return `${name} has a ~ that is neither ~0 nor ~1`;
  const keys = pointerKeys(pointer);
  if (keys.length > MOST_KEYS) return `${name} has more than ${MOST_KEYS} keys`;
  const forbidden = keys.find((key) => FORBIDDEN.has(key));
  return forbidden === undefined ? undefined : `${name} has the key '${forbidden}', which is not allowed`;
}
