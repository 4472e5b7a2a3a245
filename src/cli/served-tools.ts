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
  const list = (flag: 'toolsets' | 'tools' | 'exclude-tools', setting: SettingName): string[] | undefined => {
    const given = values[flag];
    if (given !== undefined && namesIn(given).length === 0)
      throw new UsageError(`--${flag} needs names`, example(flag));
    const names = namesIn(given ?? String(config.get(setting)));
    return names.length > 0 ? names : undefined;
  };
  const selection = {
    toolsets: checked('--toolsets', 'toolsets', list('toolsets', 'mcp.toolsets')) as Selection['toolsets'],
    tools: checked('--tools', 'tools', list('tools', 'mcp.tools')),
    excludeTools: checked('--exclude-tools', 'excludeTools', list('exclude-tools', 'mcp.excludeTools')),
  };
  return { selection, readOnly: values['read-only'] === true || config.get('readOnly') };
}

const example = (flag: string) => `Write --${flag} A,B, or leave it out.`;

function checked(flag: string, part: keyof Selection, names: string[] | undefined): string[] | undefined {
  try {
    checkSelection({ [part]: names }, tools);
    return names;
  } catch (thrown) {
    if (!(thrown instanceof Failure)) throw thrown;
    throw new UsageError(`${flag}: ${thrown.message}`, thrown.instruction);
  }
}
