import type { Envelope } from '../../workspace.js';
import { type ExitCode, UsageError } from '../command.js';
import { type Action, callTool as call, needed, type ProjectOptions, runAction, say } from '../project-command.js';
import { boxed, dim, print, printError, printNote, safe } from '../terminal.js';

const options = {
  force: { type: 'boolean' },
  type: { type: 'string' },
  path: { type: 'string' },
  glob: { type: 'string' },
  url: { type: 'string' },
  description: { type: 'string' },
  category: { type: 'string', multiple: true },
  'new-name': { type: 'string' },
  'add-category': { type: 'string', multiple: true },
  'remove-category': { type: 'string', multiple: true },
  drop: { type: 'boolean' },
  'dry-run': { type: 'boolean' },
  wait: { type: 'boolean' },
  manifest: { type: 'string' },
  output: { type: 'string' },
} as const;

type Value<Option> = Option extends { type: 'boolean' }
  ? boolean
  : Option extends { multiple: true }
    ? string[]
    : string;
type Options = { [Name in keyof typeof options]?: Value<(typeof options)[Name]> } & ProjectOptions;

const actions: Record<string, Action<Options>> = {
  init: { flags: ['force'], words: 0, run: init },
  add: { flags: ['type', 'path', 'glob', 'url', 'category', 'description', 'dry-run'], words: 2, run: add },
  remove: { flags: ['drop', 'dry-run'], words: 1, run: remove },
  change: { flags: ['new-name', 'description', 'category', 'dry-run'], words: 1, run: change },
  update: { flags: ['add-category', 'remove-category', 'dry-run'], words: 1, run: update },
  list: { flags: [], words: 0, run: list },
  sync: { flags: ['force', 'dry-run', 'wait'], words: 1, run: sync },
  pack: { flags: ['manifest', 'output'], words: 0, run: pack },
  'manifest init': { flags: ['force'], words: 0, run: manifestInit },
};

export const run = (args: string[]): Promise<ExitCode> => runAction({ name: 'collections', options, actions }, args);

function init(_words: string[], given: Options): Promise<ExitCode> {
  return call('project_init', { force: given.force }, given, ({ file }) =>
    say(given.json, `Made ${safe(String(file))}.\nNext: ai-assist collections add docs ./docs`),
  );
}

/** The second word is a URL or a path, and so tells the type. */
async function add([word, source]: string[], given: Options): Promise<ExitCode> {
  const name = needed(word, 'name of the collection', 'Write collections add NAME PATH, or NAME URL.');
  const { type, glob, description, category } = given;
  const dryRun = given['dry-run'];
  const where = isGroup(source, given) ? {} : sourceOf(source, given);
  checkType(type, where, category);
  const input = { name, ...where, glob, description, categories: namesIn(category), dryRun };
  const next = `Next: ai-assist collections sync ${safe(name)}`;
  return call('collection_add', input, given, ({ value }) =>
    say(given.json, `${dryRun ? 'Would add' : 'Added'} ${safe(name)} (${(value as { type: string }).type}).\n${next}`),
  );
}

/** A group has no source. To leave a source out by mistake must not make one. */
const isGroup = (source: string | undefined, { type, path, url, category }: Options) =>
  source === undefined && path === undefined && url === undefined && (type === 'group' || category !== undefined);

/** Names may be given one by one or with commas. An empty one stands for none at all. */
const namesIn = (given: readonly string[] | undefined): string[] | undefined =>
  given
    ?.flatMap((names) => names.split(','))
    .map((name) => name.trim())
    .filter((name) => name !== '');

