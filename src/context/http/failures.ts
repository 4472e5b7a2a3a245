/** What a fetch that failed says: short, with the URL that was asked for, without credentials. */
import { STATUS_CODES } from 'node:http';
import { type ErrorType, Failure, shortHash } from '../../errors.js';
import { TooLarge } from '../too-large.js';
import { shownUrl } from '../url.js';
import { isPublicAddress } from './addresses.js';
import { UnknownEncoding } from './body.js';
import { AddressRefused } from './guarded-dispatcher.js';
import type { Setback } from './retry.js';

/** An answer that is not the content. */
export class BadStatus extends Error {
  readonly status: number;
  readonly retryAfter: string | undefined;
  constructor(status: number, retryAfter?: string) {
    super(`Status ${status}`);
    this.status = status;
    this.retryAfter = retryAfter;
  }
}

/** A redirect that is not followed. */
export class BadRedirect extends Error {}

/** What went wrong, in the words that the decision about a retry needs. */
export function setbackOf(thrown: unknown): Setback {
  return thrown instanceof BadStatus ? thrown : { code: codeOf(thrown) };
}

function codeOf(thrown: unknown): string {
  const { code } = thrown as { code?: unknown };
  return typeof code === 'string' ? code : '';
}

/** A failure with the URL at its end; the log gets the URL's hash. */
function fetchFailure(type: ErrorType, what: string, url: string, advice: string): Failure {
  const shown = shownUrl(url);
  return new Failure(type, { message: `${what}: ${shown}`, redacted: `${what}: ${shortHash(shown)}` }).advise(advice);
}

export function timeoutFailure(url: string, timeoutMs: number): Failure {
  const advice = 'Sync again later, or raise the setting network.timeoutSeconds.';
  return fetchFailure('internal', `No complete answer within ${timeoutMs / 1000} s`, url, advice);
}

/** The failure for what a try threw. */
export function failureOf(thrown: unknown, url: string): Failure {
  if (thrown instanceof Failure) return thrown;
  if (thrown instanceof BadStatus) return statusFailure(thrown.status, url);
  const [what, advice] = explain(thrown);
  const failure = fetchFailure('internal', what, url, advice);
  failure.cause = thrown;
  return failure;
}

function explain(thrown: unknown): [what: string, advice: string] {
  if (thrown instanceof BadRedirect) return [thrown.message, 'Use the URL that the content has now.'];
  if (thrown instanceof TooLarge) {
    return [`Larger than the limit of ${thrown.maxBytes} bytes`, 'Ask the publisher for smaller files.'];
  }
  if (thrown instanceof UnknownEncoding) return ['Unknown Content-Encoding', 'Report this to the publisher.'];
  if (thrown instanceof AddressRefused) return refused(thrown.address);
  return [unreachable[codeOf(thrown)] ?? fallback(codeOf(thrown)), checkHost];
}

function refused(address: string): [what: string, advice: string] {
  if (isPublicAddress(address)) return [`Host has moved to the public address '${address}'`, 'Sync again.'];
  return [
    `Not fetched from '${address}', an address on a private network`,
    'If you trust this host, add its name to the setting network.allowHosts.',
  ];
}

const checkHost = 'Check the URL and the connection, then sync again. What is indexed stays.';

function fallback(code: string): string {
  if (/^(CERT_|ERR_TLS|UNABLE_TO|DEPTH_ZERO|SELF_SIGNED)/.test(code)) return 'Certificate not accepted';
  return code === '' ? 'Connection failed' : `Connection failed (${code.slice(0, 40)})`;
}

const unreachable: Readonly<Record<string, string>> = {
  ENOTFOUND: 'Host not found',
  EAI_AGAIN: 'Host not found',
  ECONNREFUSED: 'Connection refused',
  ECONNRESET: 'Connection broken',
  UND_ERR_SOCKET: 'Connection broken',
  UND_ERR_CONNECT_TIMEOUT: 'No connection in time',
  UND_ERR_HEADERS_TIMEOUT: 'No answer in time',
  UND_ERR_BODY_TIMEOUT: 'Answer stalled',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'Answer cut short',
  Z_BUF_ERROR: 'Answer cut short',
  Z_DATA_ERROR: 'Compressed answer is damaged',
};

function statusFailure(status: number, url: string): Failure {
  const type = status === 404 || status === 410 ? 'not_found' : 'internal';
  return fetchFailure(type, `${status} ${STATUS_CODES[status] ?? 'Unknown Status'}`, url, statusAdvice(status));
}

function statusAdvice(status: number): string {
  if (status === 404 || status === 410) return 'Check the URL: the content may have moved.';
  if (status === 401 || status === 403)
    return 'Put the credentials into the URL in the project file: https://user:password@…';
  if (status === 429) return 'Wait a while, then sync again.';
  return checkHost;
}
