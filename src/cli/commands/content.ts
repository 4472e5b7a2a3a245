import { parseArgs } from 'node:util';
import { type ExitCode, UsageError } from '../command.js';
import { usage } from '../options.js';
import { callTool, needed } from '../project-command.js';
import { print, printNote, safeText } from '../terminal.js';

const options = {
  pattern: { type: 'string' },
  'max-tokens': { type: 'string' },
  project: { type: 'string' },
  json: { type: 'boolean' },
} as const;

/** Prints Markdown to standard output, and what is missing to standard error: the text may go into a pipe. */
export async function run(args: string[]): Promise<ExitCode> {
  const { values, positionals } = usage(() => parseArgs({ args, options, allowPositionals: true }));
  const name = needed(positionals[0], 'name', 'Write content NAME, or several with commas between them.');
  if (positionals.length > 1)
    throw new UsageError(
      `Unexpected word '${positionals[1]}'`,
      'Write several names with commas: content guides,react.',
    );
  const limit = values['max-tokens'];
  const maxTokens = limit === undefined ? undefined : Number(limit);
  if (Number.isNaN(maxTokens))
    throw new UsageError(`--max-tokens '${limit}' is not a number`, 'Write --max-tokens 8000.');
  return callTool('get_content', { name, pattern: values.pattern, maxTokens }, values, ({ content, message }) => {
    if (values.json) return 0;
    print(safeText(String(content)).trimEnd());
    if (message !== undefined) printNote(`${safeText(String(message))}`);
    return 0;
  });
}
