/** Step 1: find the tool, and check its input. */
import { notFound } from '../errors.js';
import type { Limits } from '../tools/call.js';
import type { ParsedInput, Tool } from '../tools/define.js';
import { inspectInput } from './inspect.js';

export function findTool(tools: readonly Tool[], name: string): Tool {
  const tool = tools.find((candidate) => candidate.name === name);
  if (!tool) throw notFound`Unknown tool '${name}'`.advise('List the tools to see which there are.');
  return tool;
}

/** The checked input. A call without any input is a call with no arguments. */
export function parseInput(tool: Tool, raw: unknown, limits: Limits): ParsedInput {
  inspectInput(raw, limits, tool.judgesText);
  return tool.parse(raw ?? {});
}
