/** Page tokens for keepers outside the database: signed as those of the tree are, without a revision. */
import type { Database } from '../../storage/sql.js';
import { openToken, sealToken } from '../tree/sealed-token.js';
import type { PageTokens } from './query.js';

/** `keeper` keeps them apart from tokens of other keepers. */
export function signedTokens(database: Database, agent: string, keeper: string): PageTokens {
  const listing = (asked: object) => ({ agent, query: ['list_documents', keeper, asked] });
  return {
    make: (asked, place) => database.read((sql) => sealToken(sql, listing(asked), place)),
    open: (asked, token) => database.read((sql) => openToken<string>(sql, listing(asked), token)),
  };
}
