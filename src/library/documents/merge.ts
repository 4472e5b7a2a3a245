/** Merging updates into a document. Keys may be paths at every level; objects are merged, all else is replaced. */
import { invalidArgument } from '../../errors.js';
import { formatPath, isRecord, type Path, parsePath, valueAt, withValueAt } from '../tree/payload.js';
import type { Data } from './document.js';

export function mergeUpdates(data: Data, updates: Data): Data {
  return mergeRecord(data, updates, []) as Data;
}

function mergeRecord(current: unknown, updates: Data, at: Path): unknown {
  // A list stays one: its entries are set by their numbers.
  let result: unknown = isRecord(current) || Array.isArray(current) ? current : {};
  for (const [key, value] of Object.entries(updates)) {
    result = mergeAt(result, parsePath(key, 'updates'), value, at);
  }
  return result;
}

function mergeAt(current: unknown, [key, ...rest]: Path, value: unknown, at: Path): unknown {
  if (key === undefined) return isRecord(value) ? mergeRecord(current, value, at) : value;
  const path = [...at, key];
  if (Array.isArray(current)) {
    const index = entryIndex(current, key, path);
    return current.with(index, mergeAt(current[index], rest, value, path));
  }
  const record = isRecord(current) ? current : {};
  const inner = Object.hasOwn(record, key) ? record[key] : undefined;
  return { ...record, [key]: mergeAt(inner, rest, value, path) };
}

function entryIndex(array: readonly unknown[], key: string, path: Path): number {
  if (/^(0|[1-9]\d*)$/.test(key) && Number(key) < array.length) return Number(key);
  throw invalidArgument`updates: '${formatPath(path)}' cannot be set: the array there has no such entry`.advise(
    'Use operations to insert, replace or delete entries, or pass the whole array.',
  );
}

/** Lays the arrays that operations made over a document. They win over updates of the same paths. */
export function layArrays(data: Data, operated: Data, arrays: readonly Path[]): Data {
  return arrays.reduce((result, path) => {
    for (let depth = 1; depth < path.length; depth++) checkWay(result, operated, path.slice(0, depth));
    return withValueAt(result, path, valueAt(operated, path), 'updates');
  }, data);
}

/** What an update put in the way of an array would take the array with it. */
function checkWay(data: Data, operated: Data, way: Path): void {
  const found = valueAt(data, way);
  if (found === undefined || isRecord(found) || !isRecord(valueAt(operated, way))) return;
  throw invalidArgument`updates: '${formatPath(way)}' is replaced, but an operation changes an array below it`.advise(
    'Leave out one of the two, or make two calls.',
  );
}
