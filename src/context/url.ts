/** URLs of packages: which ones are allowed, their one normal form, and how they are shown. */
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Failure, invalidArgument } from '../errors.js';
import { STEERING, shown } from '../project/shown.js';

const SCHEMES = ['file:', 'http:', 'https:'];
/** Of a URL in a message, which has other words too. */
const LONGEST_SHOWN = 160;
const RELATIVE_FILE = /^file:\/\/(\.\.?(?:[/\\].*)?)$/is;

/**
 * The one form of a URL: scheme and host in lower case, no default port, no fragment, no dot segments and no slash at
 * the end. Credentials and query stay, as they are part of what is fetched.
 */
export function normaliseUrl(text: string): string {
  const url = parsedUrl(text);
  url.hash = '';
  url.pathname = url.pathname.replace(/\/+$/, '');
  if (url.search !== '') return url.href;
  // This drops a question mark without a query.
  url.search = '';
  // A URL always has a path, so that a host alone still ends in a slash here.
  return url.href.replace(/\/+$/, '');
}

/** The normal, absolute form of a package's URL. `file://../x` starts from the project, not from the disk's root. */
export function resolvePackageUrl(text: string, projectRoot: string): string {
  const relative = RELATIVE_FILE.exec(text.trim())?.[1];
  if (relative === undefined) return normaliseUrl(text);
  return normaliseUrl(fileUrlFrom(projectRoot, relative));
}

/** What stands after `file://` is already a URL path: its escapes stay, and only the root's own are added. */
function fileUrlFrom(projectRoot: string, relative: string): string {
  const base = pathToFileURL(path.resolve(projectRoot) + path.sep);
  return new URL(relative, base).href;
}

export type PackageKind = 'manifest' | 'bundle';

/** Whether a URL leads to a manifest or to a bundle, by the ending of its path. */
export function kindOfUrl(url: string): PackageKind {
  const { pathname } = parsedUrl(url);
  if (/\.json$/i.test(pathname)) return 'manifest';
  if (/\.(?:tar\.gz|tgz)$/i.test(pathname)) return 'bundle';
  throw invalidArgument`'${shownUrl(url)}' is neither a manifest nor a bundle`.advise(
    'Use a URL whose path ends in .json (manifest), .tar.gz or .tgz (bundle).',
  );
}

/** A URL for messages and lists: short, without credentials; a query may hold a token, so it is left out too. */
export function shownUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  // What is no URL may still hold a password before an @.
  if (!url) return shown(text.replace(/\/\/[^/]*@/, '//'));
  // A relative file URL is shown as it was written: what is parsed of it is not what it means.
  if (url.protocol === 'file:') return shown(text);
  const query = url.search === '' ? '' : '?…';
  for (const part of ['username', 'password', 'search', 'hash'] as const) url[part] = '';
  return shown(url.href + query, LONGEST_SHOWN);
}

/** The URL without its credentials: which package it is, whoever fetches it. */
export function publicUrl(text: string): string {
  const url = new URL(text);
  if (url.username === '' && url.password === '') return text;
  url.username = '';
  url.password = '';
  return url.href;
}

function parsedUrl(text: string): URL {
  // The parser would drop some of them without a word.
  if (STEERING.test(text)) throw urlFailure(text, 'has a control character in it');
  if (!URL.canParse(text)) throw urlFailure(text, 'is not a URL');
  const url = new URL(text);
  if (!SCHEMES.includes(url.protocol)) throw urlFailure(text, 'has a scheme that is not allowed');
  if (url.protocol === 'file:' && url.host !== '') throw urlFailure(text, 'names a host, which a file URL cannot');
  return url;
}

function urlFailure(text: string, fault: string): Failure {
  return invalidArgument`'${shownUrl(text)}' ${fault}`.advise(
    'Use an https://, http:// or file:// URL. For a file of the project, write file://./ or file://../ and its path.',
  );
}
