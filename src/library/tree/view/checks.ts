/** The checks of an imported node: the same as for nodes that are added or changed one by one. */
import { Failure, invalidArgument, plainFailure } from '../../../errors.js';
import type { Change } from '../change.js';
import { completed } from '../edit.js';
import { equalJson, formatPath, isRecord, type Payload, valueAt } from '../payload.js';
import { violationsOf } from '../schema.js';
import { checkGuarded, checkParentType, type PayloadType, parseProtected } from '../types.js';

/** Runs a check; its failure then begins with the place in the JSON. */
function checkedAt(where: string, check: () => void): void {
  try {
    check();
  } catch (thrown) {
    if (!(thrown instanceof Failure)) throw thrown;
    const { type, message, redacted, details, instruction } = thrown;
    throw new Failure(
      type,
      { message: `${where}: ${message}`, redacted: `${where}: ${redacted}` },
      details,
      instruction,
    );
  }
}

/** The payload as it is stored, once it has passed every check. */
export function checkedPayload(type: PayloadType, payload: Payload, where: string): Payload {
  for (const key of Object.keys(payload)) checkGuarded(type, [key], `${where}.payload`);
  const stored = completed(type, payload);
  const violations = violationsOf(type, stored);
  const [first] = violations;
  if (!first) return stored;
  const more = violations.length > 1 ? ` (and ${violations.length - 1} more)` : '';
  const place = first.path === '' ? `${where}.payload` : `${where}.payload.${first.path}`;
  throw invalidArgument`${place}: ${first.message}, for a '${type.name}'${more}`
    .with({ violations })
    .advise('Correct what violations lists. list_document_types shows the schema of the type.');
}

/** Refuses another value at a protected path. To bring the same value again is no change. */
export function checkProtectedSame(
  change: Change,
  type: PayloadType,
  { before, after }: { before: Payload; after: Payload },
  where: string,
): void {
  if (change.mayChangeProtected) return;
  const differs = (path: readonly string[]) => !equalJson(valueAt(before, path), valueAt(after, path));
  const hit = parseProtected(type.protectedPaths).find(differs);
  if (!hit) return;
  throw plainFailure('forbidden', `${where}.payload.${formatPath(hit)}: is protected, for a '${type.name}'`).advise(
    'Only an owner changes it. Leave it as it is, or ask an owner.',
  );
}

export const checkParentAt = (where: string, type: PayloadType, parentType: string): void =>
  checkedAt(where, () => checkParentType(type, parentType));

/** A payload laid over another: objects are joined, everything else is set, and nothing is taken away. */
export function laidOver(below: Payload, above: Payload): Payload {
  const joined = Object.entries(above).map(([key, value]): [string, unknown] => {
    const old = Object.hasOwn(below, key) ? below[key] : undefined;
    return [key, isRecord(old) && isRecord(value) ? laidOver(old, value) : value];
  });
  return { ...below, ...Object.fromEntries(joined) };
}
