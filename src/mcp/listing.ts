/** A tool as MCP lists it. Built once for each tool, whatever the number of connections. */
import type { Tool as McpTool } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { errorTypes } from '../errors.js';
import type { Tool } from '../tools/define.js';

const known = new WeakMap<Tool, McpTool>();

export function listed(tool: Tool): McpTool {
  const earlier = known.get(tool);
  if (earlier) return earlier;
  const entry = describe(tool);
  known.set(tool, entry);
  return entry;
}

function describe(tool: Tool): McpTool {
  return {
    name: tool.name,
    title: titleOf(tool.name),
    description: tool.summary,
    inputSchema: plainSchema(z.toJSONSchema(tool.input, { io: 'input' })) as McpTool['inputSchema'],
    outputSchema: plainSchema(z.toJSONSchema(envelopeOf(tool))) as McpTool['outputSchema'],
    annotations: {
      title: titleOf(tool.name),
      readOnlyHint: tool.effect === 'read',
      destructiveHint: tool.effect === 'destroy',
      idempotentHint: tool.effect === 'read',
      openWorldHint: tool.outside,
    },
  };
}

/** Success and failure in one object: some clients take no alternatives at the root of a schema. */
function envelopeOf(tool: Tool) {
  return z
    .object({
      success: z.boolean(),
      ...tool.output.partial().shape,
      error: z.string().optional().describe('What went wrong, for people.'),
      error_type: z.enum(Object.keys(errorTypes)).optional(),
      instruction: z.string().optional().describe('What to do next.'),
    })
    .loose();
}

/** The schema in the words that every client understands: no lists of types, no empty schemas as permission. */
function plainSchema(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(plainSchema);
  if (typeof schema !== 'object' || schema === null) return schema;
  const { type, additionalProperties, ...rest } = schema as Record<string, unknown>;
  const plain = Object.fromEntries(Object.entries(rest).map(([key, value]) => [key, plainSchema(value)]));
  const open = typeof additionalProperties === 'object' && Object.keys(additionalProperties as object).length === 0;
  return {
    ...(Array.isArray(type)
      ? { anyOf: type.map((one) => ({ type: one })) }
      : type !== undefined && { type: plainSchema(type) }),
    ...plain,
    ...(additionalProperties !== undefined && {
      additionalProperties: open ? true : plainSchema(additionalProperties),
    }),
  };
}

const titleOf = (name: string) => name.charAt(0).toUpperCase() + name.slice(1).replaceAll('_', ' ');
