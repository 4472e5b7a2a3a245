/** Listing for keepers that hand over all they have: which documents a query means, and page by page. */
import { holds } from '../tree/query/predicate.js';
import type { Document, DocumentLine, DocumentPage, DocumentQuery } from './document.js';

/** Whether the filter needs the data of documents. */
export const needsData = ({ predicate, pick }: DocumentQuery): boolean => pick !== undefined || predicate !== undefined;

export type Candidate = Omit<Document, 'data'> & Partial<Pick<Document, 'data'>> & { name?: string | undefined };

/** What is kept between two pages: the token of a place, and the place of a token. */
export type PageTokens = {
  make(asked: object, place: string): Promise<string>;
  open(asked: object, token: string): Promise<string>;
};

/** A page of what the filter lets through, in the order of ids. A bad token is refused before the keeper is asked. */
export async function pageOf(
  query: DocumentQuery,
  tokens: PageTokens,
  candidates: () => Promise<readonly Candidate[]>,
): Promise<DocumentPage> {
  const { predicate, pageToken, limit, asked, pick } = query;
  const after = pageToken === undefined ? '' : await tokens.open(asked, pageToken);
  const rest = (await candidates())
    .filter((one) => placeOf(one) > after && (!predicate || holds(predicate, one.data ?? {})))
    .sort((a, b) => (placeOf(a) < placeOf(b) ? -1 : 1));
  const page = rest.slice(0, limit);
  const last = rest.length > limit ? page.at(-1) : undefined;
  const documents = page.map(
    ({ data, ...line }): DocumentLine => ({ ...line, ...(pick && { data: pick(data ?? {}) }) }),
  );
  return { documents, ...(last && { nextPageToken: await tokens.make(asked, placeOf(last)) }) };
}

/** Documents of two types may have the same id. */
const placeOf = ({ documentId, documentType }: Candidate): string => `${documentId} ${documentType}`;
