/** Step 4: how many items one call may name. */
import { invalidArgument } from '../errors.js';

export function limitBatch(size: number, maxBatch: number): void {
  if (size <= maxBatch) return;
  const calls = Math.ceil(size / maxBatch);
  throw invalidArgument`The call names ${size} items, and at most ${maxBatch} are allowed`
    .with({ maxBatch })
    .advise(`Split it into ${calls} calls of at most ${maxBatch} items each.`);
}
