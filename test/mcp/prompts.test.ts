/** The prompts with what they carry, and the instructions. */
import type { Client } from '@modelcontextprotocol/client';
import { expect, test } from 'vitest';
import { tools } from '../../src/tools/index.js';
import { folderWith } from '../support/files.js';
import { callOver, type Era, mcpClient, nearClient } from '../support/mcp.js';

const all = ['find_and_cite', 'build_context_pack', 'review_change', 'tidy_folder'];
const names = async (client: Client) => (await client.listPrompts()).prompts.map(({ name }) => name);

async function textOf(client: Client, name: string, given: Record<string, string>): Promise<string> {
  const { messages } = await client.getPrompt({ name, arguments: given });
  expect(messages).toHaveLength(1);
  const [message] = messages;
  return message?.content.type === 'text' ? message.content.text : '';
}

/** A project with one synced guide, and two folders with a snapshot between them. */
async function filled(options = {}): Promise<Client> {
  const project = folderWith({
    'docs/guide.md': '# Guide\n\n## Names\n\nNames of folders are short.\n',
    'context.json': '{"collections":{"docs":{"type":"file","path":"./docs"}}}',
  });
  const client = await nearClient({ project, ...options });
  await callOver(client, 'collection_sync', { name: 'docs' });
  const { version } = await callOver(client, 'add_folder', { name: 'Work' });
  await callOver(client, 'snapshot_create', { label: 'Monday', version });
  await callOver(client, 'add_folder', { name: 'Home' });
  return client;
}

test.each(['legacy', 'modern'] satisfies Era[])(
  'M110 in the %s era the prompts are listed with their arguments',
  async (era) => {
    const client = await mcpClient({ era });
    const { prompts } = await client.listPrompts();
    expect(prompts.map(({ name }) => name)).toEqual(all);
    for (const prompt of prompts) {
      expect(prompt).toMatchObject({ title: expect.any(String), description: expect.stringMatching(/\.$/) });
      expect(prompt.arguments?.length).toBeGreaterThan(0);
    }
  },
);

test('M110 a prompt is listed only where the session has its tools', async () => {
  expect(await names(await nearClient({ toolsets: ['context'] }))).toEqual(['find_and_cite', 'build_context_pack']);
  expect(await names(await nearClient({ toolsets: ['folders'] }))).toEqual(['tidy_folder']);
  expect(await names(await nearClient({ role: 'reader' }))).toEqual([
    'find_and_cite',
    'build_context_pack',
    'review_change',
  ]);
  expect((await nearClient({ toolsets: ['documents'] })).getServerCapabilities()?.prompts).toBeUndefined();
});

test('M111 each prompt carries the data that it begins with', async () => {
  const client = await filled();
  expect(await textOf(client, 'find_and_cite', { question: 'folder names' })).toContain('guide.md');
  const pack = await textOf(client, 'build_context_pack', {
    task: 'name folders',
    maxTokens: '500',
    collection: 'docs',
  });
  expect(pack).toContain('at most 500 tokens');
  expect(pack).toContain('guide.md');
  const review = await textOf(client, 'review_change', { from: 'Monday' });
  expect(review).toContain('Home');
  expect(review).not.toContain('"Work"');
  const tidy = await textOf(client, 'tidy_folder', { folder: 'library' });
  expect(tidy).toContain('Home');
  expect(await textOf(client, 'tidy_folder', { folder: 'Work' })).not.toContain('Home');
});

test('M111 a prompt names only tools that the session has', async () => {
  const known = new Set(tools.map(({ name }) => name));
  const client = await filled({ toolsets: ['context', 'folders', 'tree', 'tree-advanced'] });
  const offered = new Set((await client.listTools()).tools.map(({ name }) => name));
  const few = await nearClient({ toolsets: ['folders'] });
  await callOver(few, 'add_folder', { name: 'Work' });
  const text = await textOf(few, 'tidy_folder', { folder: 'Work' });
  expect(text).not.toMatch(/snapshot_|get_subtree/);
  const review = await textOf(client, 'review_change', { from: 'Monday', to: 'now' });
  const named = review.match(/\b[a-z]+_[a-z_]+\b/g) ?? [];
  for (const word of named.filter((name) => known.has(name))) expect(offered).toContain(word);
});

const bad: [string, Record<string, string>, string][] = [
  ['find_and_cite', {}, 'question'],
  ['find_and_cite', { question: '  ' }, 'question'],
  ['find_and_cite', { question: 'x', collection: 'none' }, 'none'],
  ['build_context_pack', { task: 'x', maxTokens: 'many' }, 'many'],
  ['build_context_pack', { task: 'x', maxTokens: '0' }, '0'],
  ['review_change', { from: 'never' }, 'never'],
  ['tidy_folder', { folder: 'nowhere' }, 'nowhere'],
  ['tidy_folder', { folder: 'library', depth: '2' }, 'depth'],
  ['unknown', {}, 'unknown'],
  ['__proto__', {}, '__proto__'],
];

test('M112 a missing, unknown or wrong argument is a protocol error that names it', async () => {
  const client = await filled();
  for (const [name, given, word] of bad) {
    const get = client.getPrompt({ name, arguments: given });
    await expect(get, JSON.stringify([name, given])).rejects.toMatchObject({ code: -32602 });
    await expect(get).rejects.toThrow(word);
  }
});

test('M112 a name that several folders have is refused, an id is not', async () => {
  const client = await nearClient();
  const first = await callOver(client, 'add_folder', { name: 'Twin' });
  await callOver(client, 'add_folder', { name: 'Twin' });
  await expect(client.getPrompt({ name: 'tidy_folder', arguments: { folder: 'Twin' } })).rejects.toThrow('several');
  expect(await textOf(client, 'tidy_folder', { folder: String(first.id) })).toContain('Twin');
});

test('M113 arguments of prompts are completed', async () => {
  const client = await filled();
  const values = async (name: string, argument: string, value: string) => {
    const ref = { type: 'ref/prompt' as const, name };
    return (await client.complete({ ref, argument: { name: argument, value } })).completion.values;
  };
  expect(await values('review_change', 'from', 'mon')).toEqual(['Monday']);
  expect(await values('review_change', 'to', '')).toEqual(['now', 'Monday']);
  expect(await values('tidy_folder', 'folder', 'o')).toEqual(['Work', 'Home']);
  expect(await values('find_and_cite', 'collection', 'd')).toEqual(['docs']);
  expect(await values('find_and_cite', 'question', 'd')).toEqual([]);
  await expect(values('none', 'x', '')).rejects.toThrow('none');
});

test.each([undefined, ['folders'], ['context'], ['documents', 'tree']] as const)(
  'M114 the instructions for %j name only tools that are there, in a few lines',
  async (toolsets) => {
    const client = await nearClient(toolsets ? { toolsets } : {});
    const instructions = client.getInstructions() ?? '';
    const known = new Set(tools.map(({ name }) => name));
    const offered = new Set((await client.listTools()).tools.map(({ name }) => name));
    const named = (instructions.match(/\b[a-z]+(?:_[a-z]+)+\b/g) ?? []).filter((word) => known.has(word));
    for (const word of named) expect(offered).toContain(word);
    expect(instructions.split('\n').length).toBeLessThan(12);
    expect(instructions).toContain('version');
  },
);
