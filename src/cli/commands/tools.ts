import { parseArgs } from 'node:util';
import { z } from 'zod';
import type { Tool } from '../../tools/define.js';
import { tools } from '../../tools/index.js';
import { type ExitCode, UsageError } from '../command.js';
import { explainTool } from '../explain-tool.js';
import { findTool } from '../find-tool.js';
import { usage } from '../options.js';
import { bold, columns, print } from '../terminal.js';

export async function run(args: string[]): Promise<ExitCode> {
  const { values, positionals } = usage(() =>
    parseArgs({ args, options: { json: { type: 'boolean' } }, allowPositionals: true }),
  );
  const extra = positionals[1];
  if (extra !== undefined)
    throw new UsageError(`Unexpected word '${extra}'`, 'Name one tool, or none for all of them.');
  const chosen = positionals[0] === undefined ? undefined : findTool(positionals[0]);
  if (values.json) print(JSON.stringify(chosen ? description(chosen) : tools.map(description), null, 2));
  else print(chosen ? explainTool(chosen) : listing());
  return 0;
}

function listing(): string {
  const toolsets = [...new Set(tools.map((tool) => tool.toolset))];
  const parts = toolsets.map((toolset) => {
    const rows = tools
      .filter((tool) => tool.toolset === toolset)
      .map((tool) => [`  ${tool.name}`, firstSentence(tool)]);
    return `${bold(toolset)}\n${columns(rows)}`;
  });
  return `${parts.join('\n\n')}\n\nType ai-assist tools NAME to see the arguments of one.`;
}

const firstSentence = ({ summary }: Tool) => summary.split(/(?<=\.)\s/)[0] as string;

function description(tool: Tool) {
  const { name, toolset, summary, effect, role } = tool;
  return {
    name,
    toolset,
    summary,
    effect,
    role,
    input: z.toJSONSchema(tool.input, { io: 'input' }),
    output: z.toJSONSchema(tool.output),
  };
}
