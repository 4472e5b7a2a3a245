import type { Envelope } from '../../workspace.js';
import type { ExitCode } from '../command.js';
import { type Action, callTool, needed, type ProjectOptions, runAction, say } from '../project-command.js';
import { boxed, print, safe } from '../terminal.js';

const options = {
  collection: { type: 'string' },
  pattern: { type: 'string', multiple: true },
  description: { type: 'string' },
  'new-name': { type: 'string' },
  'add-pattern': { type: 'string', multiple: true },
  'remove-pattern': { type: 'string', multiple: true },
  'dry-run': { type: 'boolean' },
} as const;

type Options = ProjectOptions & {
  collection?: string;
  pattern?: string[];
  description?: string;
  'new-name'?: string;
  'add-pattern'?: string[];
  'remove-pattern'?: string[];
  'dry-run'?: boolean;
};

const actions: Record<string, Action<Options>> = {
  add: { flags: ['collection', 'pattern', 'description', 'dry-run'], words: Number.POSITIVE_INFINITY, run: add },
  remove: { flags: ['dry-run'], words: 1, run: remove },
  change: { flags: ['new-name', 'collection', 'pattern', 'description', 'dry-run'], words: 1, run: change },
  update: { flags: ['add-pattern', 'remove-pattern', 'dry-run'], words: 1, run: update },
  list: { flags: [], words: 0, run: list },
};

export const run = (args: string[]): Promise<ExitCode> => runAction({ name: 'categories', options, actions }, args);

const NAME = 'name of the category';

/** The words after the name are patterns too. */
async function add([word, ...words]: string[], given: Options): Promise<ExitCode> {
  const name = needed(word, NAME, 'Write categories add NAME PATTERN.');
  const { collection, pattern = [], description, 'dry-run': dryRun } = given;
  const patterns = withoutEmpty([...words, ...pattern]);
  const input = { name, collection, patterns, description, dryRun };
  return callTool('category_add', input, given, (done) => sayCategory(done, given));
}

/** An empty pattern stands for none at all. */
const withoutEmpty = (patterns: readonly string[]) => patterns.filter((pattern) => pattern !== '');

async function remove([word]: string[], given: Options): Promise<ExitCode> {
  const name = needed(word, NAME, 'Write categories remove NAME.');
  return callTool('category_remove', { name, dryRun: given['dry-run'] }, given, ({ message, dryRun }) =>
    say(given.json, rehearsed(message, dryRun)),
  );
}

async function change([word]: string[], given: Options): Promise<ExitCode> {
  const name = needed(word, NAME, 'Write categories change NAME --pattern PATTERN.');
  const { 'new-name': new_name, collection, pattern, description, 'dry-run': dryRun } = given;
  const patterns = pattern && withoutEmpty(pattern);
  const input = { name, new_name, collection, patterns, description, dryRun };
  return callTool('category_change', input, given, (done) => sayCategory(done, given));
}

async function update([word]: string[], given: Options): Promise<ExitCode> {
  const name = needed(word, NAME, 'Write categories update NAME --add-pattern PATTERN.');
  const { 'add-pattern': add_patterns, 'remove-pattern': remove_patterns, 'dry-run': dryRun } = given;
  const input = { name, add_patterns, remove_patterns, dryRun };
  return callTool('category_update', input, given, (done) => sayCategory(done, given));
}

const rehearsed = (message: unknown, dryRun: unknown) => `${dryRun ? 'Rehearsed: ' : ''}${safe(String(message))}`;

/** What was done, and what the category takes now. */
function sayCategory({ message, value, dryRun }: Envelope, { json }: Options): ExitCode {
  const { collection, patterns } = value as { collection?: string; patterns: string[] };
  say(json, rehearsed(message, dryRun));
  return say(json, `Takes ${safe(patterns.join(', ') || 'nothing')} from ${safe(collection ?? 'all collections')}`);
}

type Listed = {
  name: string;
  collection?: string;
  patterns: string[];
  documents: number | null;
  groups: string[];
  error?: string;
};

function list(_words: string[], given: Options): Promise<ExitCode> {
  return callTool('category_list', {}, given, ({ categories }) => {
    const listed = categories as Listed[];
    if (listed.length === 0)
      return say(given.json, 'No categories. Add one: ai-assist categories add guides "guides/**"');
    const rows = listed.map(({ name, collection, patterns, documents, groups }) =>
      [name, collection ?? 'all', patterns.join(', '), documents ?? '?', groups.join(', ')].map((cell) =>
        safe(String(cell)),
      ),
    );
    say(given.json, boxed([['Name', 'From', 'Patterns', 'Documents', 'Groups'], ...rows]));
    for (const { name, error } of listed) if (error && !given.json) print(`${safe(name)}: ${safe(error)}`);
    return 0;
  });
}
