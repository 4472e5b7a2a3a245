/** As many results as a budget of tokens allows. */
import { MARK } from './snippet.js';

/** Four bytes a token is close for prose and code, and errs on the safe side for other scripts. */
const BYTES_PER_TOKEN = 4;
const SHORTEST_SNIPPET = 40;

const tokensOf = (value: unknown): number => Math.ceil(Buffer.byteLength(JSON.stringify(value)) / BYTES_PER_TOKEN);

/** Results are left out from the end. Of the first one, the snippet is cut before the result itself goes. */
export function withinTokens<Result extends { snippet: string }>(
  results: readonly Result[],
  maxTokens: number,
): { results: Result[]; leftOut: number } {
  const kept: Result[] = [];
  let left = maxTokens;
  for (const result of results) {
    const fitting = tokensOf(result) <= left ? result : kept.length === 0 ? shortened(result, left) : undefined;
    if (!fitting) break;
    kept.push(fitting);
    left -= tokensOf(fitting);
  }
  return { results: kept, leftOut: results.length - kept.length };
}

function shortened<Result extends { snippet: string }>(result: Result, tokens: number): Result | undefined {
  const plain = result.snippet.replaceAll(MARK.open, '').replaceAll(MARK.close, '');
  for (let length = plain.length; length >= SHORTEST_SNIPPET; length = Math.floor(length / 2)) {
    const cut = { ...result, snippet: length < plain.length ? `${plain.slice(0, length).toWellFormed()}…` : plain };
    if (tokensOf(cut) <= tokens) return cut;
  }
  return undefined;
}
