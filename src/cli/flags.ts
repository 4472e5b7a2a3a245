/** A tool's flags: its arguments in kebab-case, read as its schema says. */
import { z } from 'zod';
import type { Tool } from '../tools/define.js';
import { UsageError } from './command.js';

type Schema = { type?: string; anyOf?: Schema[]; items?: Schema };

export type ToolArguments = { input: string | undefined; json: boolean; help: boolean; flags: Record<string, unknown> };

export const kebab = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

export function schemasOf(tool: Tool): Record<string, Schema> {
  return (z.toJSONSchema(tool.input, { io: 'input' }).properties ?? {}) as Record<string, Schema>;
}

export function readFlags(tool: Tool, args: readonly string[]): ToolArguments {
  const schemas = schemasOf(tool);
  const names = new Map(Object.keys(schemas).map((name) => [kebab(name), name]));
  // Without a prototype, so that a flag named __proto__ is kept, and refused like any unknown one.
  const flags: Record<string, unknown> = Object.create(null);
  const result: ToolArguments = { input: undefined, json: false, help: false, flags };
  const rest = [...args];

  for (let token = rest.shift(); token !== undefined; token = rest.shift()) {
    const { flag, given } = splitFlag(token, tool);
    const value = () => given ?? rest.shift() ?? missingValue(flag);
    if (flag === 'json') result.json = true;
    else if (flag === 'help' || flag === 'h') result.help = true;
    else if (flag === 'input') result.input = value();
    else if (flag.startsWith('no-') && !names.has(flag) && isBoolean(schemas[names.get(flag.slice(3)) ?? ''])) {
      result.flags[names.get(flag.slice(3)) as string] = false;
    } else {
      const name = names.get(flag) ?? camel(flag);
      const schema = schemas[name];
      if (isBoolean(schema)) result.flags[name] = readSwitch(flag, given, rest);
      else addValue(result.flags, name, readValue(flag, value(), schema), schema);
    }
  }
  return result;
}

function splitFlag(token: string, tool: Tool): { flag: string; given: string | undefined } {
  const match = /^--?([^=]+)(?:=([\s\S]*))?$/.exec(token);
  if (match) return { flag: match[1] as string, given: match[2] };
  throw new UsageError(
    `Unexpected word '${token}'`,
    `Arguments are flags, such as --${kebab(Object.keys(schemasOf(tool))[0] ?? 'input')}. Quote a value that has spaces.`,
  );
}

function missingValue(flag: string): never {
  throw new UsageError(`--${flag} needs a value`, `Write --${flag} VALUE.`);
}

const camel = (flag: string) => flag.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** The types that a schema allows, with those of its alternatives. */
const typesOf = (schema: Schema | undefined): (string | undefined)[] =>
  schema?.anyOf ? schema.anyOf.flatMap(typesOf) : [schema?.type];

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
  const isItem = typesOf(schema).includes('array') && !Array.isArray(value);
  flags[name] = isItem ? [...((flags[name] as unknown[] | undefined) ?? []), value] : value;
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
