import { createInterface } from 'node:readline/promises';
import { parseArgs } from 'node:util';
import type { Envelope, Session } from '../../workspace.js';
import { type ExitCode, UsageError } from '../command.js';
import { usage } from '../options.js';
import { answer } from '../render.js';
import { withSession } from '../session.js';
import { bold, boxed, dim, print, printError, printJson, safe } from '../terminal.js';

const options = {
  collection: { type: 'string', short: 'c', multiple: true },
  limit: { type: 'string' },
  force: { type: 'boolean' },
  pattern: { type: 'string', short: 'p' },
  directory: { type: 'string', short: 'd' },
  project: { type: 'string' },
  json: { type: 'boolean' },
} as const;

type Given = ReturnType<typeof parse>['values'];
const parse = (args: string[]) => usage(() => parseArgs({ args, options, allowPositionals: true }));

const actions: Record<string, (words: string[], given: Given) => Promise<ExitCode>> = {
  'list-collections': list,
  ls: list,
  search,
  drop,
  update,
};

export async function run([name = '', ...args]: string[]): Promise<ExitCode> {
  const action = Object.hasOwn(actions, name) ? actions[name] : undefined;
  if (!action)
    throw new UsageError(
      name === '' ? 'The ref command is missing' : `Unknown ref command '${name}'`,
      `Write ref ${Object.keys(actions).join(', ')}.`,
    );
  const { values, positionals } = parse(args);
  return action(positionals, values);
}

const open = <T>(given: Given, work: (session: Session) => Promise<T>) => withSession(work, {}, given.project);

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
    const rows = envelope.collections.map(({ id, type, source, documents, lastSyncAt }) =>
      [id.slice(0, 40), type, source, String(documents), lastSyncAt ?? ''].map(safe),
    );
    print(
      rows.length > 0
        ? boxed([['Collection', 'Type', 'Source', 'Documents', 'Synced'], ...rows])
        : 'Nothing is indexed yet. Next: ai-assist collections sync',
    );
    return 0;
  });
}

function search(words: string[], given: Given): Promise<ExitCode> {
  const query = words.join(' ');
  if (query === '') throw new UsageError('The words to look for are missing', 'Write ref search WORDS.');
  return open(given, async (session) => {
    const limit = given.limit === undefined ? undefined : Number(given.limit);
    const envelope = await session.call('ref_search', { query, collections: given.collection, limit });
    const done = early(envelope, given);
    if (done !== undefined || !envelope.success) return done ?? 1;
    for (const { title, path, startLine, headings, snippet } of envelope.results) {
      print(
        `${bold(safe([title, ...headings.filter((heading) => heading !== title)].join(' > ')))} ${dim(safe(`${path}:${startLine}`))}`,
      );
      print(`  ${safe(snippet.trim().replace(/\s+/g, ' '))}\n`);
    }
    if (envelope.results.length === 0) print('Nothing found.');
    return 0;
  });
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
  const prompt = createInterface({ input: process.stdin, output: process.stderr });
  const reply = await prompt.question(`Drop ${safe(name)} from the index, for all projects? [y/N] `);
  prompt.close();
  return /^y(es)?$/i.test(reply.trim());
}

/** The old way to index a folder: adds it to the project under a name, and syncs it. */
async function update(_words: string[], given: Given): Promise<ExitCode> {
  const [name] = given.collection ?? [];
  if (name === undefined)
    throw new UsageError('The collection is missing', 'Write ref update -c NAME -d FOLDER -p PATTERN.');
  process.stderr.write('ref update is deprecated. Use collections add and collections sync instead.\n');
  return open(given, async (session) => {
    const input = { name, path: given.directory ?? '.', ...(given.pattern !== undefined && { glob: given.pattern }) };
    const added = await session.call('collection_add', input);
    if (!added.success && !added.error.includes('exists already')) return answer(added, given.json === true);
    return answer(await session.call('collection_sync', { name }), given.json === true);
  });
}
