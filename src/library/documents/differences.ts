/** Where two documents differ: the smallest set of places, with every list as a whole. */
import { equalJson, isRecord, type Path } from '../tree/payload.js';
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
