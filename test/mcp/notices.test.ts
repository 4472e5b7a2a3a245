/** Notices of changed resources, on real connections, with changes made by other processes. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Client } from '@modelcontextprotocol/client';
import { expect, test, vi } from 'vitest';
import { folderWith } from '../support/files.js';
import { callOver, handshake, mcpClient, modernVersion, pipeToServer, request } from '../support/mcp.js';
import { cli, scratchEnv, scratchFolder, scratchWorkspace } from '../support/scratch.js';

function heardBy(client: Client) {
  const updated: string[] = [];
  let listings = 0;
  client.setNotificationHandler('notifications/resources/updated', ({ params }) => void updated.push(params.uri));
  client.setNotificationHandler('notifications/resources/list_changed', () => {
    listings += 1;
  });
  return { updated, listings: () => listings };
}

test('M105 a subscriber hears of its node, whoever changes it, and of no other', async () => {
  const env = scratchEnv(scratchFolder());
  const client = await mcpClient({ env });
  const heard = heardBy(client);
  const work = await callOver(client, 'add_folder', { name: 'Work' });
  const home = await callOver(client, 'add_folder', { name: 'Home' });
  const uri = `tree://node/${work.id}`;
  await client.subscribeResource({ uri });

  const here = (await scratchWorkspace({ env })).session();
  await here.call('edit_folder', { id: String(home.id), newName: 'House' });
  await here.call('edit_folder', { id: String(work.id), newName: 'Job' });
  await vi.waitFor(() => expect(heard.updated).toEqual([uri]), { timeout: 20_000 });

  await client.unsubscribeResource({ uri });
  await client.subscribeResource({ uri: `tree://node/${home.id}` });
  await callOver(client, 'remove_folder', { id: work.id });
  await callOver(client, 'remove_folder', { id: home.id });
  await vi.waitFor(() => expect(heard.updated).toEqual([uri, `tree://node/${home.id}`]), { timeout: 20_000 });
  expect(heard.listings()).toBeGreaterThan(0);
});

test('M109 a sync is heard by who subscribed to what draws on it, and a new name announces the listing', async () => {
  const folder = folderWith({
    'docs/guide.md': '# Guide\n',
    'other/note.md': '# Note\n',
    'context.json': JSON.stringify({
      collections: { docs: { type: 'file', path: './docs' }, other: { type: 'file', path: './other' } },
      categories: {
        guides: { collection: 'docs', patterns: ['**'] },
        notes: { collection: 'other', patterns: ['**'] },
      },
    }),
  });
  const env = scratchEnv(folder);
  const client = await mcpClient({ env, args: ['--project', folder, '--toolsets', 'all'] });
  const heard = heardBy(client);
  await callOver(client, 'collection_sync', {});
  const drawing = ['context://docs', 'context://docs/guide.md', 'context://guides'];
  for (const uri of [...drawing, 'context://other', 'context://notes']) await client.subscribeResource({ uri });
  writeFileSync(path.join(folder, 'docs/guide.md'), '# Guide\n\nNew.\n');
  expect(await cli(['collections', 'sync', 'docs', '--project', folder], env)).toMatchObject({ code: 0 });
  await vi.waitFor(() => expect([...heard.updated].sort()).toEqual(drawing), { timeout: 20_000 });

  const before = heard.listings();
  await callOver(client, 'category_add', { name: 'fresh', patterns: ['**'] });
  await vi.waitFor(() => expect(heard.listings()).toBeGreaterThan(before), { timeout: 20_000 });
});

test('M106 a listener of the newer era hears the same, and of the listing', async () => {
  const env = scratchEnv(scratchFolder());
  const client = await mcpClient({ env, era: 'modern' });
  const heard = heardBy(client);
  const work = await callOver(client, 'add_folder', { name: 'Work' });
  const uri = `tree://node/${work.id}`;
  await client.listen({ resourceSubscriptions: [uri], resourcesListChanged: true });
  const here = (await scratchWorkspace({ env })).session();
  // The notice begins with the first look at the database, which the acknowledgement does not wait for.
  await vi.waitFor(
    async () => {
      await here.call('edit_folder', { id: String(work.id), newName: `Job ${Date.now()}` });
      expect(heard.updated).toContain(uri);
    },
    { timeout: 20_000, interval: 500 },
  );
  await here.call('add_folder', { name: 'New' });
  await vi.waitFor(() => expect(heard.listings()).toBeGreaterThan(0), { timeout: 20_000 });
  expect(new Set(heard.updated)).toEqual(new Set([uri]));
});

test('M107 a server with listeners and subscribers ends with its input', async () => {
  const who = {
    'io.modelcontextprotocol/protocolVersion': modernVersion,
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1.0.0' },
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const filter = { resourceSubscriptions: ['tree://node/library'] };
  const listen = request(1, 'subscriptions/listen', JSON.stringify({ notifications: filter, _meta: who }));
  expect((await pipeToServer([listen])).code).toBe(0);
  const subscribe = request(1, 'resources/subscribe', '{"uri":"tree://node/library"}');
  const piped = await pipeToServer([...handshake(), subscribe]);
  expect(piped).toMatchObject({ code: 0 });
  expect(piped.answerTo(1).result).toEqual({});
});

test('M107 a watch that ended hears nothing, and a new one begins with now', async () => {
  const workspace = await scratchWorkspace();
  const session = workspace.session();
  const heard: string[][] = [];
  const end = await session.watch(({ nodeIds }) => void heard.push([...nodeIds]));
  await session.call('add_folder', { name: 'One' });
  await vi.waitFor(() => expect(heard).toHaveLength(1), { timeout: 20_000 });
  end();
  await session.call('add_folder', { name: 'Two' });
  const again: string[][] = [];
  await session.watch(({ nodeIds }) => void again.push([...nodeIds]));
  const three = await session.call('add_folder', { name: 'Three' });
  await vi.waitFor(() => expect(again).toHaveLength(1), { timeout: 20_000 });
  expect(again[0]).toContain(three.success && three.id);
  expect(again[0]).toHaveLength(2);
  expect(heard).toHaveLength(1);
});
