import { expect, test } from 'vitest';
import { rateLimiter } from '../../src/guard/rate.js';
import { tools } from '../../src/tools/index.js';
import { scratchWorkspace } from '../support/scratch.js';
import { withMadeUp } from './made-up-tools.js';

const forbidden = { success: false, error_type: 'forbidden' };

test('G10 a reader may only read, an editor may change, an owner may do all', async () => {
  const workspace = await scratchWorkspace();
  const allowed = async (role: 'reader' | 'editor' | 'owner') => {
    const session = workspace.session({ role });
    const answers = await Promise.all(tools.map((tool) => session.callUntyped(tool.name, tool.example.input)));
    return tools.filter((_, index) => answers[index]?.error_type !== 'forbidden').map((tool) => tool.name);
  };
  expect(await allowed('reader')).toEqual(tools.filter((tool) => tool.role === 'reader').map((tool) => tool.name));
  expect(await allowed('editor')).toEqual(tools.filter((tool) => tool.role !== 'owner').map((tool) => tool.name));
  expect(await allowed('owner')).toEqual(tools.map((tool) => tool.name));
});

test('G11 what a role may not call is not listed, and is refused', async () => {
  const session = (await scratchWorkspace()).session({ role: 'reader', agent: 'rita' });
  expect(session.tools()).toEqual(tools.filter((tool) => tool.role === 'reader'));
  expect(session.tools().length).toBeGreaterThan(0);
  expect(await session.call('add_folder', { name: 'x' })).toMatchObject({
    ...forbidden,
    error: "Agent 'rita' is a reader and may not call 'add_folder'",
    instruction: expect.stringContaining('editor'),
  });
});

test('G11 a toolset that a session does not have is refused', async () => {
  const session = (await scratchWorkspace()).session({ toolsets: ['audit'] });
  expect(new Set(session.tools().map((tool) => tool.toolset))).toEqual(new Set(['audit']));
  expect(await session.call('list_folders', {})).toMatchObject(forbidden);
});

test('G12 read-only refuses every change, even of an owner', async () => {
  const workspace = await scratchWorkspace();
  const session = workspace.session({ role: 'owner', readOnly: true });
  for (const tool of tools.filter(({ effect }) => effect !== 'read')) {
    expect(await session.callUntyped(tool.name, tool.example.input)).toMatchObject(forbidden);
  }
  expect(await session.call('list_folders', {})).toEqual({ success: true, folders: [], version: 'r0' });
});

test('G13 too many calls give rate_limited with retryAfter, for that agent alone', async () => {
  let now = 1_000_000;
  const workspace = await scratchWorkspace({ settings: { 'limits.callsPerMinute': 3 }, now: () => now });
  const ada = workspace.session({ agent: 'ada' });
  const list = () => ada.call('list_folders', {});
  for (let call = 0; call < 3; call++) expect(await list()).toMatchObject({ success: true });
  const refused = await list();
  expect(refused).toMatchObject({ success: false, error_type: 'rate_limited', retryAfter: 20 });
  expect(await workspace.session({ agent: 'ben' }).call('list_folders', {})).toMatchObject({ success: true });
  expect(await workspace.session({ agent: 'ada' }).call('list_folders', {})).toMatchObject({ retryAfter: 20 });
  now += 19_999;
  expect(await list()).toMatchObject({ retryAfter: 1 });
  now += 1;
  expect(await list()).toMatchObject({ success: true });
  expect(await list()).toMatchObject({ error_type: 'rate_limited' });
});

test('G13 every limit allows exactly as many calls as it says, whatever the time', () => {
  for (let limit = 1; limit <= 1500; limit++) {
    const rate = rateLimiter(limit);
    for (let call = 0; call < limit; call++) rate.take('ada', 1_763_243_000_123);
    expect(() => rate.take('ada', 1_763_243_000_123)).toThrow('calls in a minute');
  }
});

test('G13 a clock that is set back does not lock an agent out', () => {
  const rate = rateLimiter(2);
  rate.take('ada', 10_000_000);
  rate.take('ada', 10_000_000);
  expect(() => rate.take('ada', 1_000)).toThrow(expect.objectContaining({ details: { retryAfter: 30 } }));
});

test('G10 what a session leaves out, or gives as undefined, is the default', async () => {
  const workspace = await scratchWorkspace({ settings: { 'agent.name': 'olga', 'agent.role': 'reader' } });
  const options = { agent: undefined, role: undefined } as unknown as { agent: string };
  expect(await workspace.session(options).call('add_folder', { name: 'x' })).toMatchObject({
    error: "Agent 'olga' is a reader and may not call 'add_folder'",
  });
});

test('G13 a limit of 0 is no limit', async () => {
  const session = (await scratchWorkspace({ settings: { 'limits.callsPerMinute': 0 }, now: () => 5 })).session();
  for (let call = 0; call < 200; call++)
    expect(await session.call('list_folders', {})).toMatchObject({ success: true });
});

test('G14 too many items give invalid_argument and the sizes that pass', async () => {
  const session = (await scratchWorkspace({ tools: withMadeUp(), settings: { 'limits.maxBatch': 10 } })).session();
  const items = (count: number) => ({ items: Array.from({ length: count }, () => 'x') });
  expect(await session.callUntyped('count_items', items(10))).toEqual({ success: true, count: 10 });
  expect(await session.callUntyped('count_items', items(25))).toMatchObject({
    success: false,
    error: 'The call names 25 items, and at most 10 are allowed',
    error_type: 'invalid_argument',
    maxBatch: 10,
    instruction: 'Split it into 3 calls of at most 10 items each.',
  });
});
