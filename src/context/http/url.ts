/** URLs to fetch, the credentials that some carry, and where redirects may lead. Pure. */
import { invalidArgument } from '../../errors.js';
import { shownUrl } from '../url.js';

/** Basic credentials, for one origin only. */
export type Credentials = { origin: string; authorization: string };

/** Reads an http or https URL, and takes its credentials out of it. */
export function readUrl(text: string): { url: URL; credentials: Credentials | undefined } {
  if (!URL.canParse(text)) throw invalidArgument`'${shownUrl(text)}' is not a URL`;
  const url = new URL(text);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw invalidArgument`'${shownUrl(text)}' is not an http or https URL`;
  }
  const credentials = credentialsOf(url);
  url.username = '';
  url.password = '';
  url.hash = '';
  return { url, credentials };
}

function credentialsOf(url: URL): Credentials | undefined {
  if (url.username === '' && url.password === '') return undefined;
  const pair = `${unescaped(url.username)}:${unescaped(url.password)}`;
  return { origin: url.origin, authorization: `Basic ${Buffer.from(pair, 'utf8').toString('base64')}` };
}

function unescaped(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The URL with the credentials of `home`, where it is of the same origin and has none of its own. */
export function withCredentialsOf(home: string, text: string): string {
  if (!URL.canParse(home) || !URL.canParse(text)) return text;
  const from = new URL(home);
  const to = new URL(text);
  if (to.origin !== from.origin || to.username !== '' || to.password !== '') return text;
  to.username = from.username;
  to.password = from.password;
  return to.href;
}

/** The URL without its credentials. */
export function withoutCredentials(text: string): string {
  return readUrl(text).url.href;
}

/** Where a redirect leads, or why it is not followed. Credentials in it are not the user's, and are dropped. */
export function redirectTarget(from: URL, location: string | undefined): { to: URL } | { refused: string } {
  if (location === undefined || !URL.canParse(location, from.href)) return { refused: 'Redirect without a target' };
  const to = new URL(location, from.href);
  if (to.protocol !== 'http:' && to.protocol !== 'https:') return { refused: 'Redirect away from http' };
  if (from.protocol === 'https:' && to.protocol === 'http:') return { refused: 'Redirect from https to http' };
  to.username = '';
  to.password = '';
  return { to };
}
