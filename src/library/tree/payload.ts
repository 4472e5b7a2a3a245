/** Payloads and the dotted paths into them. A backslash makes a dot part of a key. */
import { invalidArgument } from '../../errors.js';

export type Payload = Record<string, unknown>;
export type Path = readonly string[];

const MOST_KEYS = 100;
const FORBIDDEN = new Set(['__proto__', 'constructor', 'prototype']);

/** The keys of a dotted path. `argument` names it in a failure. */
export function parsePath(text: string, argument: string): Path {
  const keys: string[] = [];
  let key = '';
  for (const [part, escaped] of text.matchAll(/\\([\s\S])|\.|[^\\.]+|\\$/g)) {
    if (part === '.') {
      keys.push(key);
      key = '';
    } else key += escaped ?? part;
  }
  keys.push(key);
  // The message leaves the path out: it may be as long as the whole input.
  if (keys.length > MOST_KEYS) throw invalidArgument`${argument}: a path has at most ${MOST_KEYS} keys`;
  if (keys.includes('')) throw invalidArgument`${argument}: '${text}' is not a path: a key is empty`;
  const forbidden = keys.find((key) => FORBIDDEN.has(key));
  if (forbidden) throw invalidArgument`${argument}: '${text}' is not a path: '${forbidden}' is not allowed`;
  return keys;
}

/** The path as text that parses back to it. */
export const formatPath = (path: Path): string => path.map((key) => key.replace(/[.\\]/g, '\\$&')).join('.');

export const isRecord = (value: unknown): value is Payload =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Deep equality of JSON values. Types are never converted; the order of an object's keys does not count. */
export function equalJson(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (Array.isArray(a)) {
    return Array.isArray(b) && a.length === b.length && a.every((item, index) => equalJson(item, b[index]));
  }
  if (!isRecord(a) || !isRecord(b)) return false;
  const keys = Object.keys(a);
  if (keys.length !== Object.keys(b).length) return false;
  return keys.every((key) => Object.hasOwn(b, key) && equalJson(a[key], b[key]));
}

/** Whether a payload would be stored as one that is: callers in process may give what JSON leaves out. */
export const equalStored = (given: Payload, stored: Payload): boolean =>
  equalJson(JSON.parse(JSON.stringify(given)), stored);

const isIndex = (key: string) => /^(0|[1-9]\d*)$/.test(key);

/** What stands at a path; undefined where nothing does. Lists are entered by number. */
export function valueAt(value: unknown, path: Path): unknown {
  let at = value;
  for (const key of path) {
    if (Array.isArray(at)) at = isIndex(key) ? at[Number(key)] : undefined;
    else at = isRecord(at) && Object.hasOwn(at, key) ? at[key] : undefined;
  }
  return at;
}

/** A copy with another value at a path. Missing objects on the way are made; what is in the way is an error. */
export function withValueAt(payload: Payload, path: Path, value: unknown, argument: string): Payload {
  const replace = (at: unknown, depth: number): unknown => {
    const key = path[depth];
    if (key === undefined) return value;
    if (at === undefined) return { [key]: replace(undefined, depth + 1) };
    if (isRecord(at)) return { ...at, [key]: replace(Object.hasOwn(at, key) ? at[key] : undefined, depth + 1) };
    if (Array.isArray(at) && isIndex(key) && Number(key) < at.length) {
      return at.with(Number(key), replace(at[Number(key)], depth + 1));
    }
    const place = formatPath(path.slice(0, depth + 1));
    throw invalidArgument`${argument}: '${place}' cannot be set: what stands there has no such place`;
  };
  return replace(payload, 0) as Payload;
}

/** Which properties are shown: those at or under an included path (none: all), less the excluded ones. */
export type PropertyFilter = { included: readonly Path[]; excluded: readonly Path[] };

export const noFilter: PropertyFilter = { included: [], excluded: [] };

/** What the lists of a filter are called where they were given. */
export type FilterNames = { included: string; excluded: string };

const usualNames: FilterNames = { included: 'includedProperties', excluded: 'excludedProperties' };

export function parseFilter(
  included: readonly string[] = [],
  excluded: readonly string[] = [],
  names = usualNames,
): PropertyFilter {
  return {
    included: included.map((path) => parsePath(path, names.included)),
    excluded: excluded.map((path) => parsePath(path, names.excluded)),
  };
}

const startsWith = (path: Path, prefix: Path) => prefix.every((key, index) => path[index] === key);

/** The payload as a filter lets it through. */
export function filterPayload(payload: Payload, { included, excluded }: PropertyFilter): Payload {
  if (included.length === 0 && excluded.length === 0) return payload;
  const filtered = filterRecord(payload, [], included, excluded);
  return filtered ?? {};
}

function filterRecord(
  record: Payload,
  at: Path,
  included: readonly Path[],
  excluded: readonly Path[],
): Payload | undefined {
  const kept = Object.entries(record).flatMap(([key, value]): [string, unknown][] => {
    const path = [...at, key];
    if (excluded.some((prefix) => startsWith(path, prefix))) return [];
    // A list is shown or hidden as a whole: an import would take part of one for all of it.
    const reaches = (longer: Path) =>
      startsWith(longer, path) && valueAt(value, longer.slice(path.length)) !== undefined;
    if (Array.isArray(value) && excluded.some(reaches)) return [];
    const whole = included.length === 0 || included.some((prefix) => startsWith(path, prefix));
    const within = included.filter((longer) => startsWith(longer, path));
    if (!whole && within.length === 0) return [];
    const inner = isRecord(value) ? filterRecord(value, path, whole ? [] : within, excluded) : value;
    return inner === undefined || (!whole && !isRecord(value)) ? [] : [[key, inner]];
  });
  return kept.length === 0 && Object.keys(record).length > 0 ? undefined : Object.fromEntries(kept);
}
