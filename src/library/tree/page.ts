/** Pages of the tree: later ones read it as of the first page's revision. */
import type { Sql } from '../../storage/sql.js';
import { badToken, type Listing, openToken, sealToken } from './sealed-token.js';
import { isPinned, oldestRevision, type Tree, treeAtRevision } from './tree.js';
import { currentRevision } from './version.js';

/** Where to go on: the revision of the first page, and a position that the listing understands. */
type PageState = { revision: number; position: unknown };

export const sealPage = (tree: Tree, listing: Listing, position: unknown): Promise<string> =>
  sealToken(tree.sql, listing, { revision: tree.revision, position } satisfies PageState);

/** The tree that a page reads, and the position it goes on from: the first page reads the current tree. */
export async function openPage<Position>(
  sql: Sql,
  listing: Listing,
  token: string | undefined,
): Promise<{ tree: Tree; position: Position | undefined }> {
  if (token === undefined) return { tree: await treeAtRevision(sql, await currentRevision(sql)), position: undefined };
  const { revision, position } = await openToken<PageState>(sql, listing, token);
  const oldest = await oldestRevision(sql);
  if (revision < oldest && !(await isPinned(sql, revision)))
    throw badToken('too old: the history that it needs is gone');
  return { tree: await treeAtRevision(sql, revision), position: position as Position };
}
