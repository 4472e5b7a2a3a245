/**
 * Looks at raw input before anything else does: its size, its depth, and what no tool can use.
 * It never recurses, so that no nesting can exhaust the stack.
 */
import { type Failure, invalidArgument } from '../errors.js';
import type { Limits } from '../tools/call.js';

const FORBIDDEN_KEYS = new Set(['__proto__', 'constructor', 'prototype']);

type Visit = { value: unknown; path: string; depth: number };

/**
 * Throws a failure for input that is too large, too deep, or not plain JSON. The characters of the arguments in
 * `judged` are left to the tool, which has error types of its own for them.
 */
export function inspectInput(input: unknown, limits: Limits, judged: readonly string[] = []): void {
  const { maxInputBytes, maxDepth } = limits;
  let bytes = 0;
  const pending: Visit[] = [{ value: input, path: '', depth: 0 }];
  for (let visit = pending.pop(); visit; visit = pending.pop()) {
    const { value, path, depth } = visit;
    if (depth > maxDepth) throw tooDeep(maxDepth);
    bytes += sizeOf(value);
    if (bytes > maxInputBytes) throw tooLarge(maxInputBytes);
    if (typeof value === 'string') {
      if (!judged.includes(argumentOf(path))) checkText(value, path);
    } else if (typeof value === 'object' && value !== null) {
      // A comma or a bracket each, counted before a list of millions is walked.
      if (bytes + countOf(value) > maxInputBytes) throw tooLarge(maxInputBytes);
      for (const [key, member] of members(value, path)) {
        bytes += key.length + 3;
        pending.push({ value: member, path: path ? `${path}.${key}` : key, depth: depth + 1 });
      }
    } else checkScalar(value, path);
  }
}

/** The argument that a path leads into. */
const argumentOf = (path: string): string => path.split('.', 1)[0] ?? '';

const sizeOf = (value: unknown): number => (typeof value === 'string' ? Buffer.byteLength(value) + 2 : 4);

const countOf = (value: object): number => (Array.isArray(value) ? value.length * 2 : Object.keys(value).length * 4);

function members(value: object, path: string): [string, unknown][] {
  if (Array.isArray(value)) return value.map((member, index) => [String(index), member]);
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) throw notJson(path);
  const entries = Object.entries(value);
  for (const [key] of entries) {
    if (FORBIDDEN_KEYS.has(key)) throw invalidArgument`${at(path)}key '${key}' is not allowed`;
    checkText(key, path);
  }
  return entries;
}

function checkText(text: string, path: string): void {
  if (text.includes('\u0000')) throw invalidArgument`${at(path)}text must not contain a NUL character`;
  if (!text.isWellFormed())
    throw invalidArgument`${at(path)}text is not valid Unicode: it has half of a surrogate pair`;
}

function checkScalar(value: unknown, path: string): void {
  const fine = value === null || value === undefined || typeof value === 'boolean' || Number.isFinite(value);
  if (!fine) throw notJson(path);
}

const at = (path: string) => (path ? `${path}: ` : '');

const notJson = (path: string): Failure => invalidArgument`${at(path)}value is not JSON`;

const tooDeep = (limit: number): Failure =>
  invalidArgument`Input is nested too deeply: at most ${limit} levels are allowed`.advise(
    'Flatten the input, or send it in parts.',
  );

const tooLarge = (limit: number): Failure =>
  invalidArgument`Input is too large: at most ${limit} bytes are allowed`.advise('Send less at once.');
