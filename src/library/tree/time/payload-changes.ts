/** What differs between two payloads, by paths: deep for objects, whole for lists. */
import { equalJson, formatPath, isRecord, type Path, type Payload } from '../payload.js';

/** A property that differs. Without `before` it is new, without `after` it is gone. The path '' is the whole payload. */
export type PropertyChange = { path: string; before?: unknown; after?: unknown };

/** Keys that no path can name: what holds them is compared as a whole. */
const UNNAMEABLE = ['', '__proto__', 'constructor', 'prototype'];

const isDeep = (value: unknown): value is Payload =>
  isRecord(value) && !UNNAMEABLE.some((key) => Object.hasOwn(value, key));

export function payloadChanges(before: Payload, after: Payload): PropertyChange[] {
  return changesAt(before, after, []);
}

function changesAt(before: unknown, after: unknown, path: Path): PropertyChange[] {
  if (isDeep(before) && isDeep(after)) {
    const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])];
    return keys.flatMap((key) => changeOfKey(before, after, key, [...path, key]));
  }
  return equalJson(before, after) ? [] : [{ path: formatPath(path), before, after }];
}

function changeOfKey(before: Payload, after: Payload, key: string, path: Path): PropertyChange[] {
  if (!Object.hasOwn(before, key)) return [{ path: formatPath(path), after: after[key] }];
  if (!Object.hasOwn(after, key)) return [{ path: formatPath(path), before: before[key] }];
  return changesAt(before[key], after[key], path);
}
