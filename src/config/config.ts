/**
 * The application's configuration: defaults, then the file in the platform's configuration
 * folder, then the environment. Every value knows where it came from.
 */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { plainFailure } from '../errors.js';
import type { Format } from './formats.js';
import { type Environment, platformFolders } from './platform.js';
import { type Setting, type SettingName, type SettingValues, settingsFor } from './settings.js';

export type ConfigEntry = {
  name: SettingName;
  value: unknown;
  origin: string;
  doc: string;
  env: string;
  allowed: string;
};

export type Config = {
  get<Name extends SettingName>(name: Name): SettingValues[Name];
  /** Whether a person set it, in the file or in the environment. */
  isSet(name: SettingName): boolean;
  entries(): ConfigEntry[];
};

/** Where the configuration file is looked for. */
export const configFile = (env: Environment): string => path.join(platformFolders(env).config, 'config.json');

/** `given` are settings that a program passes: they win over all others. */
export function loadConfig(environment: Environment = process.env, given: Partial<SettingValues> = {}): Config {
  const env = withoutEmpty(environment);
  const settings = Object.entries(settingsFor(env)) as [SettingName, Setting<unknown>][];
  const file = configFile(env);
  const known = new Set<string>(settings.map(([name]) => name));
  const fromFile = readConfigFile(file, known);
  for (const name of fromFile.keys()) {
    if (!known.has(name)) throw unknownSetting(name, file, known);
  }

  const readEntry = (name: SettingName, setting: Setting<unknown>): ConfigEntry => {
    const { format, env: variable, doc, default: standard } = setting;
    const about = { name, doc, env: variable, allowed: format.allowed };
    if (given[name] !== undefined) return { ...about, value: given[name], origin: 'option settings' };
    if (env[variable] !== undefined)
      return { ...about, value: format.coerce(env[variable]), origin: `environment variable ${variable}` };
    if (fromFile.has(name)) return { ...about, value: format.coerce(fromFile.get(name)), origin: `file ${file}` };
    return { ...about, value: standard, origin: DEFAULT };
  };
  const entries = new Map(settings.map(([name, setting]) => [name, readEntry(name, setting)]));
  for (const [name, { format }] of settings) checkValue(entries.get(name) as ConfigEntry, format);

  return {
    get: (name) => entries.get(name)?.value as never,
    isSet: (name) => entries.get(name)?.origin !== DEFAULT,
    entries: () => [...entries.values()],
  };
}

const DEFAULT = 'default';

function checkValue({ name, value, origin, allowed }: ConfigEntry, format: Format): void {
  if (format.accepts(value)) return;
  throw plainFailure(
    'invalid_argument',
    `Invalid setting ${name} '${shown(value)}': must be ${allowed} (read from ${origin})`,
  ).advise(`Correct ${name} in the ${origin}, or remove it there.`);
}

const shown = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

function unknownSetting(name: string, file: string, known: ReadonlySet<string>) {
  return plainFailure('invalid_argument', `Unknown setting '${name}' (read from file ${file})`).advise(
    `Remove it. The settings are ${[...known].join(', ')}.`,
  );
}

/** The file's settings by their dotted names. No file: no settings. */
function readConfigFile(file: string, known: ReadonlySet<string>): Map<string, unknown> {
  if (!existsSync(file)) return new Map();
  return new Map(flatten(parseConfigFile(file), known));
}

function parseConfigFile(file: string): Record<string, unknown> {
  const advice = 'Correct the file, or remove it to use the defaults.';
  try {
    const content: unknown = JSON.parse(readFileSync(file, 'utf8'));
    if (isGroup(content)) return content;
  } catch (thrown) {
    throw plainFailure('invalid_argument', `Cannot read the file ${file}: ${(thrown as Error).message}`).advise(advice);
  }
  throw plainFailure('invalid_argument', `Invalid file ${file}: must hold a JSON object`).advise(advice);
}

const isGroup = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** What stands under a setting's name is its value, even an object. */
function flatten(group: Record<string, unknown>, known: ReadonlySet<string>, prefix = ''): [string, unknown][] {
  return Object.entries(group).flatMap(([key, value]): [string, unknown][] =>
    isGroup(value) && !known.has(prefix + key) ? flatten(value, known, `${prefix}${key}.`) : [[prefix + key, value]],
  );
}

/** A variable that is set to nothing counts as not set, as shells and containers often leave it so. */
function withoutEmpty(env: Environment): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && value !== ''));
}
