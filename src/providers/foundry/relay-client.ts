/** HTTP to the REST relay of Foundry. Every request is sent once: what it may have done is said, never tried again. */
import { Failure, invalidArgument, notFound, plainFailure, rateLimited } from '../../errors.js';
import type { Data } from '../../library/documents/document.js';
import { cancelled } from './payload.js';

export type RelaySettings = {
  url: string;
  clientId: string;
  /** Sent as x-api-key, and never shown. */
  apiKey: string | undefined;
  timeoutMs: number;
  signal: AbortSignal;
};

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

export type RelayRequest = { method: Method; path: string; query: Record<string, string>; body?: Data };

/** Sends one request, and answers the JSON that the relay gave. */
export type Relay = (request: RelayRequest) => Promise<Data>;

const LARGEST_ANSWER = 64 * 1024 * 1024;

export function openRelay(settings: RelaySettings): Relay {
  const base = checkedBase(settings.url);
  const { apiKey, clientId, timeoutMs } = settings;
  if (!apiKey) throw noKey();
  return async ({ method, path, query, body }) => {
    const url = new URL(base);
    url.pathname = `${url.pathname.replace(/\/+$/, '')}${path}`;
    const named = { ...(clientId && { clientId }), ...query };
    for (const [name, value] of Object.entries(named)) url.searchParams.set(name, value);
    const isWrite = method !== 'GET';
    const headers = { 'x-api-key': apiKey, accept: 'application/json', 'content-type': 'application/json' };
    const signal = AbortSignal.any([settings.signal, AbortSignal.timeout(timeoutMs)]);
    // A redirect would carry the key to another place.
    const init = { method, headers, signal, redirect: 'error' as const, ...(body && { body: JSON.stringify(body) }) };
    settings.signal.throwIfAborted();
    try {
      const response = await fetch(url, init);
      return await answerOf(response, { isWrite, apiKey });
    } catch (thrown) {
      if (thrown instanceof Failure) throw thrown;
      if (settings.signal.aborted) throw late('The call was cancelled while the relay was asked', isWrite);
      throw broken(thrown as Error, { isWrite, timeoutMs });
    }
  };
}

function checkedBase(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isHttp = url?.protocol === 'http:' || url?.protocol === 'https:';
  if (url && isHttp && url.username === '' && url.search === '') return url;
  throw invalidArgument`Invalid setting providers.foundry.url '${text}': must be an http or https address`.advise(
    'Set it to the address of the relay, such as http://localhost:3010.',
  );
}

async function answerOf(response: Response, { isWrite, apiKey }: { isWrite: boolean; apiKey: string }): Promise<Data> {
  const text = await readBody(response, isWrite);
  const body = parse(text);
  // A relay may quote the headers that it did not like.
  const reason = typeof body?.error === 'string' ? body.error.replaceAll(apiKey, '…') : undefined;
  if (!response.ok) throw refused(response, reason, isWrite);
  if (body === undefined) throw notJson(isWrite);
  if (reason !== undefined) throw faultOf(reason);
  return body;
}

async function readBody(response: Response, isWrite: boolean): Promise<string> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of response.body ?? []) {
    size += part.byteLength;
    if (size > LARGEST_ANSWER) throw late('The answer of the relay is too large', isWrite);
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
}

function parse(text: string): Data | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Data) : undefined;
  } catch {
    return undefined;
  }
}

/** Where a write may have reached the world, its key must stay taken. */
const unsure = (isWrite: boolean) => (isWrite ? { mayHaveHappened: true } : {});
const lookFirst = 'Whether it happened is not known. Read the document before you call again.';
const tryAgain = 'Look whether the relay and the world are up, then call again.';
const nextMove = (isWrite: boolean) => (isWrite ? lookFirst : tryAgain);

function refused(response: Response, reason: string | undefined, isWrite: boolean): Failure {
  const { status } = response;
  if (status === 401) return forbidden('The relay does not know the key').advise('Check AI_ASSIST_FOUNDRY_API_KEY.');
  if (status === 403) {
    return forbidden('The relay does not allow this with the key').advise('Ask for a key with more rights.');
  }
  if (status === 404) return missing(reason);
  if (status === 408) return late('Foundry did not answer the relay in time', isWrite);
  if (status === 429) return tooMany(response);
  if (status >= 500) return late(`The relay failed with status ${status}`, isWrite);
  return reason === undefined ? plainFailure('internal', `The relay answered with status ${status}`) : faultOf(reason);
}

const forbidden = (message: string) => plainFailure('forbidden', message);

const late = (message: string, isWrite: boolean): Failure =>
  plainFailure('internal', message).with(unsure(isWrite)).advise(nextMove(isWrite));

const missing = (reason = ''): Failure =>
  /client/i.test(reason)
    ? plainFailure('not_found', 'The relay knows no such world').advise(
        'Check that the world is open, and providers.foundry.clientId.',
      )
    : plainFailure('not_found', 'Foundry has no such document').advise('Use list_documents to find the ids.');

function tooMany(response: Response): Failure {
  const header = response.headers.get('retry-after') ?? '';
  const seconds = /^\d+$/.test(header) ? Number(header) : Math.ceil((Date.parse(header) - Date.now()) / 1000);
  const retryAfter = Number.isFinite(seconds) ? Math.max(1, seconds) : 60;
  return rateLimited`The relay allows no more calls for now`
    .with({ retryAfter })
    .advise(`Wait ${retryAfter} s, then call again.`);
}

/** What the module in Foundry gave as an error. Its text may quote the document. */
function faultOf(reason: string): Failure {
  const text = reason.slice(0, 500);
  if (/^failed to create/i.test(reason)) return cancelled('creation');
  if (/not found/i.test(reason)) return notFound`Foundry: ${text}`;
  if (/permission/i.test(reason)) {
    return new Failure('forbidden', { message: `Foundry: ${text}`, redacted: 'Foundry: no permission' });
  }
  return invalidArgument`Foundry: ${text}`;
}

const notJson = (isWrite: boolean): Failure => late('The relay answered with something that is not JSON', isWrite);

/** Nothing was sent where there was no connection. */
const UNSENT = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH']);

function broken(thrown: Error, { isWrite, timeoutMs }: { isWrite: boolean; timeoutMs: number }): Failure {
  if (thrown.name === 'TimeoutError') return late(`The relay did not answer within ${timeoutMs / 1000} s`, isWrite);
  const { code } = (thrown.cause ?? {}) as { code?: string };
  if (code !== undefined && UNSENT.has(code)) {
    return plainFailure('internal', `The relay cannot be reached (${code})`).advise(
      'Check providers.foundry.url, and that the relay runs.',
    );
  }
  return late('The connection to the relay broke', isWrite);
}

const noKey = (): Failure =>
  plainFailure('forbidden', 'The key of the Foundry relay is not set').advise(
    'Set the environment variable AI_ASSIST_FOUNDRY_API_KEY to it.',
  );
