/** What a chunk is found by: the title of its document and the headings above it, then its own text. */
import { createHash } from 'node:crypto';

export type ChunkText = { readonly title: string; readonly headings: readonly string[]; readonly text: string };

/** The text that is indexed by its words and embedded. A heading that was just said is not said again. */
export function indexedText({ title, headings, text }: ChunkText): string {
  const place = [title, ...headings].filter((part, at, all) => part !== '' && part !== all[at - 1]);
  return `${place.join('\n')}\n\n${withoutHeading(text, place.at(-1) ?? '')}`;
}

/** The text without its first line, where that is this heading: `## Name`, or `Name` with a line under it. */
function withoutHeading(text: string, heading: string): string {
  const [, first = '', under = ''] = /^(.{1,300})\n?(([-=~^"'`#*+.:_])\3+[ \t]*(?:\n|$))?/.exec(text) ?? [];
  const said = first
    .replace(/^#{1,6}[ \t]+|[ \t]+#+$/g, '')
    .replace(/[`*]/g, '')
    .trim();
  if (heading === '' || said !== heading || !(first.startsWith('#') || under !== '')) return text;
  return text.slice(first.length + 1 + under.length).replace(/^\s*\n/, '');
}

/** Equal texts have equal hashes, in every document and every project: what is known of one is known of all. */
export const textHash = (chunk: ChunkText): string => createHash('sha256').update(indexedText(chunk)).digest('hex');
