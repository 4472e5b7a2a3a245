import { statSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import type { Tool } from '../../tools/define.js';
import type { Envelope, Session, ToolResult } from '../../workspace.js';
import { actionNamed } from '../actions.js';
import { closest } from '../closest.js';
import { type ExitCode, UsageError } from '../command.js';
import { usage } from '../options.js';
import { type Style, showResults } from '../ref-results.js';
import { answer } from '../render.js';
import { withSession } from '../session.js';
import { boxed, print, printError, printJson, printNote, safe } from '../terminal.js';

const options = {
  collection: { type: 'string', short: 'c', multiple: true },
  limit: { type: 'string', short: 'n' },
  path: { type: 'string', multiple: true },
  mode: { type: 'string' },
  'max-tokens': { type: 'string' },
  explain: { type: 'boolean' },
  md: { type: 'boolean' },
  files: { type: 'boolean' },
  section: { type: 'string' },
  from: { type: 'string' },
  force: { type: 'boolean' },
  pattern: { type: 'string', short: 'p' },
  directory: { type: 'string', short: 'd' },
  project: { type: 'string' },
  json: { type: 'boolean' },
} as const;

type Given = ReturnType<typeof parse>['values'];
type Flag = keyof typeof options;
type Action = { flags: Flag[]; words: number; run: (words: string[], given: Given) => Promise<ExitCode> };

const parse = (args: string[]) => parseArgs({ args, options, allowPositionals: true });

const searchFlags: Flag[] = ['limit', 'path', 'mode', 'max-tokens', 'explain', 'md', 'files'];

const actions: Record<string, Action> = {
  'list-collections': { flags: [], words: 0, run: list },
  ls: { flags: [], words: 0, run: list },
  search: { flags: ['collection', ...searchFlags], words: Number.POSITIVE_INFINITY, run: search },
  related: { flags: ['collection', ...searchFlags], words: 1, run: related },
  read: { flags: ['collection', 'section', 'from', 'max-tokens'], words: 1, run: read },
  drop: { flags: ['force'], words: 1, run: drop },
  update: { flags: ['collection', 'directory', 'pattern'], words: 0, run: update },
};

export async function run([name, ...args]: string[]): Promise<ExitCode> {
  const action = actionNamed('ref', actions, name);
  const { values, positionals } = action.run === search ? parseSearch(args, action) : parseFor(args, action);
  if (positionals.length > action.words)
    throw new UsageError(`Unexpected word '${positionals[action.words]}'`, 'Add --help to see how it is used.');
  return action.run(positionals, values);
}

function parseFor(args: string[], { flags }: Action): ReturnType<typeof parse> {
  const allowed = Object.fromEntries([...flags, 'project', 'json'].map((flag) => [flag, options[flag as Flag]]));
  return usage(() => parseArgs({ args, options: allowed, allowPositionals: true })) as ReturnType<typeof parse>;
}

/** A word with one dash is left out of the search. One with two may be a mistake: it must stand after `--`. */
function parseSearch(args: string[], action: Action): ReturnType<typeof parse> {
  const end = args.includes('--') ? args.indexOf('--') : args.length;
  const known = [...action.flags, 'project', 'json'];
  for (const arg of args.slice(0, end)) {
    const flag = /^--([^=\s]+)(?:=.*)?$/s.exec(arg)?.[1];
    if (flag === undefined || known.includes(flag)) continue;
    const near = closest(flag, known);
    const meant = near === undefined ? '' : `Did you mean --${near}? `;
    throw new UsageError(`Unknown option '${arg}'`, `${meant}To search for it, write ref search -- ${arg}`);
  }
  const isWord = (arg: string) => /^-(?!-|c|n(?:=?\d|$))./.test(arg) || /^-.*\s/s.test(arg);
  const words = args.slice(0, end).filter(isWord);
  const { values, positionals } = parseFor(
    [...args.slice(0, end).filter((arg) => !isWord(arg)), ...args.slice(end)],
    action,
  );
  return { values, positionals: [...positionals, ...words] };
}

type LoadTools = () => Promise<readonly Tool[]>;

const allTools: LoadTools = async () => (await import('../project-command.js')).tools;

/** What is typed often starts sooner without the tools that it does not call. */
const searchTools: LoadTools = async () => [(await import('../../tools/context/ref-search.js')).refSearch];
const relatedTools: LoadTools = async () => [(await import('../../tools/context/ref-related.js')).refRelated];

const open = async <T>(given: Given, work: (session: Session) => Promise<T>, load = allTools): Promise<T> =>
  withSession(work, { project: projectFolder(given.project), tools: await load() });

function projectFolder(folder: string | undefined): string | undefined {
  if (folder === undefined || statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return folder;
  throw new UsageError(`--project '${folder}' is not a folder`, 'Write the folder of your project, or leave it out.');
}

/** The answer as JSON, or a failure for people; undefined where there is something to show. */
function early(envelope: Envelope, { json }: Given): ExitCode | undefined {
  if (json) printJson(envelope, 2);
  if (json) return envelope.success ? 0 : 1;
  return envelope.success ? undefined : answer(envelope, false);
}

function list(_words: string[], given: Given): Promise<ExitCode> {
  return open(given, async (session) => {
    const envelope = await session.call('ref_collections', {});
    const done = early(envelope, given);
    if (done !== undefined || !envelope.success) return done ?? 1;
    // Whole ids: other commands take them, and nothing shorter.
    const rows = envelope.collections.map(({ id, type, source, documents, lastSyncAt }) =>
      [type, source, String(documents), lastSyncAt ?? '', id].map(safe),
    );
    print(
      rows.length > 0
        ? boxed([['Type', 'Source', 'Documents', 'Synced', 'Collection'], ...rows])
        : 'Nothing is indexed yet. Next: ai-assist collections sync',
    );
    return 0;
  });
}

function search(words: string[], given: Given): Promise<ExitCode> {
  const query = words.join(' ');
  if (query === '') throw new UsageError('The words to look for are missing', 'Write ref search WORDS.');
  const asked = askedFor(given);
  const find = (session: Session) => session.call('ref_search', { query, collections: given.collection, ...asked });
  return showFound(given, find, searchTools);
}

function related([path]: string[], given: Given): Promise<ExitCode> {
  const [collection] = given.collection ?? [];
  if (path === undefined || collection === undefined) throw missingOf('related', path);
  const asked = askedFor(given);
  const find = (session: Session) => session.call('ref_related', { collection, path, ...asked });
  return showFound(given, find, relatedTools);
}

type Find = (session: Session) => Promise<ToolResult<'ref_search' | 'ref_related'>>;

function showFound(given: Given, find: Find, load: LoadTools): Promise<ExitCode> {
  const style = styleOf(given);
  const show = async (session: Session) => {
    const envelope = await find(session);
    const done = early(envelope, given);
    if (done === undefined && envelope.success) showResults(envelope, style);
    return done ?? 0;
  };
  return open(given, show, load);
}

function read([path]: string[], given: Given): Promise<ExitCode> {
  const [collection] = given.collection ?? [];
  if (path === undefined || collection === undefined) throw missingOf('read', path);
  const asked = {
    section: given.section,
    startLine: numberOf(given, 'from', 120),
    maxTokens: numberOf(given, 'max-tokens', 2000) ?? LONG_READ,
  };
  return open(given, async (session) => {
    const envelope = await session.call('ref_read', { collection, path, ...asked });
    const done = early(envelope, given);
    if (done !== undefined || !envelope.success) return done ?? 1;
    print(envelope.text.trimEnd().split('\n').map(safe).join('\n'));
    if (envelope.nextLine !== undefined) printNote(`There is more: add --from ${envelope.nextLine}.`);
    return 0;
  });
}

/** A person can stop reading; the tool's own default is made for a model. */
const LONG_READ = 100_000;

const modes = ['hybrid', 'keyword', 'vector'] as const;

const missingOf = (name: string, path: string | undefined) =>
  new UsageError(
    `The ${path === undefined ? 'document' : 'collection of the document'} is missing`,
    `Write ref ${name} -c COLLECTION PATH.`,
  );

function askedFor(given: Given) {
  const { mode, path: paths, explain } = given;
  const known = modes.find((each) => each === mode);
  if (mode !== undefined && !known) throw new UsageError(`Unknown mode '${mode}'`, `Write --mode ${modes.join(', ')}.`);
  return {
    limit: numberOf(given, 'limit', 20, { least: 1, most: 100 }),
    maxTokens: numberOf(given, 'max-tokens', 2000, { least: 50, most: 100_000 }),
    paths,
    mode: known,
    explain,
  };
}

type Bounds = { least: number; most: number };

function numberOf(
  given: Given,
  flag: 'limit' | 'max-tokens' | 'from',
  example: number,
  { least, most }: Bounds = { least: Number.NEGATIVE_INFINITY, most: Number.POSITIVE_INFINITY },
): number | undefined {
  const text = given[flag];
  if (text === undefined) return undefined;
  const number = Number(text);
  const next = `Write --${flag} ${example}.`;
  if (text.trim() === '' || !Number.isInteger(number)) {
    throw new UsageError(`--${flag} '${text}' is not a whole number`, next);
  }
  if (number < least || number > most)
    throw new UsageError(`--${flag} '${text}' is not from ${least} to ${most}`, next);
  return number;
}

function styleOf({ md, files }: Given): Style {
  if (md && files) throw new UsageError('--md and --files do not go together', 'Give one of them.');
  return md ? 'md' : files ? 'files' : 'text';
}

async function drop([name]: string[], given: Given): Promise<ExitCode> {
  if (name === undefined) throw new UsageError('The collection is missing', 'Write ref drop NAME.');
  if (!given.force && !(await confirmed(name))) {
    printError(`'${name}' was not dropped`, 'Add --force to drop it without being asked.');
    return 1;
  }
  return open(given, async (session) => {
    const envelope = await session.call('ref_drop', { collection: name });
    const done = early(envelope, given);
    if (done !== undefined) return done;
    print(`Dropped ${safe(name)} from the index.`);
    return 0;
  });
}

async function confirmed(name: string): Promise<boolean> {
  if (!process.stdin.isTTY) return false;
  const { createInterface } = await import('node:readline/promises');
  const prompt = createInterface({ input: process.stdin, output: process.stderr });
  // Who ends the input instead of an answer does not mean yes.
  const ended = new Promise<string>((resolve) => prompt.once('close', () => resolve('')));
  const reply = prompt.question(`Drop ${safe(name)} from the index, for all projects? [y/N] `);
  const said = await Promise.race([reply, ended]);
  prompt.close();
  return /^y(es)?$/i.test(said.trim());
}

/** The old way to index a folder: adds it to the project under a name, and syncs it. */
async function update(_words: string[], given: Given): Promise<ExitCode> {
  const [name] = given.collection ?? [];
  if (name === undefined)
    throw new UsageError('The collection is missing', 'Write ref update -c NAME -d FOLDER -p PATTERN.');
  printNote('ref update is deprecated. Use collections add and collections sync instead.');
  return open(given, async (session) => {
    const failed = await addUnlessThere(session, name, given);
    const done: Envelope = failed ?? (await session.call('collection_sync', { name }));
    if (given.json || !('results' in done)) return answer(done, given.json === true);
    const { showSync } = await import('./collections.js');
    return showSync(done, {});
  });
}

async function addUnlessThere(session: Session, name: string, given: Given): Promise<Envelope | undefined> {
  const listed = await session.call('collection_list', {});
  if (!listed.success) return listed;
  const { directory = '.', pattern = '**/*.md' } = given;
  const old = listed.collections.find((collection) => collection.name === name);
  if (!old) {
    const added = await session.call('collection_add', { name, path: directory, glob: pattern });
    return added.success ? undefined : added;
  }
  const isOther = given.directory !== undefined || given.pattern !== undefined;
  if (!isOther || path.normalize(old.source) === path.normalize(`${directory} (${pattern})`)) return undefined;
  throw new UsageError(
    `'${name}' is another collection already: ${old.source}`,
    `Write ai-assist collections remove ${name} first, or choose another name.`,
  );
}
