/** What the tools of search are asked and answer. */
import { z } from 'zod';
import { withinTokens } from '../../search/budget.js';
import type { DocumentName, SearchResult } from '../../search/results.js';
import { scopeShape } from './search-scope.js';

const lines = z.object({ start: z.number(), end: z.number() });
const rank = z.object({ rank: z.number(), score: z.number() }).optional();
const named = {
  document: z.string().describe('Path of the document in its collection.'),
  collection: z.string().describe('Id of the collection.'),
  alias: z.string().optional().describe('Name of the collection in the project.'),
};

export const resultShape = {
  ...named,
  title: z.string(),
  headings: z.array(z.string()).describe('Above the text that was found, outermost first.'),
  lines: lines.describe('For ref_read: startLine is lines.start.'),
  snippet: z.string().describe('Around the match. Words that matched stand between <mark> and </mark>.'),
  score: z.number().describe('Higher is better; only for results of one search.'),
  documentHash: z.string().describe('sha256 of the document: its version.'),
  more: z
    .array(z.object({ headings: z.array(z.string()), lines }))
    .optional()
    .describe('Other places in the document that match.'),
  duplicates: z.array(z.object(named)).optional().describe('Documents with nearly the same text, left out.'),
  explain: z
    .object({
      keyword: rank,
      vector: rank,
      estimated: z.boolean().optional().describe('Part of the score was estimated: vectors are not complete.'),
    })
    .optional(),
};

export const answerShape = {
  leftOut: z.number().optional().describe('Results that maxTokens had no room for.'),
  suggestions: z.array(z.string()).optional().describe('What to try, where nothing was found by words.'),
};

export const DEFAULT_TOKENS = 4000;

/** What is asked besides the query itself. */
export const searchInput = {
  ...scopeShape,
  mode: z
    .enum(['hybrid', 'keyword', 'vector'])
    .optional()
    .describe('By words, by meaning (vector), or both. Default: hybrid.'),
  limit: z.int().min(1).max(100).optional().describe('How many documents at the most. Default: 10.'),
  maxTokens: z
    .int()
    .min(50)
    .max(100_000)
    .optional()
    .describe('About how many tokens the answer may have. Default: 4000.'),
  explain: z.boolean().optional().describe('Also say by which ranks and scores each result came to its place.'),
};

type Aliases = ReadonlyMap<string, string>;

const withAlias = <Named extends DocumentName>(name: Named, aliases: Aliases) => {
  const alias = aliases.get(name.collection);
  return { ...name, ...(alias !== undefined && { alias }) };
};

const DIGITS = 10_000;
const rounded = (score: number) => Math.round(score * DIGITS) / DIGITS;

/** Lists that are empty say nothing, and take room. */
export function shown<Result extends SearchResult>(result: Result, aliases: Aliases, explain: boolean) {
  const { more, duplicates, reasons, score, ...rest } = result;
  const { keyword, vector, estimated } = reasons;
  const why = {
    ...(keyword && { keyword: { ...keyword, score: rounded(keyword.score) } }),
    ...(vector && { vector: { ...vector, score: rounded(vector.score) } }),
    ...(estimated && { estimated }),
  };
  return {
    ...withAlias(rest, aliases),
    score: rounded(score),
    ...(more.length > 0 && { more }),
    ...(duplicates.length > 0 && { duplicates: duplicates.map((duplicate) => withAlias(duplicate, aliases)) }),
    ...(explain && { explain: why }),
  };
}

/** The results that the budget has room for. */
export function bounded<Result extends { snippet: string }>(all: readonly Result[], budget: number) {
  const { results, leftOut } = withinTokens(all, budget);
  return { results, ...(leftOut > 0 && { leftOut }) };
}
