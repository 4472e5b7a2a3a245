/** What differs between two payloads, by paths: deep for objects, whole for lists. */
import { formatPath, isRecord, type Path, type Payload } from '../payload.js';

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
  return isSame(before, after) ? [] : [{ path: formatPath(path), before, after }];
}

function changeOfKey(before: Payload, after: Payload, key: string, path: Path): PropertyChange[] {
  if (!Object.hasOwn(before, key)) return [{ path: formatPath(path), after: after[key] }];
  if (!Object.hasOwn(after, key)) return [{ path: formatPath(path), before: before[key] }];
  return changesAt(before[key], after[key], path);
}

/** Equal as JSON, whatever the order of keys. */
export function isSame(one: unknown, other: unknown): boolean {
  if (Array.isArray(one) && Array.isArray(other)) {
    return one.length === other.length && one.every((item, index) => isSame(item, other[index]));
  }
  if (!isRecord(one) || !isRecord(other)) return Object.is(one, other);
  const keys = Object.keys(one);
  return (
    keys.length === Object.keys(other).length &&
    keys.every((key) => Object.hasOwn(other, key) && isSame(one[key], other[key]))
  );
}
