/** A workspace by its address: the same typed calls and the same envelopes. */
import { expect, expectTypeOf, test } from 'vitest';
import { connectWorkspace } from '../src/remote.js';
import { folderWith } from './support/files.js';
import { served, tokenFor } from './support/http-mcp.js';

test('M40 a remote session answers what a session does, for success and failure', async () => {
  const server = await served({ requireToken: true });
  const remote = await connectWorkspace(server.url, await tokenFor(server, { agent: 'ada' }));
  const local = server.workspace.session({ agent: 'ada', role: 'editor' });
  const added = await remote.call('add_folder', { name: 'Work' });
  if (!added.success) throw new Error(added.error);
  expectTypeOf(added.id).toEqualTypeOf<string>();
  expect(await remote.call('list_folders', {})).toEqual(await local.call('list_folders', {}));
  for (const [name, input] of [
    ['remove_folder', { id: 'none' }],
    ['add_folder', { name: 5 }],
    ['nothing', {}],
    ['audit_list', {}],
  ] as const) {
    expect(await remote.callUntyped(name, input), name).toEqual(await local.callUntyped(name, input));
  }
  expect(await remote.tools()).toEqual(local.tools().map(({ name }) => name));
  await remote.close();
});

test('M40 headers narrow a remote session, and progress reaches it', async () => {
  const project = folderWith({
    'context.json': '{"collections":{"docs":{"type":"file","path":"docs"}}}',
    'docs/a.md': '# A',
    'docs/b.md': '# B',
  });
  const { url } = await served({ project });
  const narrow = await connectWorkspace(url, undefined, { headers: { 'X-MCP-Tools': 'list_folders' } });
  expect(await narrow.tools()).toEqual(['list_folders']);
  const remote = await connectWorkspace(url);
  const steps: number[] = [];
  const synced = await remote.call('collection_sync', {}, { onProgress: ({ done }) => void steps.push(done) });
  expect(synced).toMatchObject({ success: true });
  expect(steps.length).toBeGreaterThan(0);
  await Promise.all([narrow.close(), remote.close()]);
});

test('M41 what is wrong with an address or a token is said', async () => {
  const server = await served({ requireToken: true });
  await expect(connectWorkspace(server.url)).rejects.toMatchObject({ type: 'forbidden' });
  await expect(connectWorkspace(server.url, 'aia_wrong')).rejects.toMatchObject({ type: 'forbidden' });
  await expect(connectWorkspace('here')).rejects.toMatchObject({ type: 'invalid_argument' });
  await expect(connectWorkspace('http://127.0.0.1:9/mcp')).rejects.toMatchObject({
    message: expect.stringContaining('Cannot reach http://127.0.0.1:9/mcp'),
    instruction: expect.stringContaining('ai-assist serve'),
  });
});

test('M41 a server that went away and a cancelled call are envelopes', async () => {
  const server = await served();
  const remote = await connectWorkspace(server.url);
  const cancelled = await remote.call('list_folders', {}, { signal: AbortSignal.abort() });
  expect(cancelled).toMatchObject({ success: false, error: 'The call was cancelled before it was done' });
  await server.close();
  expect(await remote.call('list_folders', {})).toMatchObject({
    success: false,
    error_type: 'internal',
    error: expect.stringContaining('Cannot reach'),
  });
  await remote.close();
});
