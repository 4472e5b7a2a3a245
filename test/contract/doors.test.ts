/** Every tool of the table, through every door, with the same envelope. */
import { copyFileSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { Client, InMemoryTransport } from '@modelcontextprotocol/client';
import { expect, expectTypeOf, test } from 'vitest';
import { exampleIds, fillExampleLibrary, makeExampleProject, prepareExample } from '../../scripts/example-library.mjs';
import { mcpServer } from '../../src/mcp/server.js';
import type { Tool } from '../../src/tools/define.js';
import { tools } from '../../src/tools/index.js';
import { type Envelope, openWorkspace, type Session } from '../../src/workspace.js';
import { mcpClient } from '../support/mcp.js';
import { cli, scratchEnv, scratchFolder, scratchWorkspace } from '../support/scratch.js';

type ExampleLibrary = { folder: string; file: string; version: string; project: string };

/** The library that the examples of the tools speak of, after the calls that an example builds on. */
async function exampleLibrary(tool?: Tool): Promise<ExampleLibrary> {
  const folder = scratchFolder();
  const project = path.join(folder, 'project');
  makeExampleProject(project);
  const settings = { 'audit.reads': false };
  const workspace = await openWorkspace({ env: scratchEnv(folder), settings, newId: exampleIds() });
  const session = workspace.session({ agent: 'ada', project });
  await fillExampleLibrary(session);
  if (tool) await prepareExample(session, tool);
  const { version } = await session.callUntyped('list_folders', {});
  await workspace.close();
  return { folder, file: workspace.location, version: String(version), project };
}

/** A copy of the library in a folder of its own, and the environment that leads there. */
function copyOf({ file }: ExampleLibrary): NodeJS.ProcessEnv {
  const folder = scratchFolder();
  const target = path.join(folder, 'data', 'ai-assist', 'library.db');
  mkdirSync(path.dirname(target), { recursive: true });
  copyFileSync(file, target);
  return scratchEnv(folder, {
    AI_ASSIST_AGENT: 'ada',
    AI_ASSIST_CALLS_PER_MINUTE: '0',
    AI_ASSIST_AUDIT_READS: 'no',
    // A server would make vectors meanwhile, and answer differently.
    AI_ASSIST_EMBEDDER: 'none',
  });
}

type Door = (name: string, input: Record<string, unknown>) => Promise<Envelope>;
type OpenDoor = (env: NodeJS.ProcessEnv, project: string) => Promise<Door>;

function overMcp(client: Client): Door {
  return async (name, input) => {
    const result = await client.callTool({ name, arguments: input });
    const envelope = result.structuredContent as Envelope;
    expect(result.content).toEqual([{ type: 'text', text: JSON.stringify(envelope) }]);
    expect(result.isError ?? false).toBe(!envelope.success);
    return envelope;
  };
}

/** A server in a process of its own. The tools that change something meet the same server without one: it is quicker. */
const mcpProcess: OpenDoor = async (env, project) =>
  overMcp(await mcpClient({ args: ['--role', 'owner', '--agent', 'ada', '--project', project], env }));

const doors = {
  library: async (env, project) => {
    const workspace = await scratchWorkspace({ env });
    const session = workspace.session({ agent: 'ada', project });
    return (name, input) => session.callUntyped(name, input);
  },
  'command line': async (env, project) => async (name, input) => {
    const args = ['tool', name, '--input', JSON.stringify(input), '--json'];
    const { code, stdout } = await cli(args, env, '', project);
    const envelope = JSON.parse(stdout) as Envelope;
    expect(code).toBe(envelope.success ? 0 : 1);
    return envelope;
  },
  mcp: async (env, project) => {
    const workspace = await scratchWorkspace({ env });
    const [near, far] = InMemoryTransport.createLinkedPair();
    await mcpServer(workspace.session({ agent: 'ada', project, door: 'mcp' })).connect(far);
    const client = new Client({ name: 'test', version: '1.0.0' });
    await client.connect(near);
    return overMcp(client);
  },
} satisfies Record<string, OpenDoor>;

/** What may differ from door to door: new ids, times, hashes, and the door's own name. */
function comparable(envelope: Envelope): unknown {
  const masked = new Set(['at', 'hash', 'previous', 'door', 'indexedAt', 'lastSyncAt']);
  return JSON.parse(JSON.stringify(envelope), (key, value) => {
    if (masked.has(key)) return '…';
    return typeof value === 'string' && /^[0-9A-Za-z]{13}$/.test(value) ? '(new id)' : value;
  });
}

const inputOf = (tool: Tool, { version }: ExampleLibrary): Record<string, unknown> => ({
  ...tool.example.input,
  ...(tool.versionRule === 'required' && { version }),
});

/** An argument that no tool has is refused by name. */
async function refusesMisspelt(call: Door, tool: Tool, input: Record<string, unknown>): Promise<void> {
  expect(await call(tool.name, { ...input, colour: 'blue' }), tool.name).toMatchObject({
    success: false,
    error: 'colour: unknown argument',
    error_type: 'invalid_argument',
    instruction: expect.stringContaining('Leave it out'),
  });
}

const changesNothing = ({ effect, example }: Tool) => effect === 'read' && example.after === undefined;

test('G1 G2 G4 tools that read answer alike through the library, the command line and MCP', {
  timeout: 300_000,
}, async () => {
  const example = await exampleLibrary();
  const env = copyOf(example);
  const library = await doors.library(env, example.project);
  const commandLine = await doors['command line'](env, example.project);
  const mcp = await mcpProcess(env, example.project);
  for (const tool of tools.filter(changesNothing)) {
    const input = inputOf(tool, example);
    const expected = comparable(await library(tool.name, input));
    expect(expected, tool.name).toMatchObject({ success: true });
    expect(comparable(await commandLine(tool.name, input)), tool.name).toEqual(expected);
    expect(comparable(await mcp(tool.name, input)), tool.name).toEqual(expected);
    await refusesMisspelt(library, tool, input);
    await refusesMisspelt(mcp, tool, input);
  }
});

test.each(tools.filter((tool) => !changesNothing(tool)))(
  'G1 G2 G4 $name answers alike through the library, the command line and MCP',
  async (tool) => {
    const example = await exampleLibrary(tool);
    const input = inputOf(tool, example);
    const answers: unknown[] = [];
    for (const [name, open] of Object.entries(doors)) {
      // What one door changed in the project, the next one must not find.
      makeExampleProject(example.project);
      const call = await open(copyOf(example), example.project);
      if (name !== 'command line') await refusesMisspelt(call, tool, input);
      answers.push(comparable(await call(tool.name, input)));
    }
    const [library, ...others] = answers;
    expect(library).toMatchObject({ success: true });
    for (const other of others) expect(other).toEqual(library);
  },
);

test('G4 the command line refuses an unknown argument like the other doors', async () => {
  const tool = tools.find(({ name }) => name === 'add_folder') as Tool;
  const example = await exampleLibrary();
  const call = await doors['command line'](copyOf(example), example.project);
  await refusesMisspelt(call, tool, inputOf(tool, example));
});

test.each(tools)('G6 $name has the common arguments where something can change, and only there', (tool) => {
  const common = ['version', 'idempotencyKey', 'dryRun'].filter((argument) => argument in tool.input.shape);
  expect(common).toEqual(tool.effect === 'read' ? [] : ['version', 'idempotencyKey', 'dryRun']);
});

test('G4 an unknown argument inside an object is refused by its path', async () => {
  const session = (await scratchWorkspace()).session();
  const input = { name: 'x', position: { placement: 'ending', colour: 'blue' } };
  expect(await session.callUntyped('add_folder', input)).toMatchObject({ error: 'position.colour: unknown argument' });
});

test('G5 errors of parsing read field: message', async () => {
  const session = (await scratchWorkspace()).session();
  const envelope = await session.callUntyped('add_folder', { name: 'x', position: { placement: 'middle' } });
  expect(envelope).toMatchObject({
    error: `position.placement: Invalid option: expected one of "before"|"after"|"beginning"|"ending", received 'middle'`,
  });
});

test('G7 the typed call infers input and output from the name', async () => {
  const session: Session = (await scratchWorkspace()).session();
  const listed = await session.call('list_folders', { status: 'active' });
  if (!listed.success) throw new Error(listed.error);
  expectTypeOf(listed.folders).toEqualTypeOf<
    { id: string; name: string; status: 'active' | 'dropped'; parentId: string | null }[]
  >();
  expectTypeOf(session.call<'add_folder'>)
    .parameter(1)
    .toHaveProperty('idempotencyKey');
  expectTypeOf(session.call<'list_folders'>)
    .parameter(1)
    .not.toHaveProperty('idempotencyKey');
  expect(listed.folders).toEqual([]);
});

test('G8 workspaces in one process do not know of each other', async () => {
  const one = (await scratchWorkspace()).session();
  const two = (await scratchWorkspace({ settings: { database: ':memory:', readOnly: true } })).session();
  expect(await one.call('add_folder', { name: 'x' })).toMatchObject({ success: true, version: 'r1' });
  expect(await two.call('list_folders', {})).toEqual({ success: true, folders: [], version: 'r0' });
  expect(await two.call('add_folder', { name: 'x' })).toMatchObject({ success: false, error_type: 'forbidden' });
  expect(await one.call('add_folder', { name: 'y' })).toMatchObject({ success: true, version: 'r2' });
});
