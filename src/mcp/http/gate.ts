/** Who may knock: the names that a client may call the server by, and the web pages that may call it at all. */
import { isIP, isIPv4 } from 'node:net';
import { localhostAllowedHostnames, validateHostHeader, validateOriginHeader } from '@modelcontextprotocol/server';
import { plainFailure } from '../../errors.js';

export type Gate = {
  /** Names that the Host header may have. */
  hosts: readonly string[];
  /** Web pages that may read answers, as `https://app.example.com`. */
  origins: readonly string[];
};

export type Headers = Readonly<Record<string, string | string[] | undefined>>;

/** Whether an address is this machine's own, which no other machine can reach. */
export function isLoopback(address: string): boolean {
  const plain = address.replace(/^::ffff:/i, '');
  return plain === 'localhost' || plain === '::1' || (isIPv4(plain) && plain.startsWith('127.'));
}

/** The names of a server that is bound to `address`: a wildcard stands for every address of the machine. */
export function hostNames(address: string, more: readonly string[], machine: readonly string[]): string[] {
  const isWildcard = address === '0.0.0.0' || address === '::';
  const own = isWildcard ? machine : [address];
  return [...new Set([...localhostAllowedHostnames(), ...own.map(inUrl), ...more.map((name) => name.toLowerCase())])];
}

/** An address as it stands in a URL. */
export const inUrl = (address: string): string => (isIP(address) === 6 ? `[${address}]` : address.toLowerCase());

/** Settings name an origin whole, so that a page of another port or scheme is another page. */
export function checkOrigins(origins: readonly string[]): string[] {
  return origins.map((origin) => {
    const url = URL.canParse(origin) ? new URL(origin) : undefined;
    if (url && url.origin !== 'null') return url.origin;
    throw plainFailure('invalid_argument', `'${origin}' is not an origin`).advise(
      'Write it with its scheme, such as https://app.example.com.',
    );
  });
}

const single = (value: string | string[] | undefined) => (Array.isArray(value) ? value.join(', ') : value);

/** Why a request is not let in, or nothing. A page that is not let in must not reach a tool by another name of ours. */
export function refusal(headers: Headers, { hosts, origins }: Gate): string | undefined {
  const host = validateHostHeader(single(headers.host), [...hosts]);
  if (!host.ok) return `${host.message}. Start the server with --allow-hosts and the name that clients use.`;
  const origin = single(headers.origin);
  if (origin !== undefined && origins.includes(origin)) return undefined;
  const known = validateOriginHeader(origin, localhostAllowedHostnames());
  return known.ok ? undefined : `${known.message}. Start the server with --allow-origins and the origin of the page.`;
}

/** What proxies add to a request that they pass on. One that adds none of these cannot be told from a client. */
const proxyMarks = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip'];

/** Whether a request came straight from this machine, and not by a proxy that stands for others. */
export function isLocalRequest(headers: Headers): boolean {
  return (
    !proxyMarks.some((name) => headers[name] !== undefined) &&
    validateHostHeader(single(headers.host), localhostAllowedHostnames()).ok
  );
}

/** What lets the pages that were named read the answers. Other pages get none of this from a browser. */
export function corsHeaders(headers: Headers, { origins }: Gate): Record<string, string> {
  const origin = single(headers.origin);
  if (origin === undefined || !origins.includes(origin)) return {};
  return {
    'access-control-allow-origin': origin,
    'access-control-allow-methods': 'GET, POST, DELETE',
    'access-control-allow-headers':
      'authorization, content-type, last-event-id, mcp-protocol-version, mcp-session-id, mcp-method, mcp-name, x-mcp-toolsets, x-mcp-tools, x-mcp-exclude-tools, x-mcp-readonly',
    'access-control-expose-headers': 'mcp-session-id, mcp-protocol-version, www-authenticate',
    vary: 'origin',
  };
}
