/** Updating many nodes in one call, each on its own: one that cannot be updated leaves the others as they are. */
import { type ErrorType, Failure } from '../../../errors.js';
import type { Change } from '../change.js';
import { type Assignment, setProperties, storedNode } from '../edit.js';

export type Refusal = { nodeId: string; error: string; error_type: ErrorType };

export async function updateEach(
  change: Change,
  ids: readonly string[],
  assignments: readonly Assignment[],
): Promise<{ updated: string[]; failed: Refusal[] }> {
  const updated: string[] = [];
  const failed: Refusal[] = [];
  const written = new Set<string>();
  for (const id of ids) {
    const { payloadId } = await storedNode(change, id);
    try {
      // A payload that several matches share is set once: the second time it would look changed by someone else.
      if (payloadId === null || !written.has(payloadId)) await setProperties(change, id, assignments);
      if (payloadId !== null) written.add(payloadId);
      updated.push(id);
    } catch (thrown) {
      if (!(thrown instanceof Failure)) throw thrown;
      failed.push({ nodeId: id, error: thrown.message, error_type: thrown.type });
    }
  }
  return { updated, failed };
}
