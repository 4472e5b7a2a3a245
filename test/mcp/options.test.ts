/** The options of `ai-assist mcp`. */
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { tools } from '../../src/tools/index.js';
import { callOver, mcpClient, pipeToServer, toolNames } from '../support/mcp.js';
import { cli, scratchEnv, scratchFolder } from '../support/scratch.js';

type Shown = { args?: string[]; env?: Record<string, string>; are: (tool: (typeof tools)[number]) => boolean };

const isRead = ({ effect, role }: (typeof tools)[number]) => effect === 'read' && role === 'reader';
const forEditors = ({ role }: (typeof tools)[number]) => role !== 'owner';

/** For each way to start the server: which tools are shown. */
const starts: Record<string, Shown> = {
  'no option': { are: forEditors },
  '--role reader': { args: ['--role', 'reader'], are: isRead },
  '--role editor': { args: ['--role', 'editor'], are: forEditors },
  '--role owner': { args: ['--role', 'owner'], are: () => true },
  'AI_ASSIST_ROLE=reader': { env: { AI_ASSIST_ROLE: 'reader' }, are: isRead },
  'AI_ASSIST_ROLE=owner': { env: { AI_ASSIST_ROLE: 'owner' }, are: () => true },
  '--role over AI_ASSIST_ROLE': { args: ['--role', 'reader'], env: { AI_ASSIST_ROLE: 'owner' }, are: isRead },
  '--read-only': { args: ['--read-only'], are: isRead },
  '--read-only for an owner': { args: ['--read-only', '--role', 'owner'], are: ({ effect }) => effect === 'read' },
  'AI_ASSIST_READ_ONLY=true': { env: { AI_ASSIST_READ_ONLY: 'true' }, are: isRead },
  '--toolsets folders': { args: ['--toolsets', 'folders'], are: ({ toolset }) => toolset === 'folders' },
  '--toolsets audit for an owner': {
    args: ['--toolsets', 'audit', '--role', 'owner'],
    are: ({ toolset }) => toolset === 'audit',
  },
  '--toolsets folders,audit': {
    args: ['--toolsets', 'folders, audit', '--role', 'owner'],
    are: ({ toolset }) => toolset === 'folders' || toolset === 'audit',
  },
  '--toolsets all': { args: ['--toolsets', 'all', '--role', 'owner'], are: () => true },
};

test.each(Object.keys(starts))('G75 with %s the right tools are shown, and the others refused', async (start) => {
  const { args = [], env = {}, are } = starts[start] as Shown;
  const client = await mcpClient({ args, env: scratchEnv(scratchFolder(), env) });
  expect(await toolNames(client)).toEqual(tools.filter(are).map((tool) => tool.name));
  for (const tool of tools.filter((candidate) => !are(candidate))) {
    expect(await callOver(client, tool.name, tool.example.input), tool.name).toMatchObject({ error_type: 'forbidden' });
  }
});

test('G75 a role in the configuration file counts for the server', async () => {
  const folder = scratchFolder();
  const env = scratchEnv(folder, { XDG_CONFIG_HOME: path.join(folder, 'settings') });
  const config = path.join(folder, 'settings', 'ai-assist');
  mkdirSync(config, { recursive: true });
  writeFileSync(path.join(config, 'config.json'), '{ "agent": { "role": "reader" } }');
  expect(await toolNames(await mcpClient({ env }))).toEqual(tools.filter(isRead).map((tool) => tool.name));
});

test('G75 a read-only server changes nothing and still reads', async () => {
  const env = scratchEnv(scratchFolder());
  await cli(['tool', 'add_folder', '--name', 'Work'], env);
  const client = await mcpClient({ args: ['--read-only'], env });
  expect(await callOver(client, 'remove_folder', { name: 'Work' })).toMatchObject({ error_type: 'forbidden' });
  expect(await callOver(client, 'list_folders', {})).toMatchObject({ folders: [{ name: 'Work' }] });
});

type Logged = { agent: string; role: string; door: string; tool: string };

test('G75 --agent is the name in the audit log, beside the role and the door', async () => {
  const env = scratchEnv(scratchFolder());
  const client = await mcpClient({ args: ['--agent', 'ada'], env });
  await callOver(client, 'add_folder', { name: 'Work' });
  await client.close();
  const { stdout } = await cli(['audit', 'list', '--agent', 'ada', '--json'], env);
  const [entry] = (JSON.parse(stdout) as { entries: Logged[] }).entries;
  expect(entry).toMatchObject({ agent: 'ada', role: 'editor', door: 'mcp', tool: 'add_folder' });
});

test('G75 two agents have keys of their own', async () => {
  const env = scratchEnv(scratchFolder());
  const add = async (agent: string) => {
    const client = await mcpClient({ args: ['--agent', agent], env });
    return callOver(client, 'add_folder', { name: 'Work', idempotencyKey: 'k' });
  };
  const [first, again, other] = [await add('ada'), await add('ada'), await add('ben')];
  expect(again).toEqual(first);
  expect(other).toMatchObject({ success: true });
  expect(other.id).not.toBe(first.id);
});

const mistakes: Record<string, string[]> = {
  'an unknown role': ['--role', 'king'],
  'an unknown toolset': ['--toolsets', 'folders,nothing'],
  'an empty toolset': ['--toolsets', ''],
  'an unknown option': ['--rol', 'owner'],
  'a missing value': ['--role'],
};

test.each(Object.keys(mistakes))('G61 G75 %s ends the server with 2 before it serves', async (mistake) => {
  const server = await pipeToServer([], { args: mistakes[mistake] as string[] });
  expect(server).toMatchObject({ code: 2, stdout: '' });
  expect(server.stderr).toMatch(/^Error: .+\nNext: {2}.+\n$/);
});
