/** A tool as MCP lists it. Built once for each tool, whatever the number of connections. */
import type { Tool as McpTool } from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { Tool } from '../tools/define.js';

const known = new WeakMap<Tool, McpTool>();

const listings = new WeakMap<readonly Tool[], McpTool[]>();

/** The listing of a session. Sessions give the same list each time, so this is made once for each of them. */
export function listingOf(tools: readonly Tool[]): McpTool[] {
  const earlier = listings.get(tools);
  if (earlier) return earlier;
  const listing = tools.map(listed);
  listings.set(tools, listing);
  return listing;
}

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
    outputSchema: plainOutput(z.toJSONSchema(envelopeOf(tool))) as McpTool['outputSchema'],
    annotations: {
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
      error: z.string().optional(),
      error_type: z.string().optional(),
      instruction: z.string().optional(),
    })
    .loose();
}

/**
 * The schema in the words that every client understands: no lists of types, no empty schemas as permission.
 * What says nothing is left out, because an agent pays for every word of a listing.
 */
function plainSchema(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(plainSchema);
  if (typeof schema !== 'object' || schema === null) return schema;
  const { type, additionalProperties, ...rest } = schema as Record<string, unknown>;
  const plain = Object.fromEntries(
    Object.entries(rest)
      .filter(([key, value]) => !saysNothing(key, value))
      .map(([key, value]) => [key, key === 'properties' ? plainMembers(value as object) : plainSchema(value)]),
  );
  if (type === undefined && !Object.keys(plain).some((key) => constrains.has(key))) return { ...plain, ...anyValue };
  return {
    ...(Array.isArray(type)
      ? { anyOf: type.map((one) => ({ type: one })) }
      : type !== undefined && { type: plainSchema(type) }),
    ...plain,
    ...(additionalProperties !== undefined &&
      !isOpen(additionalProperties) && { additionalProperties: plainSchema(additionalProperties) }),
  };
}

/**
 * The schema of an answer, as short as it can be: fields are explained, what lies deeper has its name, and below
 * that its type. Agents read answers rather than their schemas; docs/tools.md has every word.
 */
function plainOutput(schema: unknown): unknown {
  const { properties, ...rest } = plainSchema(schema) as { properties: Record<string, { description?: string }> };
  const fields = Object.entries(properties).map(([name, { description, ...field }]) => [
    name,
    { ...(description !== undefined && { description }), ...(outlined(field, LEVELS) as object) },
  ]);
  return { ...rest, properties: Object.fromEntries(fields) };
}

const LEVELS = 1;

/** A schema without descriptions, and without what lies deeper than so many objects. */
function outlined(schema: unknown, levels: number): unknown {
  if (Array.isArray(schema)) return schema.map((one) => outlined(one, levels));
  if (typeof schema !== 'object' || schema === null) return schema;
  const { description: _, additionalProperties, properties, required, ...rest } = schema as Record<string, unknown>;
  const kept = Object.fromEntries(Object.entries(rest).map(([key, value]) => [key, outlined(value, levels)]));
  if (properties === undefined) {
    return {
      ...kept,
      ...(isSchema(additionalProperties) && { additionalProperties: outlined(additionalProperties, levels) }),
    };
  }
  if (levels === 0) return kept;
  const members = Object.entries(properties as object).map(([name, member]) => [name, outlined(member, levels - 1)]);
  return { ...kept, properties: Object.fromEntries(members), ...(required !== undefined && { required }) };
}

const isSchema = (value: unknown) => typeof value === 'object' && value !== null;

/** Keywords that say what a value may be. A schema without any would be open, and some clients refuse those. */
const constrains = new Set(['anyOf', 'oneOf', 'allOf', 'enum', 'const', '$ref', 'not', 'properties', 'items', '$defs']);

const anyValue = {
  anyOf: ['string', 'number', 'boolean', 'object', 'array', 'null'].map((type) => ({ type })),
};

/** The names of properties are no keywords, whatever they are called. */
const plainMembers = (members: object) =>
  Object.fromEntries(Object.entries(members).map(([name, member]) => [name, plainSchema(member)]));

/** Whether anything may stand there, which is so too where nothing is said. */
const isOpen = (schema: unknown) =>
  schema === true || (typeof schema === 'object' && schema !== null && Object.keys(schema).length === 0);

/** The dialect is the protocol's own; numbers end where JavaScript's do; keys of objects are always text. */
function saysNothing(key: string, value: unknown): boolean {
  if (key === '$schema') return true;
  if (key === 'propertyNames') return JSON.stringify(value) === '{"type":"string"}';
  return (key === 'maximum' || key === 'minimum') && Math.abs(value as number) === Number.MAX_SAFE_INTEGER;
}

const titleOf = (name: string) => name.charAt(0).toUpperCase() + name.slice(1).replaceAll('_', ' ');
