/** Long calls: progress, cancellation that stops the work, and turns for others. */
import { once } from 'node:events';
import type { Client } from '@modelcontextprotocol/client';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { defineTool } from '../../src/tools/define.js';
import { addFolder } from '../../src/tools/folders/add.js';
import { listFolders } from '../../src/tools/folders/list.js';
import type { Workspace } from '../../src/workspace.js';
import { folderWith } from '../support/files.js';
import { httpClient, served } from '../support/http-mcp.js';
import { httpServer } from '../support/http-server.js';
import { callOver, type Era, mcpClient } from '../support/mcp.js';
import { scratchEnv, scratchFolder, scratchWorkspace } from '../support/scratch.js';

const eras: Era[] = ['legacy', 'modern'];

function deferred<T>() {
  let resolve = (_value: T) => {};
  const promise = new Promise<T>((settle) => (resolve = settle));
  return { promise, resolve };
}

/** Works in the database without end, and says when it began and how it ended. */
function endlessTools() {
  const state = { begun: deferred<void>(), ended: deferred<unknown>() };
  const shared = {
    toolset: 'folders',
    example: { input: {} },
    errors: [],
    input: {},
    output: { never: z.string() },
  } as const;
  const work = async (sql: { get: (text: string) => Promise<unknown> }) => {
    state.begun.resolve();
    try {
      for (;;) await sql.get('SELECT 1');
    } catch (thrown) {
      state.ended.resolve(thrown);
      throw thrown;
    }
  };
  const dig = defineTool({
    ...shared,
    name: 'dig',
    summary: 'Dig without end.',
    effect: 'read',
    run: async (_input, { sql }) => work(sql),
  });
  const addAndDig = defineTool({
    ...shared,
    name: 'add_and_dig',
    summary: 'Add a folder and dig without end.',
    effect: 'write',
    run: async (_input, { folders, sql }) => {
      await folders.add('half', { placement: 'ending' });
      return work(sql);
    },
  });
  return { state, tools: [listFolders, addFolder, dig, addAndDig] };
}

async function endless(): Promise<{
  url: string;
  workspace: Workspace;
  state: ReturnType<typeof endlessTools>['state'];
}> {
  const { state, tools } = endlessTools();
  const workspace = await scratchWorkspace({ tools });
  const { url } = await served({ workspace });
  return { url, workspace, state };
}

/** Calls a tool and gives it up when it has begun. */
async function giveUp(client: Client, name: string, begun: Promise<unknown>, input = {}): Promise<void> {
  const controller = new AbortController();
  const call = client.callTool({ name, arguments: input }, { signal: controller.signal });
  const failed = expect(call).rejects.toThrow();
  await begun;
  controller.abort();
  await failed;
}

test.each(eras)('M31 in the %s era a call over HTTP that is cancelled stops its work', async (era) => {
  const { url, state } = await endless();
  const client = await httpClient(url, { era });
  await giveUp(client, 'dig', state.begun.promise);
  await state.ended.promise;
  expect(await callOver(client, 'list_folders', {})).toMatchObject({ folders: [] });
});

test.each(eras)('M31 in the %s era a change that is cancelled is not made', async (era) => {
  const { url, workspace, state } = await endless();
  const client = await httpClient(url, { era });
  await giveUp(client, 'add_and_dig', state.begun.promise);
  await state.ended.promise;
  expect(await callOver(client, 'add_folder', { name: 'whole' })).toMatchObject({ success: true });
  expect(await callOver(client, 'list_folders', {})).toMatchObject({ folders: [{ name: 'whole' }] });
  expect(await workspace.session().callUntyped('list_folders', {})).toMatchObject({ version: 'r1' });
});

test('M31 a call that was cancelled while it waited for its turn does nothing', async () => {
  const { workspace, state } = await endless();
  const session = workspace.session();
  const [first, second] = [new AbortController(), new AbortController()];
  const digging = session.callUntyped('add_and_dig', {}, { signal: first.signal });
  await state.begun.promise;
  const waiting = session.callUntyped('add_folder', { name: 'late' }, { signal: second.signal });
  second.abort();
  first.abort();
  const cancelled = { success: false, error_type: 'internal', error: 'The call was cancelled before it was done' };
  expect([await digging, await waiting]).toMatchObject([cancelled, cancelled]);
  expect(await session.callUntyped('list_folders', {})).toMatchObject({ folders: [], version: 'r0' });
});

test('M32 while a long call runs, others are served', async () => {
  const { workspace, state } = await endless();
  const session = workspace.session();
  const controller = new AbortController();
  const digging = session.callUntyped('dig', {}, { signal: controller.signal });
  await state.begun.promise;
  expect(await session.callUntyped('add_folder', { name: 'meanwhile' })).toMatchObject({ success: true });
  expect(await session.callUntyped('list_folders', {})).toMatchObject({ folders: [{ name: 'meanwhile' }] });
  controller.abort();
  await digging;
});

test.each(eras)('M31 in the %s era a sync over stdio that is cancelled lets go of the network', async (era) => {
  const begun = deferred<void>();
  const gone = deferred<void>();
  const source = await httpServer({
    '/manifest.json': (request) => {
      void once(request.socket, 'close').then(() => gone.resolve());
      begun.resolve();
    },
  });
  const project = folderWith({
    'context.json': JSON.stringify({ collections: { far: { type: 'pkg', url: source.url('/manifest.json') } } }),
  });
  const env = scratchEnv(scratchFolder(), { AI_ASSIST_ALLOW_HOSTS: '127.0.0.1' });
  const client = await mcpClient({ args: ['--project', project], env, era });
  await giveUp(client, 'collection_sync', begun.promise);
  await gone.promise;
  expect(await callOver(client, 'list_folders', {})).toMatchObject({ success: true });
});

/** A project with one folder of so many documents. */
const projectOf = (count: number) =>
  folderWith({
    'context.json': JSON.stringify({ collections: { docs: { type: 'file', path: 'docs', glob: '**/*.md' } } }),
    ...Object.fromEntries(Array.from({ length: count }, (_, index) => [`docs/${index}.md`, `# Document ${index}\n`])),
  });

async function progressOf(client: Client): Promise<number[]> {
  const steps: number[] = [];
  const onprogress = ({ progress }: { progress: number }) => void steps.push(progress);
  await client.callTool({ name: 'collection_sync', arguments: {} }, { onprogress });
  return steps;
}

test.each(eras)('M30 in the %s era a sync reports its progress over stdio', async (era) => {
  const env = scratchEnv(scratchFolder());
  const steps = await progressOf(await mcpClient({ args: ['--project', projectOf(20)], env, era }));
  expect(steps.length).toBeGreaterThan(0);
  expect(steps).toEqual([...new Set(steps)].sort((a, b) => a - b));
});

test.each(eras)('M30 in the %s era a sync reports its progress over HTTP', async (era) => {
  const { url } = await served({ project: projectOf(20) });
  const steps = await progressOf(await httpClient(url, { era }));
  expect(steps.length).toBeGreaterThan(0);
  expect(steps).toEqual([...new Set(steps)].sort((a, b) => a - b));
});
