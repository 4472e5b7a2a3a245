/** What a search does with the words of a query, besides looking for them. */
import { countAllDocuments } from '../../context/document-store.js';
import type { Mode } from '../../search/candidates.js';
import type { SearchResult } from '../../search/results.js';
import type { ToolCall } from '../call.js';

/** No text of a query is an error: what no document can have is left out of it. */
export const searchable = (query: string): string => query.toWellFormed().replaceAll('\0', ' ');

const BY_MEANING = ['None of these has the words that were asked for: they are near in meaning.'];

type Asked = { query: string; mode: Mode; documents: ReadonlySet<number> | undefined };

/** What to say besides the results, if anything. */
export async function suggestionsFor(
  call: ToolCall,
  asked: Asked,
  found: readonly SearchResult[],
): Promise<string[] | undefined> {
  if (found.length === 0) return adviceOn(call, asked);
  return asked.mode === 'hybrid' && found.every(({ reasons }) => !reasons.keyword) ? BY_MEANING : undefined;
}

/** The code is loaded here: most searches find something. */
async function adviceOn({ sql, vectors }: ToolCall, { query, mode, documents: scope }: Asked): Promise<string[]> {
  const { adviceFor } = await import('../../search/advice.js');
  const [documents, coverage] = [await countAllDocuments(sql), await vectors.coverage(sql)];
  return adviceFor({ query, mode, scoped: scope !== undefined, documents, coverage });
}
