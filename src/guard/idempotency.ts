/** Step 5: a call that is repeated with its key gets the first result, and changes nothing. */
import { conflict, invalidArgument } from '../errors.js';
import { dropKey, findKey, type KeyOwner, keepKey } from '../storage/idempotency-keys.js';
import type { Sql } from '../storage/sql.js';
import type { SuccessEnvelope } from './envelope.js';

/** A call's key, whose it is, and the hash of what it asks for. The version is no part of that. */
export type Ticket = { owner: KeyOwner; inputHash: string; now: number; expires: number };

/** The first result of this call, where it was made before. */
export async function findReplay(sql: Sql, { owner, inputHash, now }: Ticket): Promise<SuccessEnvelope | undefined> {
  const known = await findKey(sql, owner, now);
  if (!known) return undefined;
  if (known.inputHash !== inputHash) {
    throw invalidArgument`idempotencyKey: '${owner.key}' was used for another call of '${owner.tool}'`.advise(
      'Use a new key for a new call. Repeat a key only with the same arguments.',
    );
  }
  if (known.result === null) {
    throw conflict`A call with the idempotencyKey '${owner.key}' is under way`.advise(
      'Wait for its answer. If it was cut off, look whether the change happened before you call with a new key.',
    );
  }
  return JSON.parse(known.result) as SuccessEnvelope;
}

export async function keepResult(
  sql: Sql,
  { owner, inputHash, expires }: Ticket,
  result: SuccessEnvelope,
): Promise<void> {
  await keepKey(sql, owner, { inputHash, result: JSON.stringify(result), expires });
}

/** Marks the key as taken before a change outside the database begins. */
export async function reserveKey(sql: Sql, { owner, inputHash, expires }: Ticket): Promise<void> {
  await keepKey(sql, owner, { inputHash, result: null, expires });
}

export async function releaseKey(sql: Sql, { owner }: Ticket): Promise<void> {
  await dropKey(sql, owner);
}
