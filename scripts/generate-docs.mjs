// @ts-check
// Writes docs/tools.md from the table of tools, and the made parts of the README. With --check it only says whether
// they are current.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { z } from 'zod';
import { errorTypes } from '../dist/errors.js';
import { tools } from '../dist/tools/index.js';
import { runExample } from './example-library.mjs';
import { readmeWith } from './readme.mjs';

/** @typedef {import('../dist/tools/define.js').Tool} Tool */
/**
 * @typedef {{
 *   type?: string | string[], description?: string, enum?: unknown[], const?: unknown, anyOf?: Schema[], items?: Schema,
 *   properties?: Record<string, Schema>, required?: string[], minimum?: number, maximum?: number
 * }} Schema
 */
/** @typedef {{ name: string, schema: Schema, required: boolean }} Argument */

const root = path.dirname(import.meta.dirname);
const common = ['version', 'idempotencyKey', 'dryRun'];
const everyCall = ['invalid_argument', 'forbidden', 'rate_limited', 'internal'];
const effects = { read: 'reads only', write: 'changes something', destroy: 'removes something' };
const versionRules = { none: 'takes none', optional: 'optional', required: 'required' };

/** @param {string} name */
const code = (name) => `\`${name}\``;

/** @param {string} text */
const cell = (text) => text.replaceAll('|', '\\|').replaceAll('\n', ' ');

/** @param {string[][]} rows */
function table([head = [], ...rows]) {
  const lines = [head, head.map(() => '---'), ...rows];
  return lines.map((row) => `| ${row.map(cell).join(' | ')} |`).join('\n');
}

/** @param {unknown} value */
const json = (value) => `\`\`\`json\n${JSON.stringify(value, null, 2)}\n\`\`\``;

/**
 * @param {Schema} schema
 * @returns {string}
 */
function typeName(schema) {
  if (schema.const !== undefined) return code(JSON.stringify(schema.const));
  if (schema.enum) return schema.enum.map((choice) => code(String(choice))).join(', ');
  if (schema.anyOf) return schema.anyOf.map(typeName).join(' or ');
  if (Array.isArray(schema.type)) return schema.type.join(' or ');
  if (schema.type === 'array') return `list of ${typeName(schema.items ?? {})}`;
  return `${schema.type ?? 'any JSON'}${range(schema)}`;
}

/** @param {Schema} schema */
function range({ minimum, maximum }) {
  // Whole numbers without a limit of ours carry the largest safe one.
  const least = minimum === undefined || minimum === Number.MIN_SAFE_INTEGER ? '' : ` from ${minimum}`;
  const most = maximum === undefined || maximum === Number.MAX_SAFE_INTEGER ? '' : ` to ${maximum}`;
  return least + most;
}

/**
 * The arguments of an object, with those of the objects in it as `outer.inner`.
 * @param {Schema} schema
 * @param {string} [prefix]
 * @returns {Argument[]}
 */
function argumentsOf(schema, prefix = '') {
  const { properties = {}, required = [], items } = schema;
  if (items) return argumentsOf(items, `${prefix.slice(0, -1)}[].`);
  return Object.entries(properties).flatMap(([name, inner]) => [
    { name: prefix + name, schema: inner, required: required.includes(name) },
    ...argumentsOf(inner, `${prefix}${name}.`),
  ]);
}

/** @param {Argument[]} list */
function argumentTable(list) {
  const head = ['argument', 'type', 'required', 'description'];
  const rows = list.map(({ name, schema, required }) => [
    code(name),
    typeName(schema),
    required ? 'yes' : 'no',
    schema.description ?? '',
  ]);
  return table([head, ...rows]);
}

/** @param {Tool} tool */
const allArguments = (tool) => argumentsOf(/** @type {Schema} */ (z.toJSONSchema(tool.input, { io: 'input' })));

