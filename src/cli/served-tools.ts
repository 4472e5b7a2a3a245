/** Which tools `mcp` and `serve` have: flags win over settings, and without either it is the toolset default. */
import type { Config } from '../config/config.js';
import type { SettingName } from '../config/settings.js';
import { Failure } from '../errors.js';
import { tools } from '../tools/index.js';
import { checkSelection, namesIn, type Selection } from '../tools/selection.js';
import { UsageError } from './command.js';

export const servedToolsOptions = {
  toolsets: { type: 'string' },
  tools: { type: 'string' },
  'exclude-tools': { type: 'string' },
  'read-only': { type: 'boolean' },
} as const;

export type ServedTools = { selection: Selection; readOnly: boolean };

type Values = {
  toolsets?: string | undefined;
  tools?: string | undefined;
  'exclude-tools'?: string | undefined;
  'read-only'?: boolean | undefined;
};

/** The selection that was asked for. It names no tools where nobody asked for any. */
export function readServedTools(values: Values, config: Config): ServedTools {
  const list = (flag: 'toolsets' | 'tools' | 'exclude-tools', part: keyof Selection, setting: SettingName) => {
    const given = values[flag];
    if (given !== undefined && namesIn(given).length === 0)
      throw new UsageError(`--${flag} needs names`, example(flag));
    const names = namesIn(given ?? String(config.get(setting)));
    const source = given === undefined ? `${setting} (read from ${originOf(setting, config)})` : `--${flag}`;
    return names.length > 0 ? checked(source, part, names) : undefined;
  };
  const selection = {
    toolsets: list('toolsets', 'toolsets', 'mcp.toolsets') as Selection['toolsets'],
    tools: list('tools', 'tools', 'mcp.tools'),
    excludeTools: list('exclude-tools', 'excludeTools', 'mcp.excludeTools'),
  };
  return { selection, readOnly: values['read-only'] === true || config.get('readOnly') };
}

const originOf = (setting: SettingName, config: Config) =>
  config.entries().find(({ name }) => name === setting)?.origin;

const example = (flag: string) => `Write --${flag} A,B, or leave it out.`;

function checked(source: string, part: keyof Selection, names: string[]): string[] {
  try {
    checkSelection({ [part]: names }, tools);
    return names;
  } catch (thrown) {
    if (!(thrown instanceof Failure)) throw thrown;
    throw new UsageError(`${source}: ${thrown.message}`, thrown.instruction);
  }
}