function sourceOf(source: string | undefined, { path, url }: Options): Pick<Options, 'path' | 'url'> {
  const ways = [source, path, url].filter((way) => way !== undefined);
  if (ways.length === 0)
    throw new UsageError(
      'The source of the collection is missing',
      'Write collections add NAME PATH, or NAME URL, or NAME --category CATEGORY for a group.',
    );
  if (ways.length > 1)
    throw new UsageError(`A collection has one source, not '${ways.join("' and '")}'`, 'Give one path or one URL.');
  if (source === undefined) return path === undefined ? { url: url as string } : { path };
  if (/^[a-z][a-z0-9+.-]+:\/\//i.test(source)) return { url: source };
  if (!/\.(?:json|tar\.gz|tgz)$/i.test(source)) return { path: source };
  throw new UsageError(
    `'${source}' is a manifest or a bundle, not a folder`,
    `Write file://./${source.replace(/^(\.?\/)+/, '')} with the path from the root of the project.`,
  );
}

function checkType(type: string | undefined, { path, url }: Pick<Options, 'path' | 'url'>, category?: string[]): void {
  if (type === undefined) return;
  if (type !== 'file' && type !== 'pkg' && type !== 'group')
    throw new UsageError(`--type '${type}' is not a type`, 'Write --type file or --type pkg or --type group.');
  if (type === 'group' && (path !== undefined || url !== undefined))
    throw new UsageError('A group has no source', 'Write --category CATEGORY, and no path or URL.');
  if (type === 'file' && path === undefined)
    throw new UsageError('A file collection needs a path', 'Write --path PATH.');
  if (type === 'pkg' && url === undefined)
    throw new UsageError('A pkg collection needs a URL', 'Write --url URL. For a file, write file://./ and its path.');
  if (type !== 'group' && category !== undefined)
    throw new UsageError(`A ${type} collection has no categories`, 'Leave --category out, or write --type group.');
}

async function remove([word]: string[], given: Options): Promise<ExitCode> {
  const name = needed(word, 'name of the collection', 'Write collections remove NAME.');
  const dryRun = given['dry-run'];
  return call('collection_remove', { name, drop: given.drop, dryRun }, given, ({ dropped }) =>
    say(
      given.json,
      `${dryRun ? 'Would remove' : 'Removed'} ${safe(name)} from the project${dropped ? ', and its documents from the index' : ''}.`,
    ),
  );
}

async function change([word]: string[], given: Options): Promise<ExitCode> {
  const name = needed(word, 'name of the collection', 'Write collections change NAME --new-name NAME.');
  const { description, category, 'new-name': new_name, 'dry-run': dryRun } = given;
  const input = { name, new_name, description, categories: namesIn(category), dryRun };
  return call('collection_change', input, given, (done) => sayGroup(done, given));
}

async function update([word]: string[], given: Options): Promise<ExitCode> {
  const name = needed(word, 'name of the collection', 'Write collections update NAME --add-category CATEGORY.');
  const add_categories = namesIn(given['add-category']);
  const remove_categories = namesIn(given['remove-category']);
  const input = { name, add_categories, remove_categories, dryRun: given['dry-run'] };
  return call('collection_update', input, given, (done) => sayGroup(done, given));
}

/** What was done, and the categories that a group has now. */
function sayGroup({ message, value, dryRun }: Envelope, { json }: Options): ExitCode {
  const { categories } = value as { categories?: string[] };
  say(json, `${dryRun ? 'Rehearsed: ' : ''}${safe(String(message))}`);
  return categories ? say(json, `Categories: ${safe(categories.join(', ') || 'none')}`) : 0;
}

const NO_COLLECTIONS = 'No collections. Add one: ai-assist collections add docs ./docs';
const NOTHING_TO_SYNC = 'Nothing to sync. Add a collection: ai-assist collections add docs ./docs';
const MARKS: Record<string, string> = { synced: '✓', 'not synced': '⚠', stale: '⚠', error: '✗' };

type Listed = { name: string; type: string; source: string; status: string; error: string | null };

function list(_words: string[], given: Options): Promise<ExitCode> {
  return call('collection_list', {}, given, ({ collections }) => {
    const listed = collections as Listed[];
    if (listed.length === 0) return say(given.json, NO_COLLECTIONS);
    const rows = listed.map(({ name, type, source, status }) =>
      [name, type, shortened(source), `${MARKS[status]} ${status}`].map(safe),
    );
    say(given.json, boxed([['Name', 'Type', 'Source', 'Status'], ...rows]));
    for (const { name, error } of listed) if (error && !given.json) print(`${safe(name)}: ${safe(error)}`);
    return 0;
  });
}

const WIDEST_SOURCE = 50;
const shortened = (source: string) =>
  source.length > WIDEST_SOURCE ? `${source.slice(0, 30)}…${source.slice(-19)}` : source;

type Result = {
  name: string;
  type: string;
  status: string;
  documents: number;
  added: string[];
  updated: string[];
  removed: string[];
  error?: string;
  instruction?: string;
  counts: Record<string, number>;
  warnings: { path: string; message: string }[];
};

function sync([name]: string[], given: Options): Promise<ExitCode> {
  const input = { name, force: given.force, dryRun: given['dry-run'], wait: given.wait };
  return call('collection_sync', input, given, (done) => showSync(done, given), 'results');
}

/** What a sync has done, collection by collection. One that failed makes the command fail. */
export function showSync(
  { results, failed, embedded, refused, fault }: Envelope,
  { json, 'dry-run': dryRun = false }: Pick<Options, 'json' | 'dry-run'>,
): ExitCode {
  for (const result of results as Result[]) if (!json) printResult(result, dryRun);
  if ((results as Result[]).length === 0) say(json, NOTHING_TO_SYNC);
  if (embedded !== undefined) say(json, embeddedLine(Number(embedded), Number(refused)));
  if (fault !== undefined && !json)
    printError(String(fault), 'The documents can be found by words. Sync again with --wait.');
  return Number(failed) > 0 || fault !== undefined ? 1 : 0;
}

const embeddedLine = (embedded: number, refused: number): string =>
  refused > 0
    ? `✗ ${embedded} texts can now be found by meaning; the embedder refused ${refused}`
    : `✓ All texts can be found by meaning (${embedded} new)`;

function printResult(
  { name, type, status, documents, added, updated, removed, counts, warnings, error, instruction }: Result,
  dryRun: boolean,
): void {
  print(`${dryRun ? 'Would sync' : 'Syncing'} ${safe(name)} (${type})...`);
  if (type === 'pkg') print('  ↓ Fetching manifest...');
  printPaths('+ adding', added, counts.added);
  printPaths('~ updating', updated, counts.updated);
  printPaths('- removing', removed, counts.removed);
  for (const { path, message } of warnings) printNote(`  ! ${safe(path)}: ${safe(message)}`);
  if (status === 'failed') printError(`${name}: ${error}`, instruction ?? 'Correct the source, then sync again.');
  else
    print(`  ✓ ${documents} documents (${counts.added} added, ${counts.updated} updated, ${counts.removed} removed)\n`);
}

/** The answer names only so many of them. */
function printPaths(mark: string, paths: readonly string[], count = 0): void {
  for (const one of paths) print(`  ${mark}: ${safe(one)}`);
  if (count > paths.length) print(`  ${mark}: ${count - paths.length} more`);
}

function pack(_words: string[], given: Options): Promise<ExitCode> {
  return call(
    'collection_pack',
    { manifest: given.manifest, output: given.output },
    given,
    ({ file, bytes, sha256, documents }) => {
      for (const one of documents as { path: string; bytes: number }[])
        if (!given.json) print(dim(`  ${safe(one.path)} (${one.bytes} bytes)`));
      return say(
        given.json,
        `Packed ${(documents as unknown[]).length} documents into ${safe(String(file))} (${bytes} bytes)\nsha256:${sha256}`,
      );
    },
  );
}

function manifestInit(_words: string[], given: Options): Promise<ExitCode> {
  return call('manifest_init', { force: given.force }, given, ({ file }) =>
    say(given.json, `Made ${safe(String(file))}.\nNext: ai-assist collections pack`),
  );
}
