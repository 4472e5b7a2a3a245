/** Which tools a session has: toolsets and tools by name, less those that are left out. */
import { plainFailure } from '../errors.js';
import { dailyTools } from './daily.js';
import type { Tool, Toolset } from './define.js';

/** `default` is what daily work needs, `all` is every tool there is. */
export type ToolsetName = Toolset | 'default' | 'all';

export type Selection = {
  toolsets?: readonly ToolsetName[] | undefined;
  /** Single tools, beside the toolsets. Without toolsets: these alone. */
  tools?: readonly string[] | undefined;
  excludeTools?: readonly string[] | undefined;
};

const daily = new Set<string>(dailyTools);

/** A selection that names nothing to have has everything. */
export function isSelected(tool: Tool, { toolsets, tools, excludeTools = [] }: Selection): boolean {
  if (excludeTools.includes(tool.name)) return false;
  if (toolsets === undefined && tools === undefined) return true;
  return (tools?.includes(tool.name) ?? false) || (toolsets?.some((name) => isIn(tool, name)) ?? false);
}

function isIn(tool: Tool, toolset: ToolsetName): boolean {
  if (toolset === 'all') return true;
  return toolset === 'default' ? daily.has(tool.name) : tool.toolset === toolset;
}

/** What an MCP server has where nobody says which tools it shall have. */
export const orDefault = (selection: Selection): Selection =>
  selection.toolsets || selection.tools ? selection : { ...selection, toolsets: ['default'] };

export function toolsetNames(tools: readonly Tool[]): ToolsetName[] {
  return ['default', 'all', ...new Set(tools.map(({ toolset }) => toolset))];
}

/** Refuses names that are no toolset and no tool: a misspelt one would quietly hide tools, or leave them in. */
export function checkSelection(selection: Selection, tools: readonly Tool[]): void {
  const known = toolsetNames(tools);
  const toolset = selection.toolsets?.find((name) => !known.includes(name));
  if (toolset !== undefined) {
    throw plainFailure('invalid_argument', `'${toolset}' is not a toolset`).advise(`Use some of ${known.join(', ')}.`);
  }
  const names = new Set(tools.map(({ name }) => name));
  const tool = [...(selection.tools ?? []), ...(selection.excludeTools ?? [])].find((name) => !names.has(name));
  if (tool === undefined) return;
  throw plainFailure('invalid_argument', `'${tool}' is not a tool`).advise(
    "Type 'ai-assist tools' to see the tools there are.",
  );
}

/** Names that stand in one text, divided by commas. */
export const namesIn = (text: string): string[] =>
  text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
