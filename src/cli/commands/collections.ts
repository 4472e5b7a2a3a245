import path from 'node:path';
import { parseArgs } from 'node:util';
import { contextTools } from '../../tools/context/index.js';
import type { Envelope } from '../../workspace.js';
import { type ExitCode, UsageError } from '../command.js';
import { usage } from '../options.js';
import { progressLine } from '../progress.js';
import { answer } from '../render.js';
import { withSession } from '../session.js';
import { boxed, dim, print, printError, printJson, safe } from '../terminal.js';

const options = {
  force: { type: 'boolean' },
  type: { type: 'string' },
  path: { type: 'string' },
  glob: { type: 'string' },
  url: { type: 'string' },
  description: { type: 'string' },
  drop: { type: 'boolean' },
  'dry-run': { type: 'boolean' },
  manifest: { type: 'string' },
  output: { type: 'string' },
  project: { type: 'string' },
  json: { type: 'boolean' },
} as const;

type Options = { [Name in keyof typeof options]?: (typeof options)[Name]['type'] extends 'boolean' ? boolean : string };
type Action = { flags: (keyof Options)[]; words: number; run: (words: string[], given: Options) => Promise<ExitCode> };

const actions: Record<string, Action> = {
  init: { flags: ['force'], words: 0, run: init },
  add: { flags: ['type', 'path', 'glob', 'url', 'description'], words: 2, run: add },
  remove: { flags: ['drop'], words: 1, run: remove },
  list: { flags: [], words: 0, run: list },
  sync: { flags: ['force', 'dry-run'], words: 1, run: sync },
  pack: { flags: ['manifest', 'output'], words: 0, run: pack },
  'manifest init': { flags: ['force'], words: 0, run: manifestInit },
};

export async function run(args: string[]): Promise<ExitCode> {
  const name = args[0] === 'manifest' ? args.slice(0, 2).join(' ') : (args[0] ?? '');
  const action = Object.hasOwn(actions, name) ? actions[name] : undefined;
  if (!action) {
    const problem = name === '' ? 'The collections command is missing' : `Unknown collections command '${name}'`;
    throw new UsageError(problem, `Write collections ${Object.keys(actions).join(', ')}.`);
  }
  const rest = args.slice(name.split(' ').length);
  const allowed = Object.fromEntries(
    [...action.flags, 'project', 'json'].map((flag) => [flag, options[flag as keyof Options]]),
  );
  const { values, positionals } = usage(() => parseArgs({ args: rest, options: allowed, allowPositionals: true }));
  if (positionals.length > action.words)
    throw new UsageError(`Unexpected word '${positionals[action.words]}'`, 'Add --help to see how it is used.');
  return action.run(positionals, values as Options);
}

/** Calls a tool in the project of the working directory, or the one that is named. */
function call(
  tool: string,
  input: Record<string, unknown>,
  { project, json }: Options,
  show: (done: Envelope) => ExitCode,
  /** A failure that has this field is shown as a success is. */
  shownField?: string,
): Promise<ExitCode> {
  const given = Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined));
  const line = progressLine(!json);
  return withSession(
    async (session) => {
      const envelope = await session.callUntyped(tool, given, { onProgress: line.show });
      line.clear();
      if (json) printJson(envelope, 2);
      const isShown = envelope.success || (shownField !== undefined && shownField in envelope);
      if (isShown) return show(envelope);
      return json ? 1 : answer(envelope, false);
    },
    { project: project === undefined ? undefined : path.resolve(project), tools: contextTools },
  );
}

const say = (json: boolean | undefined, text: string): ExitCode => {
  if (!json) print(text);
  return 0;
};

function init(_words: string[], given: Options): Promise<ExitCode> {
  return call('project_init', { force: given.force }, given, ({ file }) =>
    say(given.json, `Made ${safe(String(file))}.\nNext: ai-assist collections add docs ./docs`),
  );
}

/** The second word is a URL or a path, and so tells the type. */
async function add([name, source]: string[], given: Options): Promise<ExitCode> {
  if (name === undefined)
    throw new UsageError('The name of the collection is missing', 'Write collections add NAME PATH, or NAME URL.');
  const { type, glob, description } = given;
  const where = sourceOf(source, given);
  checkType(type, where);
  const input = { name, ...where, glob, description };
  return call('collection_add', input, given, ({ type }) =>
    say(given.json, `Added ${safe(name)} (${type}).\nNext: ai-assist collections sync ${safe(name)}`),
  );
}

function sourceOf(source: string | undefined, { path, url }: Options): Pick<Options, 'path' | 'url'> {
  const ways = [source, path, url].filter((way) => way !== undefined);
  if (ways.length === 0)
    throw new UsageError('The source of the collection is missing', 'Write collections add NAME PATH, or NAME URL.');
  if (ways.length > 1)
    throw new UsageError(`A collection has one source, not '${ways.join("' and '")}'`, 'Give one path or one URL.');
  if (source === undefined) return path === undefined ? { url: url as string } : { path };
  return /^[a-z][a-z0-9+.-]+:\/\//i.test(source) ? { url: source } : { path: source };
}

function checkType(type: string | undefined, { path, url }: Pick<Options, 'path' | 'url'>): void {
  if (type === undefined) return;
  if (type !== 'file' && type !== 'pkg')
    throw new UsageError(`--type '${type}' is not a type`, 'Write --type file or --type pkg.');
  if (type === 'file' && path === undefined)
    throw new UsageError('A file collection needs a path', 'Write --path PATH.');
  if (type === 'pkg' && url === undefined)
    throw new UsageError('A pkg collection needs a URL', 'Write --url URL. For a file, write file://./ and its path.');
}

async function remove([name]: string[], given: Options): Promise<ExitCode> {
  if (name === undefined)
    throw new UsageError('The name of the collection is missing', 'Write collections remove NAME.');
  return call('collection_remove', { name, drop: given.drop }, given, ({ dropped }) =>
    say(given.json, `Removed ${safe(name)} from the project${dropped ? ', and its documents from the index' : ''}.`),
  );
}

const NO_COLLECTIONS = 'No collections. Add one: ai-assist collections add docs ./docs';
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
  const input = { name, force: given.force, dryRun: given['dry-run'] };
  return call('collection_sync', input, given, (done) => showSync(done, given), 'results');
}

/** What a sync has done, collection by collection. One that failed makes the command fail. */
export function showSync(
  { results, failed }: Envelope,
  { json, 'dry-run': dryRun = false }: Pick<Options, 'json' | 'dry-run'>,
): ExitCode {
  for (const result of results as Result[]) if (!json) printResult(result, dryRun);
  if ((results as Result[]).length === 0) say(json, NO_COLLECTIONS);
  return Number(failed) > 0 ? 1 : 0;
}

function printResult(
  { name, type, status, documents, added, updated, removed, counts, warnings, error, instruction }: Result,
  dryRun: boolean,
): void {
  print(`${dryRun ? 'Would sync' : 'Syncing'} ${safe(name)} (${type})...`);
  if (type === 'pkg') print('  ↓ Fetching manifest...');
  printPaths('+ adding', added, counts.added);
  printPaths('~ updating', updated, counts.updated);
  printPaths('- removing', removed, counts.removed);
  for (const { path, message } of warnings) process.stderr.write(`  ! ${safe(path)}: ${safe(message)}\n`);
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
