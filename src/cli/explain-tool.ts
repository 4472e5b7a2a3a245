/** A tool explained on one screen: what it does, its flags, an example, its failures. */
import { errorTypes } from '../errors.js';
import type { Tool } from '../tools/define.js';
import { kebab, schemasOf } from './flags.js';
import { bold, columns, wrap } from './terminal.js';

type Described = { type?: string; description?: string; enum?: unknown[]; anyOf?: Described[] };

const effects = { read: 'reads only', write: 'changes something', destroy: 'removes something' };

export function explainTool(tool: Tool): string {
  const schemas = schemasOf(tool) as Record<string, Described>;
  const required = new Set(
    Object.entries(tool.input.shape).flatMap(([name, type]) => (isOptional(type) ? [] : [name])),
  );
  const rows = Object.entries(schemas).map(([name, schema]) => [
    `  --${kebab(name)} ${typeName(schema)}${required.has(name) ? ' (required)' : ''}`,
    wrap(schema.description ?? '', 80),
  ]);
  return [
    `${bold(tool.name)}: ${wrap(tool.summary, 100)}`,
    `It ${effects[tool.effect]}, belongs to the toolset ${tool.toolset}, and needs the role ${tool.role}.`,
    rows.length > 0 ? `${bold('Arguments')}\n${flagList(rows)}` : 'It takes no arguments.',
    `${bold('Example')}\n  ai-assist tool ${tool.name} ${exampleFlags(tool)}`.trimEnd(),
    `${bold('Failures')}\n${columns(failuresOf(tool).map((type) => [`  ${type}`, wrap(errorTypes[type], 80)]))}`,
  ].join('\n\n');
}

function flagList(rows: string[][]): string {
  return rows.map(([flag, description]) => `${flag}\n      ${description?.replaceAll('\n', '\n      ')}`).join('\n');
}

const isOptional = (type: unknown) =>
  (type as { safeParse(value: unknown): { success: boolean } }).safeParse(undefined).success;

function typeName(schema: Described): string {
  if (schema.enum) return schema.enum.join('|');
  if (schema.anyOf) return schema.anyOf.map(typeName).join('|');
  if (schema.type === 'object' || schema.type === 'array') return 'JSON';
  return schema.type ?? 'JSON';
}

const failuresOf = (tool: Tool) => [
  ...new Set([...tool.errors, 'invalid_argument', 'forbidden', 'rate_limited'] as const),
];

function exampleFlags({ example }: Tool): string {
  return Object.entries(example.input)
    .map(
      ([name, value]) =>
        `--${kebab(name)} ${typeof value === 'string' ? quoted(value) : quoted(JSON.stringify(value))}`,
    )
    .join(' ');
}

const quoted = (text: string) => (/^[\w./:-]+$/.test(text) ? text : `'${text}'`);
