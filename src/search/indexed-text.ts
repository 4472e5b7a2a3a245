/** What a chunk is found by: the title of its document and the headings above it, then its own text. */
import { createHash } from 'node:crypto';

export type ChunkText = { readonly title: string; readonly headings: readonly string[]; readonly text: string };

/** The text that is indexed and embedded. A heading that says the same as the one before it stands once. */
export function indexedText({ title, headings, text }: ChunkText): string {
  const place = [title, ...headings].filter((part, at, all) => part !== '' && part !== all[at - 1]);
  return `${place.join('\n')}\n\n${text}`;
}

/** Equal texts have equal hashes, in every document and every project: what is known of one is known of all. */
export const textHash = (chunk: ChunkText): string => createHash('sha256').update(indexedText(chunk)).digest('hex');
