/** Which nodes of a view are open. An entry reaches its node and some levels below; the latest that reaches decides. */

/** Reaches every level below. */
export const ALL_LEVELS = -1;

/** An entry as seen from some node: `reach` levels below that node are still reached. */
export type Entry = { reach: number; expanded: boolean; turn: number };

/** Whether a node is open, by the entries that reach it. Without any, the default decides. */
export function isOpen(entries: readonly Entry[], byDefault: boolean): boolean {
  const latest = entries.reduce<Entry | undefined>(
    (best, entry) => (best && best.turn > entry.turn ? best : entry),
    undefined,
  );
  return latest?.expanded ?? byDefault;
}

/** The entries of a node as its children see them: those that reach no further are gone. */
export function passDown(entries: readonly Entry[]): Entry[] {
  const reaching = entries.filter(({ reach }) => reach !== 0);
  return withoutCovered(reaching.map((entry) => ({ ...entry, reach: lowered(entry.reach, 1) })));
}

/** What is left of a reach so many levels further down; undefined where it does not reach that far. */
export function reachAt(reach: number, levels: number): number | undefined {
  return reach === ALL_LEVELS || reach >= levels ? lowered(reach, levels) : undefined;
}

const lowered = (reach: number, levels: number) => (reach === ALL_LEVELS ? ALL_LEVELS : reach - levels);

/** Drops entries that can decide nothing: a later one reaches at least as far. Keeps what is passed down short. */
function withoutCovered(entries: readonly Entry[]): Entry[] {
  const further = (one: Entry, other: Entry) =>
    one.reach === ALL_LEVELS || (other.reach !== ALL_LEVELS && one.reach >= other.reach);
  return entries.filter((entry) => !entries.some((other) => other.turn > entry.turn && further(other, entry)));
}
