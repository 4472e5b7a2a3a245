/** Nodes of the library as resources, through real clients of both eras. */
import type { Client } from '@modelcontextprotocol/client';
import { expect, test } from 'vitest';
import { callOver, type Era, mcpClient, nearClient } from '../support/mcp.js';
import { cli, scratchEnv, scratchFolder } from '../support/scratch.js';

const eras: Era[] = ['legacy', 'modern'];

/** Work > Guides, and a bookmark for Guides. */
async function filled(client: Client) {
  const work = await callOver(client, 'add_folder', { name: 'Work' });
  const position = { placement: 'ending', relativeTo: work.id };
  const guides = await callOver(client, 'add_folder', { name: 'Guides', position });
  await callOver(client, 'bookmark', { nodeId: guides.id, label: 'read first', version: guides.version });
  return { work: String(work.id), guides: String(guides.id) };
}

async function content(client: Client, uri: string) {
  const { contents } = await client.readResource({ uri });
  const [first] = contents as { text: string; mimeType: string; uri: string }[];
  expect(first).toMatchObject({ uri, mimeType: 'application/json' });
  return JSON.parse(first?.text ?? '') as Record<string, unknown>;
}

test.each(eras)('M100 M101 in the %s era a node is read by id, path and bookmark', async (era) => {
  const client = await mcpClient({ era, args: ['--toolsets', 'all'] });
  const { work, guides } = await filled(client);
  const { resourceTemplates } = await client.listResourceTemplates();
  expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual(
    expect.arrayContaining(['tree://node/{nodeId}', 'tree://path/{+path}', 'tree://bookmark/{label}']),
  );
  const { resources } = await client.listResources();
  expect(resources.map(({ uri }) => uri)).toEqual(
    expect.arrayContaining(['tree://node/library', 'tree://bookmark/read%20first', `tree://node/${work}`]),
  );

  const node = await content(client, `tree://node/${guides}`);
  expect(node).toMatchObject({
    nodeId: guides,
    payloadType: 'folder',
    payload: { name: 'Guides' },
    path: ['library', 'Work', 'Guides'],
    tags: [],
    children: [],
    version: 'r3',
  });
  expect(await content(client, 'tree://path/Work/Guides')).toEqual(node);
  expect(await content(client, 'tree://bookmark/read%20first')).toEqual(node);
  await expect(client.readResource({ uri: 'tree://node/none' })).rejects.toMatchObject({ code: expect.any(Number) });
  expect(await content(client, `tree://node/${work}`)).toMatchObject({
    children: [{ nodeId: guides, name: 'Guides', uri: `tree://node/${guides}` }],
  });
});

const names = ['a/b', 'say "hi"', 'back\\slash', 'new\nline', "it's [x] > y", 'äöü 漢字 🙂', '%41', 'two  spaces', '*'];

test('M102 a path that fits several nodes is refused with an id', async () => {
  const client = await nearClient();
  const first = await callOver(client, 'add_folder', { name: 'Twin' });
  await callOver(client, 'add_folder', { name: 'Twin' });
  await expect(client.readResource({ uri: 'tree://path/Twin' })).rejects.toThrow(`tree://node/${first.id}`);
});

const wrong = [
  'tree://node/none',
  'tree://node/',
  'tree://node/a/b',
  'tree://bookmark/none',
  'tree://path/None/Nowhere',
  'tree://path/%E0%A4%A',
  'tree://else/library',
  'tree://',
  'other://thing',
  '',
];

test('M103 an address that stands for nothing is a protocol error', async () => {
  const client = await nearClient();
  for (const uri of wrong)
    await expect(client.readResource({ uri }), uri).rejects.toMatchObject({ code: expect.any(Number) });
  await expect(client.readResource({ uri: 'tree://else/x' })).rejects.toThrow('tree://node/{nodeId}');
});

test('M104 variables of templates are completed', async () => {
  const client = await nearClient();
  const { work, guides } = await filled(client);
  const values = async (uri: string, name: string, value: string) =>
    (await client.complete({ ref: { type: 'ref/resource', uri }, argument: { name, value } })).completion.values;
  expect(await values('tree://path/{+path}', 'path', 'wo')).toEqual(['Work']);
  expect(await values('tree://path/{+path}', 'path', 'Work/')).toEqual(['Work/Guides']);
  expect(await values('tree://path/{+path}', 'path', 'None/')).toEqual([]);
  expect(await values('tree://bookmark/{label}', 'label', 'Read')).toEqual(['read first']);
  expect(await values('tree://node/{nodeId}', 'nodeId', 'Guid')).toEqual([guides]);
  expect(await values('tree://node/{nodeId}', 'nodeId', work)).toEqual([work]);
  expect(await values('tree://node/{nodeId}', 'nodeId', '')).toEqual(['library', work]);
  expect(await values('tree://node/{nodeId}', 'else', 'x')).toEqual([]);
  await expect(values('none://{x}', 'x', '')).rejects.toThrow('none://{x}');
});

/** Reads by selectors, and by the daily tools alone. */
const ways = { 'all tools': undefined, 'the default tools': ['default'] as const };

test.each(Object.entries(ways))('M102 M108 with %s, resources by id and by path are the same', async (_, toolsets) => {
  const client = await nearClient(toolsets ? { toolsets } : {});
  const work = await callOver(client, 'add_folder', { name: 'Work' });
  const position = { placement: 'ending', relativeTo: work.id };
  const guides = await callOver(client, 'add_folder', { name: 'Guides', position });
  await callOver(client, 'add_folder', { name: 'Guides' });
  for (const name of names) await callOver(client, 'add_folder', { name });

  expect(await content(client, 'tree://path/Work')).toMatchObject({
    nodeId: work.id,
    path: ['library', 'Work'],
    children: [{ nodeId: guides.id, name: 'Guides' }],
  });
  expect(await content(client, 'tree://path/Work/Guides')).toMatchObject({
    nodeId: guides.id,
    path: ['library', 'Work', 'Guides'],
    children: [],
  });
  for (const name of names) {
    const found = await content(client, `tree://path/${encodeURIComponent(name)}`);
    expect(found, name).toMatchObject({ payload: { name } });
  }
  await expect(client.readResource({ uri: 'tree://path/Nowhere' })).rejects.toThrow('is not there');
  const values = async (uri: string, name: string, value: string) =>
    (await client.complete({ ref: { type: 'ref/resource', uri }, argument: { name, value } })).completion.values;
  expect(await values('tree://path/{+path}', 'path', 'Work/g')).toEqual(['Work/Guides']);
  expect(await values('tree://node/{nodeId}', 'nodeId', 'Wor')).toEqual([work.id]);
});

test('M108 a session without the tree has no resources of it', async () => {
  const client = await nearClient({ toolsets: ['folders'] });
  expect(client.getServerCapabilities()?.resources).toBeUndefined();
});

test('M108 reads pass the guard and are recorded', async () => {
  const env = scratchEnv(scratchFolder());
  const client = await mcpClient({ env, args: ['--agent', 'ada'] });
  await client.readResource({ uri: 'tree://node/library' });
  await client.close();
  const { stdout } = await cli(['audit', 'list', '--agent', 'ada', '--json'], env);
  expect(stdout).toContain('get_node');
});
