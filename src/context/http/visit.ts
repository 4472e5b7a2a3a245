/** One try at a URL: follows redirects by hand, and judges every hop anew. */
import type { Dispatcher } from 'undici';
import { hostAndPort, reachOf } from './addresses.js';
import { BadRedirect } from './failures.js';
import { AddressRefused, type Dispatchers } from './guarded-dispatcher.js';
import { type Credentials, redirectTarget } from './url.js';

const maxRedirects = 5;
const redirects: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
/** Of a body that nobody reads: up to here it is drained, so that the connection can be used again. */
const drainedBytes = 64 * 1024;

export type Visit = {
  url: URL;
  trusted: boolean;
  localHost: string | undefined;
  allowHosts: readonly string[];
  credentials: Credentials | undefined;
  headers: Readonly<Record<string, string>>;
  signal: AbortSignal;
};

/** The answer at the end of the redirects. */
export type Answer = Pick<Dispatcher.ResponseData, 'statusCode' | 'headers' | 'body'> & {
  /** Host and port of the answer, if it came from a private address. */
  localHost: string | undefined;
};

export async function visit(dispatchers: Dispatchers, first: Visit): Promise<Answer> {
  let hop = first;
  for (let followed = 0; followed <= maxRedirects; followed++) {
    const answer = await ask(dispatchers, hop);
    if (!redirects.has(answer.statusCode)) return answer;
    await drain(answer, hop.signal);
    hop = nextHop(hop, answer);
  }
  throw new BadRedirect(`More than ${maxRedirects} redirects`);
}

function nextHop(hop: Visit, { headers, localHost }: Answer): Visit {
  const { location } = headers;
  const target = redirectTarget(hop.url, Array.isArray(location) ? location[0] : location);
  if ('refused' in target) throw new BadRedirect(target.refused);
  // Only the project file's own URL is trusted, never where it leads.
  return { ...hop, url: target.to, trusted: false, localHost };
}

/** Reads away the body of an answer that is not the content. A body that breaks changes nothing. */
export async function drain({ body }: Pick<Answer, 'body'>, signal: AbortSignal): Promise<void> {
  await body.dump({ limit: drainedBytes, signal }).catch(() => {});
}

async function ask(dispatchers: Dispatchers, hop: Visit): Promise<Answer> {
  if (reachOf(hop.url, hop) === 'public') return send(dispatchers, 'public', hop);
  // Known to be local: a public address under the same name would be another host.
  if (hostAndPort(hop.url) === hop.localHost) return send(dispatchers, 'local', hop);
  try {
    return await send(dispatchers, 'public', hop);
  } catch (thrown) {
    if (!(thrown instanceof AddressRefused)) throw thrown;
    return send(dispatchers, 'local', hop);
  }
}

async function send(dispatchers: Dispatchers, way: keyof Dispatchers, hop: Visit): Promise<Answer> {
  const { url, credentials, signal } = hop;
  const authorization = credentials?.origin === url.origin ? { authorization: credentials.authorization } : {};
  const { statusCode, headers, body } = await dispatchers[way].request({
    origin: url.origin,
    path: `${url.pathname}${url.search}`,
    method: 'GET',
    headers: { ...hop.headers, ...authorization },
    signal,
  });
  return { statusCode, headers, body, localHost: way === 'local' ? hostAndPort(url) : undefined };
}
