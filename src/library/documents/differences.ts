/** Where two documents differ: the smallest set of places, with every list as a whole. */
import { equalJson, formatPath, isRecord, type Path, valueAt } from '../tree/payload.js';
import type { Data, Difference } from './document.js';

/** Parts that both share are not looked into, so that it costs what was changed. */
export function differencesOf(before: Data, after: Data, at: Path = []): Difference[] {
  const removed = Object.keys(before)
    .filter((key) => !Object.hasOwn(after, key))
    .map((key): Difference => ({ path: [...at, key], isRemoved: true }));
  const set = Object.entries(after).flatMap(([key, value]): Difference[] => {
    const path = [...at, key];
    const old = Object.hasOwn(before, key) ? before[key] : undefined;
    if (old === value) return [];
    if (isRecord(old) && isRecord(value)) return differencesOf(old, value, path);
    return equalJson(old, value) ? [] : [{ path, value }];
  });
  return [...removed, ...set];
}

/** The path of a difference as text. */
export const placeOf = ({ path }: Difference): string => formatPath(path);

/** What was set, as one nested object: the payload for a keeper that merges. */
export function nestedOf(differences: readonly Difference[]): Data {
  const payload: Data = {};
  for (const difference of differences) {
    if ('isRemoved' in difference) continue;
    const keys = [...difference.path];
    const last = keys.pop() as string;
    let at = payload;
    for (const key of keys) {
      at[key] ??= {};
      at = at[key] as Data;
    }
    at[last] = difference.value;
  }
  return payload;
}

/** The differences that a keeper did not take: the old value still stands there. */
export function untakenOf(before: Data, after: Data, differences: readonly Difference[]): Difference[] {
  return differences.filter(({ path }) => equalJson(valueAt(before, path), valueAt(after, path)));
}
