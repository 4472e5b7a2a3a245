/** What to try when a search finds nothing. */
import type { Mode } from './candidates.js';
import { parseKeywordQuery } from './keyword-query.js';
import type { Coverage } from './vectors/port.js';

export type Fruitless = {
  query: string;
  mode: Mode;
  /** Whether only some documents were looked at. */
  scoped: boolean;
  /** Documents there are, in all collections. */
  documents: number;
  coverage: Coverage;
};

export function adviceFor({ query, mode, scoped, documents, coverage }: Fruitless): string[] {
  if (documents === 0) return ['Nothing is indexed yet. Sync a collection first: ai-assist collections sync'];
  if (!parseKeywordQuery(query)) return ['Give at least one word to look for.'];
  const advice: string[] = [];
  if (/["“”„«»]/.test(query)) advice.push('Leave out the quotes: then the words need not stand together.');
  if (/(?:^|\s)-["\p{L}\p{N}]/u.test(query)) advice.push('Leave out the words with a minus.');
  if (scoped) advice.push('Search everything: name no collections and no paths.');
  if (mode === 'vector' && coverage.embedded === 0) advice.push('There are no vectors yet: search by words instead.');
  else if (mode === 'keyword' && coverage.embedded > 0) advice.push('Search by meaning too: use the mode hybrid.');
  return [...advice, 'Try other words for the same thing. One good word is enough: any of them may match.'];
}
