/** How a document is written, by the name of its file. What stands in it is never an error. */
import { type Block, markdownBlocks, plainBlocks } from './headings.js';
import type { Line } from './lines.js';
import { restructuredBlocks } from './restructured.js';

export type Format = 'markdown' | 'restructured' | 'plain';

/** HTML is stored as the Markdown that it was turned into, and MDX is Markdown with more in it. */
export function formatOf(path: string): Format {
  if (/\.(md|mdx|markdown|mdown|mkdn?)$/i.test(path) || isHtml(path)) return 'markdown';
  return /\.(rst|rest)$/i.test(path) ? 'restructured' : 'plain';
}

export const isHtml = (path: string): boolean => /\.x?html?$/i.test(path);

const readers = {
  markdown: markdownBlocks,
  restructured: restructuredBlocks,
  plain: plainBlocks,
} satisfies Record<Format, (lines: readonly Line[]) => Block[]>;

export const blocksOf = (path: string, lines: readonly Line[]): Block[] => readers[formatOf(path)](lines);
