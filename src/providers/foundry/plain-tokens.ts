/**
 * Page tokens inside Foundry: there is no database whose secret could sign them, and no one but the
 * user of the world to use them. They are bound to their query by a checksum.
 */
import { plainFailure } from '../../errors.js';
import type { PageTokens } from '../../library/documents/query.js';

export const plainTokens: PageTokens = {
  make: async (asked, place) => `${markOf(asked)}.${place}`,
  async open(asked, token) {
    const mark = `${markOf(asked)}.`;
    if (token.startsWith(mark)) return token.slice(mark.length);
    throw plainFailure('invalid_argument', 'pageToken: not a token of this query').advise(
      'Leave the pageToken out to start again from the first page.',
    );
  },
};

function markOf(asked: object): string {
  let sum = 0x811c9dc5;
  for (const unit of JSON.stringify(asked)) sum = Math.imul(sum ^ (unit.codePointAt(0) as number), 0x01000193);
  return (sum >>> 0).toString(36);
}
