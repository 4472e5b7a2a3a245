/** A tool's flags: its arguments in kebab-case, read as its schema says. */
import { z } from 'zod';
import type { Tool } from '../tools/define.js';
import { UsageError } from './command.js';

type Schema = { type?: string | string[]; anyOf?: Schema[] };

export type ToolArguments = { input: string | undefined; json: boolean; help: boolean; flags: Record<string, unknown> };

export const kebab = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

export function schemasOf(tool: Tool): Record<string, Schema> {
  return (z.toJSONSchema(tool.input, { io: 'input' }).properties ?? {}) as Record<string, Schema>;
}

const OWN_FLAGS = ['json', 'help', 'input'];

/** Reads flags one by one; `rest` holds the words that are still to come. */
export function readFlags(tool: Tool, args: readonly string[]): ToolArguments {
  const schemas = schemasOf(tool);
  const names = new Map(Object.keys(schemas).map((name) => [kebab(name), name]));
  // Without a prototype, so that a flag named __proto__ is kept, and refused like any unknown one.
  const flags: Record<string, unknown> = Object.create(null);
  const result: ToolArguments = { input: undefined, json: false, help: false, flags };
  const rest = [...args];
  const isKnown = (word: string) => OWN_FLAGS.includes(word.slice(2)) || names.has(word.slice(2));
  const takeValue = (flag: string, given: string | undefined) => {
    const forgotten = rest[0]?.startsWith('--') && isKnown(rest[0]);
    return given ?? (forgotten ? undefined : rest.shift()) ?? missingValue(flag);
  };

  for (let token = rest.shift(); token !== undefined; token = rest.shift()) {
    const { flag, given } = splitFlag(token, tool);
    const name = names.get(flag) ?? camel(flag);
    const negated = names.has(flag) ? undefined : names.get(flag.replace(/^no-/, ''));
    if (flag === 'json') result.json = readSwitch(flag, given, rest);
    else if (flag === 'help' || flag === 'h') result.help = true;
    else if (flag === 'input') result.input = takeValue(flag, given);
    else if (negated && isBoolean(schemas[negated])) flags[negated] = !readSwitch(flag, given, []);
    else if (isBoolean(schemas[name])) flags[name] = readSwitch(flag, given, rest);
    else if (name in schemas)
      addValue(flags, name, readValue(flag, takeValue(flag, given), schemas[name]), schemas[name]);
    // The tool itself refuses what it does not know, and names it.
    else flags[name] = given ?? (rest[0]?.startsWith('-') ? true : (rest.shift() ?? true));
  }
  return result;
}

function splitFlag(token: string, tool: Tool): { flag: string; given: string | undefined } {
  const match = /^--?([^=-][^=]*|__[^=]*)(?:=([\s\S]*))?$/.exec(token);
  if (match) return { flag: match[1] as string, given: match[2] };
  throw new UsageError(
    `Unexpected word '${token}'`,
    `Arguments are flags, such as --${kebab(Object.keys(schemasOf(tool))[0] ?? 'input')}. Quote a value that has spaces.`,
  );
}

function missingValue(flag: string): never {
  throw new UsageError(
    `--${flag} needs a value`,
    `Write --${flag} VALUE, or --${flag}=VALUE if it begins with a dash.`,
  );
}

const camel = (flag: string) => flag.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** The types that a schema allows, with those of its alternatives. */
const typesOf = (schema: Schema | undefined): (string | undefined)[] =>
  schema?.anyOf ? schema.anyOf.flatMap(typesOf) : [schema?.type].flat();

const isBoolean = (schema: Schema | undefined) => typesOf(schema).includes('boolean');

function readSwitch(flag: string, given: string | undefined, rest: string[]): boolean {
  const word = given ?? (rest[0] === 'true' || rest[0] === 'false' ? rest.shift() : 'true');
  if (word === 'true' || word === 'false') return word === 'true';
  throw new UsageError(`--${flag} '${word}' is neither true nor false`, `Write --${flag} or --no-${flag}.`);
}

function readValue(flag: string, text: string, schema: Schema | undefined): unknown {
  const types = typesOf(schema);
  if (types.includes('string')) return text;
  if (types.includes('number') || types.includes('integer')) return readNumber(flag, text);
  if (types.includes('array') && !text.trimStart().startsWith('[')) return text;
  if (types.includes('object') || types.includes('array')) return readJson(`--${flag}`, text);
  return schema === undefined ? text : jsonOrText(text);
}

function readNumber(flag: string, text: string): number {
  const number = Number(text);
  if (text.trim() !== '' && Number.isFinite(number)) return number;
  throw new UsageError(`--${flag} '${text}' is not a number`, `Write --${flag} with digits.`);
}

/** A list may be given as JSON, or by repeating the flag. */
function addValue(flags: Record<string, unknown>, name: string, value: unknown, schema: Schema | undefined): void {
  const isList = typesOf(schema).includes('array');
  flags[name] = isList ? [...((flags[name] as unknown[] | undefined) ?? []), value].flat() : value;
}

export function readJson(source: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (thrown) {
    throw new UsageError(
      `${source} is not JSON: ${(thrown as Error).message}`,
      'Check quotes and brackets. Put the JSON in single quotes.',
    );
  }
}

function jsonOrText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
