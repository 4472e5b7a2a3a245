/** Finds the command that a person typed, runs it, and explains what went wrong. */
import { asFailure } from '../errors.js';
import { closest } from './closest.js';
import { type ExitCode, UsageError } from './command.js';
import { commands } from './commands.js';
import { bold, columns, print, printError, printJson, printNote } from './terminal.js';

export async function run(args: string[]): Promise<ExitCode> {
  const [name, ...rest] = args;
  try {
    if (name === undefined || name === 'help' || name === '--help' || name === '-h') return help(rest[0]);
    const command = find(name);
    if (wantsHelp(name, rest)) return help(name);
    const { run } = await command.load();
    return await run(rest);
  } catch (thrown) {
    return explain(thrown, rest.includes('--json'));
  }
}

function find(name: string) {
  const command = commands.find((candidate) => candidate.name === name);
  if (command) return command;
  const near = closest(
    name,
    commands.map((candidate) => candidate.name),
  );
  throw new UsageError(
    `Unknown command '${name}'`,
    near ? `Did you mean 'ai-assist ${near}'?` : "Type 'ai-assist --help' for the commands.",
  );
}

/** After `tool NAME`, --help explains that tool, which the command does itself. */
function wantsHelp(name: string, rest: readonly string[]): boolean {
  const asked = rest.includes('--help') || rest.includes('-h');
  return asked && !(name === 'tool' && rest[0] !== undefined && !rest[0].startsWith('-'));
}

function help(name: string | undefined): ExitCode {
  const command = name === undefined ? undefined : find(name);
  print(command ? `${command.summary}\n\n${command.help}` : overview());
  return 0;
}

function overview(): string {
  const rows = commands.map(({ name, summary }) => [`  ${name}`, summary]);
  return `${bold('ai-assist')}: the context workspace of AI agents.

Usage: ai-assist COMMAND [OPTIONS]

${columns(rows)}

  --version   print the version
  --help      explain a command: ai-assist COMMAND --help

New here? Type ai-assist quickstart.`;
}

function explain(thrown: unknown, json: boolean): ExitCode {
  if (thrown instanceof UsageError) {
    printError(thrown.message, thrown.next);
    return 2;
  }
  const failure = asFailure(thrown);
  if (json) printJson(failure.toEnvelope(), 2);
  else printError(failure.message, failure.instruction);
  if (failure.cause && process.env.AI_ASSIST_DEBUG) printNote(`${(failure.cause as Error).stack}`);
  return 1;
}
