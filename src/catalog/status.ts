/** How a group stands: like the worst of the collections that it draws from. */
import type { CollectionStatus } from '../context/status.js';

const fromWorst = ['error', 'not synced', 'stale', 'synced'] as const satisfies readonly CollectionStatus['status'][];

/** An empty group has nothing to sync. */
export function worstOf(
  members: readonly CollectionStatus[],
): Pick<CollectionStatus, 'status' | 'error' | 'lastSyncAt'> {
  const status = fromWorst.find((one) => members.some((member) => member.status === one)) ?? 'synced';
  const error = members.find((member) => member.error !== null)?.error ?? null;
  return { status, error, lastSyncAt: oldest(members.map((member) => member.lastSyncAt)) };
}

/** The group was last synced when the one that waits longest was. */
function oldest(times: readonly (string | null)[]): string | null {
  if (times.includes(null)) return null;
  return times.toSorted()[0] ?? null;
}
