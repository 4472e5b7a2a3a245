/** Commands on the project of a folder: their actions with options, and calls whose answers people read. */
import path from 'node:path';
import { type ParseArgsConfig, parseArgs } from 'node:util';
import { catalogTools } from '../tools/catalog/index.js';
import { contextTools } from '../tools/context/index.js';
import type { Envelope } from '../workspace.js';
import { actionNamed } from './actions.js';
import { type ExitCode, UsageError } from './command.js';
import { usage } from './options.js';
import { progressLine } from './progress.js';
import { answer } from './render.js';
import { withSession } from './session.js';
import { print, printJson } from './terminal.js';

type OptionTable = NonNullable<ParseArgsConfig['options']>;

/** Every such command takes these. */
export type ProjectOptions = { project?: string; json?: boolean };

export type Action<Options> = {
  flags: (keyof Options & string)[];
  /** How many words it takes at the most. */
  words: number;
  run: (words: string[], given: Options & ProjectOptions) => Promise<ExitCode>;
};

export type ProjectCommand<Options> = {
  name: string;
  options: OptionTable;
  actions: Record<string, Action<Options>>;
};

/** All that such commands call. */
export const tools = [...contextTools, ...catalogTools];

const shared = { project: { type: 'string' }, json: { type: 'boolean' } } as const;

/** Finds the action that a person typed, reads its options, and runs it. */
export async function runAction<Options>(command: ProjectCommand<Options>, args: string[]): Promise<ExitCode> {
  const { name, action } = findAction(command, args);
  const allowed = { ...shared, ...Object.fromEntries(action.flags.map((flag) => [flag, command.options[flag]])) };
  const { values, positionals } = usage(() =>
    parseArgs({
      args: args.slice(name.split(' ').length),
      options: allowed as OptionTable,
      allowPositionals: true,
    }),
  );
  if (positionals.length > action.words)
    throw new UsageError(`Unexpected word '${positionals[action.words]}'`, 'Add --help to see how it is used.');
  return action.run(positionals, values as Options & ProjectOptions);
}

/** The name of an action is one word, or two. */
function findAction<Options>({ name: command, actions }: ProjectCommand<Options>, args: string[]) {
  const first = args[0] ?? '';
  const isPair = Object.keys(actions).some((name) => name.startsWith(`${first} `));
  const name = isPair ? args.slice(0, 2).join(' ') : first;
  return { name, action: actionNamed(command, actions, name) };
}

/** Calls a tool in the project of the working directory, or the one that is named. */
export function callTool(
  tool: string,
  input: Record<string, unknown>,
  { project, json }: ProjectOptions,
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
    { project: project === undefined ? undefined : path.resolve(project), tools },
  );
}

export const say = (json: boolean | undefined, text: string): ExitCode => {
  if (!json) print(text);
  return 0;
};

/** The word that an action is about. */
export function needed(word: string | undefined, what: string, next: string): string {
  if (word !== undefined) return word;
  throw new UsageError(`The ${what} is missing`, next);
}
