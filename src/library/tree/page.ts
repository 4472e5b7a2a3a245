/** Page tokens: where a listing goes on. Signed, and bound to the agent and the query that they were made for. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { type Failure, plainFailure } from '../../errors.js';
import { readSetting } from '../../storage/settings.js';
import type { Sql } from '../../storage/sql.js';
import { isPinned, oldestRevision, type Tree, treeAtRevision } from './tree.js';
import { currentRevision } from './version.js';

/** Whose listing of what: a token of another is refused. */
export type Listing = { agent: string; query: unknown };

/** Where to go on: the revision of the first page, and a position that the listing understands. */
type PageState = { revision: number; position: unknown };

async function signature(sql: Sql, listing: Listing, body: string): Promise<Buffer> {
  const secret = (await readSetting(sql, 'page.secret')) ?? '';
  return createHmac('sha256', secret)
    .update(JSON.stringify([listing.agent, listing.query, body]))
    .digest()
    .subarray(0, 16);
}

export async function sealPage(tree: Tree, listing: Listing, position: unknown): Promise<string> {
  const body = Buffer.from(JSON.stringify({ revision: tree.revision, position } satisfies PageState)).toString(
    'base64url',
  );
  return `${body}.${(await signature(tree.sql, listing, body)).toString('base64url')}`;
}

const badToken = (reason: string): Failure =>
  plainFailure('invalid_argument', `pageToken: ${reason}`).advise(
    'Leave the pageToken out to start again from the first page.',
  );

async function openSeal(sql: Sql, listing: Listing, token: string): Promise<PageState> {
  const [body = '', seal = ''] = token.split('.');
  const expected = await signature(sql, listing, body);
  const given = Buffer.from(seal, 'base64url');
  const holds = given.length === expected.length && timingSafeEqual(given, expected);
  if (!holds) throw badToken('not a token of this query and this agent');
  return JSON.parse(Buffer.from(body, 'base64url').toString()) as PageState;
}

/** The tree that a page reads, and the position it goes on from: the first page reads the current tree. */
export async function openPage<Position>(
  sql: Sql,
  listing: Listing,
  token: string | undefined,
): Promise<{ tree: Tree; position: Position | undefined }> {
  if (token === undefined) return { tree: await treeAtRevision(sql, await currentRevision(sql)), position: undefined };
  const { revision, position } = await openSeal(sql, listing, token);
  const oldest = await oldestRevision(sql);
  if (revision < oldest && !(await isPinned(sql, revision)))
    throw badToken('too old: the history that it needs is gone');
  return { tree: await treeAtRevision(sql, revision), position: position as Position };
}
