/** The tool of a name, or the help that a person needs who mistyped it. */
import type { Tool } from '../tools/define.js';
import { tools } from '../tools/index.js';
import { closest } from './closest.js';
import { UsageError } from './command.js';

export function findTool(name: string | undefined): Tool {
  if (name === undefined || name.startsWith('-')) {
    throw new UsageError('The name of a tool is missing', "Type 'ai-assist tools' to see the tools.");
  }
  const tool = tools.find((candidate) => candidate.name === name);
  if (tool) return tool;
  const near = closest(
    name.replaceAll('-', '_'),
    tools.map((candidate) => candidate.name),
  );
  throw new UsageError(
    `Unknown tool '${name}'`,
    near ? `Did you mean '${near}'?` : "Type 'ai-assist tools' to see the tools.",
  );
}
