/** A tool explained on one screen: what it does, its flags, an example, its failures. */
import { errorTypes } from '../errors.js';
import type { Tool } from '../tools/define.js';
import { kebab, schemasOf } from './flags.js';
import { bold, columns, wrap } from './terminal.js';

type Described = {
  type?: string | string[];
  description?: string;
  enum?: unknown[];
  anyOf?: Described[];
  properties?: Record<string, Described>;
  required?: string[];
};

const effects = { read: 'reads only', write: 'changes something', destroy: 'removes something' };

export function explainTool(tool: Tool): string {
  const schemas = schemasOf(tool) as Record<string, Described>;
  const flags = Object.entries(schemas).map(([name, schema]) =>
    flagText(name, schema, !isOptional(tool.input.shape[name])),
  );
  const failures = failuresOf(tool).map((type) => [`  ${type}`, errorTypes[type]]);
  return [
    `${bold(tool.name)}: ${wrap(tool.summary, 100)}`,
    `It ${effects[tool.effect]}, belongs to the toolset ${tool.toolset}, and needs the role ${tool.role}.`,
    flags.length > 0 ? `${bold('Arguments')}\n${flags.join('\n')}` : 'It takes no arguments.',
    `${bold('Example')}\n  ai-assist tool ${tool.name} ${exampleFlags(tool)}`.trimEnd(),
    `${bold('Failures')}\n${columns(failures)}`,
  ].join('\n\n');
}

function flagText(name: string, schema: Described, required: boolean): string {
  const head = `  --${kebab(name)} ${typeName(schema)}${required ? ' (required)' : ''}`;
  const fields = Object.entries(schema.properties ?? {}).map(([field, inner]) => {
    const needed = schema.required?.includes(field) ? ' (required)' : '';
    return `"${field}" ${typeName(inner)}${needed}: ${inner.description ?? ''}`;
  });
  return [head, ...[schema.description ?? '', ...fields].map((text) => `      ${wrap(text, 90, '      ')}`)].join('\n');
}

const isOptional = (type: unknown) =>
  (type as { safeParse(value: unknown): { success: boolean } }).safeParse(undefined).success;

function typeName(schema: Described): string {
  if (schema.enum) return schema.enum.join('|');
  if (Array.isArray(schema.type)) return schema.type.join('|');
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
