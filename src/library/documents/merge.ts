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

/** Lays the arrays that operations made over a document with updates. They win over updates of the same paths. */
export function layArrays(merged: Data, updates: Data, operated: Data, arrays: readonly Path[]): Data {
  const replaced = new Set(valuePaths(updates).map(formatPath));
  const laid = outermost(arrays).map((path) => placeOf(path, replaced, operated));
  return laid.reduce((result, path) => withValueAt(result, path, valueAt(operated, path), 'updates'), merged);
}

/** The places where updates put a value in place of what is there. */
const valuePaths = (updates: Data, at: Path = []): Path[] =>
  Object.entries(updates).flatMap(([key, value]) => {
    const path = [...at, ...parsePath(key, 'updates')];
    return isRecord(value) ? valuePaths(value, path) : [path];
  });

const waysTo = (path: Path): Path[] => path.slice(1).map((_, index) => path.slice(0, index + 1));

/** Paths within others are left out: an entry may have moved since an operation changed something in it. */
function outermost(paths: readonly Path[]): Path[] {
  const known = new Map(paths.map((path) => [formatPath(path), path]));
  return [...known.values()].filter((path) => !waysTo(path).some((way) => known.has(formatPath(way))));
}

/** Where the array of an operation goes. A list around it that an update replaces goes with it; an object does not. */
function placeOf(path: Path, replaced: ReadonlySet<string>, operated: Data): Path {
  const way = waysTo(path).find((way) => replaced.has(formatPath(way)));
  if (!way) return path;
  if (Array.isArray(valueAt(operated, way))) return way;
  throw invalidArgument`updates: '${formatPath(way)}' is replaced, but an operation changes an array below it`.advise(
    'Leave out one of the two, or make two calls.',
  );
}
