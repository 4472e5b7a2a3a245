/** Where the files of a manifest are: each entry with a safe path, and the URL that it is read from. */
import path from 'node:path';
import { invalidArgument } from '../errors.js';
import { STEERING, shown } from '../project/shown.js';
import type { FileEntry, Manifest } from './manifest.js';
import type { SourceWarning } from './source.js';
import { shownUrl } from './url.js';

/** A file of a package. The path names the document; the hash is the hex digest that the manifest promises. */
export type ResolvedEntry = { path: string; url: string; hash?: string };
export type BundleEntry = { path: string; hash?: string };

export type Resolved<Entry> = { entries: Entry[]; warnings: SourceWarning[] };

/** What a manifest declares: patterns for files beside it, or files one by one. */
export type Declared<Entry> = { globs: string[]; warnings: SourceWarning[] } | Resolved<Entry>;

const LONGEST_PATH = 1024;

/** The files of a manifest at a URL. An entry that is not safe is left out with a warning. */
export function resolveEntries(manifest: Manifest, manifestUrl: string): Declared<ResolvedEntry> {
  const { glob, files = [] } = manifest.sources;
  const isLocal = new URL(manifestUrl).protocol === 'file:';
  if (glob && !isLocal) {
    throw invalidArgument`${shownUrl(manifestUrl)}: sources.glob: only a file:// manifest or a bundle can have globs`.advise(
      'List the files one by one under sources.files, or pack them into a bundle.',
    );
  }
  if (glob) return safeGlobs(glob);
  const base = baseOf(manifest, manifestUrl);
  return collect(files, (entry) =>
    entry.url === undefined ? atPath(entry.path ?? '', base) : atUrl(entry.url, isLocal),
  );
}

/** The files of a bundle's manifest: `baseUrl` is ignored, and entries with a URL of their own are left out. */
export function bundleEntries(manifest: Manifest): Declared<BundleEntry> {
  const { glob, files = [] } = manifest.sources;
  if (glob) return safeGlobs(glob);
  return collect(files, ({ path: given }) => {
    if (given === undefined) throw new Refused('a bundle holds its files: an entry with a url is ignored');
    return { path: safePath(given) };
  });
}

/** Why an entry is left out. It is caught where the entries are collected. */
class Refused extends Error {}

function collect<Entry extends BundleEntry>(
  files: readonly FileEntry[],
  resolve: (entry: FileEntry) => Entry,
): Resolved<Entry> {
  const entries = new Map<string, Entry>();
  const warnings: SourceWarning[] = [];
  for (const file of files) {
    try {
      const entry = resolve(file);
      if (entries.has(entry.path)) throw new Refused('the manifest names it twice: the first entry counts');
      entries.set(entry.path, file.hash === undefined ? entry : { ...entry, hash: file.hash });
    } catch (thrown) {
      if (!(thrown instanceof Refused)) throw thrown;
      warnings.push({ path: shownUrl(file.path ?? file.url ?? ''), message: thrown.message });
    }
  }
  return { entries: [...entries.values()], warnings };
}

/** A path is a plain path, not a piece of a URL: `50%.md` and `what?.md` are names of files. */
function atPath(given: string, base: string): ResolvedEntry {
  const safe = safePath(given);
  return { path: safe, url: base + safe.split('/').map(encodeURIComponent).join('/') };
}

/** The normal form of a relative path that stays in its folder. */
function safePath(given: string): string {
  const fault = faultOfText(given);
  if (fault) throw new Refused(fault);
  if (given.includes('\\')) throw new Refused('the path has a backslash in it: use forward slashes');
  if (given.startsWith('/') || /^[A-Za-z]:/.test(given)) throw new Refused('the path is absolute');
  const normal = path.posix.normalize(given);
  if (normal === '..' || normal.startsWith('../')) throw new Refused('the path leaves the package');
  if (normal === '.' || normal.endsWith('/')) throw new Refused('the path names a folder');
  return normal;
}

function atUrl(given: string, isLocal: boolean): ResolvedEntry {
  const fault = faultOfText(given);
  if (fault) throw new Refused(fault);
  const url = fetchable(given, undefined, isLocal);
  if (!url) throw new Refused('the url cannot be used: it must be a full https:// or http:// URL');
  url.hash = '';
  const document = new URL(url);
  document.username = '';
  document.password = '';
  return { path: document.href, url: url.href };
}

/** What is wrong with a text whatever it stands for. */
function faultOfText(text: string): string | undefined {
  if (text.length > LONGEST_PATH) return `longer than ${LONGEST_PATH} characters`;
  if (STEERING.test(text) || !text.isWellFormed()) return 'the name has control or bidirectional characters in it';
  return undefined;
}

/** The folder that paths start from, with a slash at its end. */
function baseOf({ baseUrl }: Manifest, manifestUrl: string): string {
  const isLocal = new URL(manifestUrl).protocol === 'file:';
  const base = fetchable(baseUrl ?? '.', manifestUrl, isLocal);
  if (!base) {
    throw invalidArgument`${shownUrl(manifestUrl)}: baseUrl: '${shownUrl(baseUrl ?? '')}' cannot be used`.advise(
      'A baseUrl is an https:// or http:// URL, or relative to the manifest.',
    );
  }
  base.search = '';
  base.hash = '';
  return base.href.replace(/\/*$/, '/');
}

/** A URL that this manifest may lead to. One from the network must never lead to the files of this machine. */
function fetchable(text: string, from: string | undefined, isLocal: boolean): URL | undefined {
  if (!URL.canParse(text, from)) return undefined;
  const url = new URL(text, from);
  const schemes = isLocal ? ['file:', 'http:', 'https:'] : ['http:', 'https:'];
  return schemes.includes(url.protocol) && (url.protocol !== 'file:' || url.host === '') ? url : undefined;
}

const CLIMBS = /(?:^|[/{,(|])\.\.(?:$|[/},)|])/;

function safeGlobs(globs: readonly string[]): { globs: string[]; warnings: SourceWarning[] } {
  const warnings: SourceWarning[] = [];
  const safe = globs.filter((glob) => {
    const fault = faultOfText(glob) ?? faultOfGlob(glob);
    if (fault) warnings.push({ path: shown(glob), message: fault });
    return fault === undefined;
  });
  return { globs: safe, warnings };
}

function faultOfGlob(glob: string): string | undefined {
  if (glob.startsWith('/') || /^[A-Za-z]:/.test(glob)) return 'the pattern is absolute';
  return CLIMBS.test(glob) ? 'the pattern leaves the package' : undefined;
}