/** @param {Tool} tool */
function argumentSection(tool) {
  const all = allArguments(tool);
  const own = all.filter(({ name }) => !common.includes(name));
  const shared = all.filter(({ name }) => common.includes(name)).map(({ name }) => code(name));
  const parts = own.length > 0 ? [argumentTable(own)] : ['It takes no arguments of its own.'];
  if (shared.length > 0) parts.push(`Common arguments: ${shared.join(', ')}.`);
  return parts.join('\n\n');
}

/** @param {Tool} tool */
function failureLine({ errors }) {
  const own = errors.length > 0 ? `${errors.map(code).join(', ')}, and those of every call` : 'those of every call';
  return `Failures: ${own}.`;
}

/** @param {Tool} tool */
async function toolSection(tool) {
  const { input, answer } = await runExample(tool);
  if (!answer.success) throw new Error(`The example of ${tool.name} fails: ${answer.error}`);
  return [
    `### ${tool.name}`,
    tool.summary,
    `Effect: ${effects[tool.effect]}. Toolset: ${tool.toolset}. Role: ${tool.role}. Version: ${versionRules[tool.versionRule]}.`,
    argumentSection(tool),
    'Example:',
    json(input),
    'Answer:',
    json(answer),
    failureLine(tool),
  ].join('\n\n');
}

function commonSection() {
  const changing = tools.find((tool) => tool.effect !== 'read');
  const described = changing ? allArguments(changing).filter(({ name }) => common.includes(name)) : [];
  return `## Common arguments

Every tool that changes something takes these, and no other tool does. A tool whose version is required answers \`conflict\` without one.

${argumentTable(described)}`;
}

function failureSection() {
  const rows = Object.entries(errorTypes).map(([type, instruction]) => [code(type), instruction]);
  return `## Failures

A failed call answers \`success: false\` with \`error\` (for people), \`error_type\` (one of those below) and \`instruction\` (what to do next). Where a failure has no better instruction, it has the one of its type. Every call can give ${everyCall.map(code).join(', ')}. A change with a version that is out of date gives \`conflict\`, with \`currentVersion\`.

${table([['type', 'instruction'], ...rows])}`;
}

function contents() {
  const rows = tools.map(({ name, toolset, effect, role }) => [
    `[${code(name)}](#${name})`,
    toolset,
    effects[effect],
    role,
  ]);
  return table([['tool', 'toolset', 'effect', 'role'], ...rows]);
}

async function document() {
  const parts = [
    '# Tools',
    'This page is made from the table of tools by `npm run docs`; do not edit it. Every answer below is real: it was given by a small example library: `library` > `projects` > `guides` > `style` (a note, with the tag `draft`), and `library` > `archive` (with the bookmark `inbox`), with a snapshot `start`. Each example has a fresh one.',
    contents(),
    commonSection(),
    failureSection(),
  ];
  for (const toolset of new Set(tools.map((tool) => tool.toolset))) {
    parts.push(`## Toolset ${toolset}`);
    for (const tool of tools.filter((candidate) => candidate.toolset === toolset)) parts.push(await toolSection(tool));
  }
  return `${parts.join('\n\n')}\n`;
}

/**
 * The formatter checks these pages like every other file, so it has the last word on tables and JSON.
 * @param {string} name
 * @param {string} text
 */
function formatted(name, text) {
  const biome = createRequire(import.meta.url).resolve('@biomejs/biome/bin/biome');
  const args = [biome, 'format', `--stdin-file-path=${name}`];
  return execFileSync(process.execPath, args, { cwd: root, input: text, encoding: 'utf8' });
}

/**
 * Writes a page, or with --check says that it is not what it should be.
 * @param {string} name
 * @param {(current: string) => string | Promise<string>} make
 */
async function keepCurrent(name, make) {
  const file = path.join(root, name);
  const current = existsSync(file) ? readFileSync(file, 'utf8') : '';
  const wanted = formatted(name, await make(current));
  if (!process.argv.includes('--check')) writeFileSync(file, wanted);
  else if (current !== wanted) {
    console.error(`${name} is out of date. Run npm run docs`);
    process.exitCode = 1;
  }
}

await keepCurrent('docs/tools.md', document);
await keepCurrent('README.md', readmeWith);
