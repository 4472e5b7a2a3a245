/** Whether a fetch that failed is tried again, and when. Pure: the time and the dice are arguments. */

const maxTries = 3;

/** What went wrong with one try. */
export type Setback = { status: number; retryAfter?: string | undefined } | { code: string };

const passingStatuses: ReadonlySet<number> = new Set([429, 500, 502, 503, 504]);

/** Codes of connections that broke, or never came about. A name that does not exist is not among them. */
const passingCodes: ReadonlySet<string> = new Set([
  'ECONNRESET',
  'ECONNREFUSED',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EAI_AGAIN',
  'UND_ERR_SOCKET',
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_BODY_TIMEOUT',
  'UND_ERR_RES_CONTENT_LENGTH_MISMATCH',
  'Z_BUF_ERROR',
]);

const firstDelayMs = 250;
const longestDelayMs = 30_000;

/** Milliseconds to wait before the next try, or undefined to give up. `random` is from 0 to 1. */
export function retryDelay(setback: Setback, tries: number, now: number, random: number): number | undefined {
  if (tries >= maxTries || !isPassing(setback)) return undefined;
  const asked = 'status' in setback ? retryAfterMs(setback.retryAfter, now) : undefined;
  if (asked !== undefined) return Math.min(asked, longestDelayMs);
  const most = firstDelayMs * 2 ** (tries - 1);
  return Math.min(most / 2 + (most / 2) * random, longestDelayMs);
}

function isPassing(setback: Setback): boolean {
  return 'status' in setback ? passingStatuses.has(setback.status) : passingCodes.has(setback.code);
}

/** What a Retry-After header asks for: seconds or a date. */
export function retryAfterMs(header: string | undefined, now: number): number | undefined {
  const text = header?.trim() ?? '';
  if (/^\d+$/.test(text)) return Number(text) * 1000;
  const date = /^[A-Z][a-z]{2},? /.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
