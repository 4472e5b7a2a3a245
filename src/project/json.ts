/** Strict JSON from bytes: UTF-8, no comments, no trailing commas, within limits, and failures that name the place. */
import type { z } from 'zod';
import { type Failure, invalidArgument } from '../errors.js';
import { findJsonFault } from './json-fault.js';
import { shown } from './shown.js';

export type JsonLimits = {
  maxBytes: number;
  maxDepth: number;
  /** A byte order mark is a fault in a file that we write back, and noise in one that we only read. */
  byteOrderMark: 'refused' | 'ignored';
};

/** The value of a JSON text. `where` names the file in failures, such as 'context.json'. */
export function parseJson(bytes: Uint8Array, where: string, limits: JsonLimits): unknown {
  if (bytes.length > limits.maxBytes) {
    throw invalidArgument`${where}: ${bytes.length} bytes are more than the limit of ${limits.maxBytes}`;
  }
  const text = decoded(bytes, where, limits);
  checkDepth(text, where, limits.maxDepth);
  try {
    return JSON.parse(text);
  } catch {
    const { offset, reason } = findJsonFault(text) ?? { offset: 0, reason: 'it cannot be parsed' };
    throw faultAt(text, offset, `${where}: not JSON`, reason);
  }
}

function decoded(bytes: Uint8Array, where: string, { byteOrderMark }: JsonLimits): string {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw invalidArgument`${where}: not UTF-8 text`.advise('Save the file as UTF-8.');
  }
  if (!text.startsWith('\uFEFF')) return text;
  if (byteOrderMark === 'ignored') return text.slice(1);
  throw faultAt(text, 0, `${where}: not JSON`, 'a byte order mark stands before the text').advise(
    'Save the file as UTF-8 without a byte order mark.',
  );
}

/** Deep nesting costs memory that the size of a text does not tell, so it is counted before the text is parsed. */
function checkDepth(text: string, where: string, most: number): void {
  let depth = 0;
  for (let offset = 0; offset < text.length; offset++) {
    const code = text.charCodeAt(offset);
    if (code === 0x22) offset = endOfString(text, offset);
    else if (code === 0x7b || code === 0x5b) depth++;
    else if (code === 0x7d || code === 0x5d) depth--;
    if (depth > most) throw faultAt(text, offset, `${where}: too deep`, `nested more than ${most} levels deep`);
  }
}

function endOfString(text: string, start: number): number {
  for (let offset = start + 1; offset < text.length; offset++) {
    const code = text.charCodeAt(offset);
    if (code === 0x22) return offset;
    if (code === 0x5c) offset++;
  }
  return text.length;
}

/** Lines and columns count from 1, as editors show them. */
function faultAt(text: string, offset: number, fault: string, reason: string): Failure {
  const before = text.slice(0, offset);
  const line = before.split('\n').length;
  const column = offset - before.lastIndexOf('\n');
  return invalidArgument`${fault} at line ${line}, column ${column}: ${reason}`.advise(
    'Correct the file at that place: it must be plain JSON, without comments or trailing commas.',
  );
}

const PLAIN_KEY = /^[\w$-]+$/;

/** A place in JSON as people write it: `sources.files[3].hash`. */
export function formatJsonPath(path: readonly PropertyKey[]): string {
  return path
    .map((key, index) => {
      if (typeof key === 'number') return `[${key}]`;
      const name = String(key);
      if (!PLAIN_KEY.test(name)) return `["${shown(name, 60)}"]`;
      return index === 0 ? name : `.${name}`;
    })
    .join('');
}

/** The first thing that a schema found wrong, with the file and the place. */
export function schemaFailure(error: z.ZodError, where: string): Failure {
  const [issue] = error.issues;
  const place = formatJsonPath(issue?.path ?? []);
  const message = shown(issue?.message ?? 'invalid');
  return place === '' ? invalidArgument`${where}: ${message}` : invalidArgument`${where}: ${place}: ${message}`;
}
