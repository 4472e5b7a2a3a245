/** What a search does with the words of a query, besides looking for them. */
import { countAllDocuments } from '../../context/document-store.js';
import type { Mode } from '../../search/candidates.js';
import type { ToolCall } from '../call.js';

/** No text of a query is an error: what no document can have is left out of it. */
export const searchable = (query: string): string => query.toWellFormed().replaceAll('\0', ' ');

/** Where nothing was found. The code is loaded here: most searches find something. */
export async function adviceOn(
  { sql, vectors }: ToolCall,
  query: string,
  mode: Mode,
  scope: ReadonlySet<number> | undefined,
): Promise<string[]> {
  const { adviceFor } = await import('../../search/advice.js');
  const [documents, coverage] = [await countAllDocuments(sql), await vectors.coverage(sql)];
  return adviceFor({ query, mode, scoped: scope !== undefined, documents, coverage });
}
