/** Listing for keepers that hand over all they have: which documents a query means, and page by page. */
import { type Failure, plainFailure } from '../../errors.js';
import { holds } from '../tree/query/predicate.js';
import type { Document, DocumentLine, DocumentPage, DocumentQuery } from './document.js';

/** Whether the filter needs the data of documents. */
export const needsData = ({ predicate, withData }: DocumentQuery): boolean => withData || predicate !== undefined;

type Candidate = Omit<Document, 'data'> & Partial<Pick<Document, 'data'>> & { name?: string | undefined };

/** A page of the candidates that the filter lets through, in the order of their ids. */
export function pageOf(candidates: readonly Candidate[], query: DocumentQuery): DocumentPage {
  const { predicate, pageToken, limit, asked, withData } = query;
  const after = pageToken === undefined ? '' : openToken(pageToken, asked);
  const rest = candidates
    .filter(({ documentId, data }) => documentId > after && (!predicate || holds(predicate, data ?? {})))
    .sort((a, b) => (a.documentId < b.documentId ? -1 : 1));
  const page = rest.slice(0, limit).map(({ data, ...line }): DocumentLine => ({ ...line, ...(withData && { data }) }));
  const last = rest.length > limit ? page.at(-1) : undefined;
  return { documents: page, ...(last && { nextPageToken: `${markOf(asked)}.${last.documentId}` }) };
}

function openToken(token: string, asked: object): string {
  const mark = `${markOf(asked)}.`;
  if (token.startsWith(mark)) return token.slice(mark.length);
  throw badToken();
}

/** Tells one query from another. Nothing is secret in a token, so that it need not be more than a checksum. */
function markOf(asked: object): string {
  let sum = 0x811c9dc5;
  for (const unit of JSON.stringify(asked)) sum = Math.imul(sum ^ (unit.codePointAt(0) as number), 0x01000193);
  return (sum >>> 0).toString(36);
}

const badToken = (): Failure =>
  plainFailure('invalid_argument', 'pageToken: not a token of this query').advise(
    'Leave the pageToken out to start again from the first page.',
  );
