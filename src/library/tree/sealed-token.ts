/** Page tokens: signed with the secret of the database, and bound to the agent and the query that they were made for. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { type Failure, plainFailure } from '../../errors.js';
import { readSetting } from '../../storage/settings.js';
import type { Sql } from '../../storage/sql.js';

/** Whose listing of what: a token of another is refused. */
export type Listing = { agent: string; query: unknown };

async function signature(sql: Sql, listing: Listing, body: string): Promise<Buffer> {
  const secret = (await readSetting(sql, 'page.secret')) ?? '';
  return createHmac('sha256', secret)
    .update(JSON.stringify([listing.agent, listing.query, body]))
    .digest()
    .subarray(0, 16);
}

/** A token of a place in a listing: any JSON that tells where to go on. */
export async function sealToken(sql: Sql, listing: Listing, place: unknown): Promise<string> {
  const body = Buffer.from(JSON.stringify(place)).toString('base64url');
  return `${body}.${(await signature(sql, listing, body)).toString('base64url')}`;
}

/** The place that a token was made of. A token of another listing, or of no one, is refused. */
export async function openToken<Place>(sql: Sql, listing: Listing, token: string): Promise<Place> {
  const [body = '', seal = ''] = token.split('.');
  const expected = await signature(sql, listing, body);
  const given = Buffer.from(seal, 'base64url');
  const holds = given.length === expected.length && timingSafeEqual(given, expected);
  if (!holds) throw badToken('not a token of this query and this agent');
  return JSON.parse(Buffer.from(body, 'base64url').toString()) as Place;
}

export const badToken = (reason: string): Failure =>
  plainFailure('invalid_argument', `pageToken: ${reason}`).advise(
    'Leave the pageToken out to start again from the first page.',
  );
