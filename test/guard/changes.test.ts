import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { scratchFolder, scratchWorkspace } from '../support/scratch.js';
import { appendLine, withMadeUp } from './made-up-tools.js';

const HOUR = 3_600_000;

test('G15 a repeated call with its key gets the first result, and nothing happens twice', async () => {
  const session = (await scratchWorkspace()).session();
  const call = () => session.call('add_folder', { name: 'Work', idempotencyKey: 'k1' });
  const first = await call();
  expect(await call()).toEqual(first);
  expect(await session.call('list_folders', {})).toMatchObject({ folders: [{ name: 'Work' }], version: 'r1' });
});

test('G15 twins at the same moment, from two connections, are one', async () => {
  const folder = scratchFolder();
  const sessions = [await scratchWorkspace({ folder }), await scratchWorkspace({ folder })].map((one) => one.session());
  const twins = Array.from({ length: 20 }, (_, index) =>
    sessions[index % 2]?.call('add_folder', { name: 'Work', idempotencyKey: 'k1' }),
  );
  const answers = await Promise.all(twins);
  expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
  expect(await sessions[0]?.call('list_folders', {})).toMatchObject({ folders: [{ name: 'Work' }] });
});

test('G16 a key with other arguments is refused; another agent or tool may use it', async () => {
  const workspace = await scratchWorkspace();
  const ada = workspace.session({ agent: 'ada' });
  await ada.call('add_folder', { name: 'Work', idempotencyKey: 'k1' });
  expect(await ada.call('add_folder', { name: 'Play', idempotencyKey: 'k1' })).toMatchObject({
    success: false,
    error: "idempotencyKey: 'k1' was used for another call of 'add_folder'",
    error_type: 'invalid_argument',
  });
  const edited = await ada.call('edit_folder', { name: 'Work', newStatus: 'dropped', idempotencyKey: 'k1' });
  expect(edited).toMatchObject({ success: true });
  const ben = workspace.session({ agent: 'ben' });
  expect(await ben.call('add_folder', { name: 'Play', idempotencyKey: 'k1' })).toMatchObject({ success: true });
});

test('G16 failures and dry runs are not kept, and a key expires', async () => {
  let now = 1_000;
  const session = (await scratchWorkspace({ now: () => now })).session();
  const call = (name: string, dryRun?: boolean) => session.call('add_folder', { name, dryRun, idempotencyKey: 'k1' });
  expect(await call('')).toMatchObject({ success: false });
  expect(await call('Work', true)).toMatchObject({ success: true, dryRun: true });
  const first = await call('Work');
  now += 24 * HOUR - 1;
  expect(await call('Work')).toEqual(first);
  now += 1;
  expect(await call('Work')).toMatchObject({ success: true, version: 'r2' });
});

test('G17 a key is looked up before the version', async () => {
  const session = (await scratchWorkspace()).session();
  const made = await session.call('add_folder', { name: 'Work', version: 'r0', idempotencyKey: 'k1' });
  await session.call('add_folder', { name: 'Play' });
  const again = await session.call('add_folder', { name: 'Work', version: 'r0', idempotencyKey: 'k1' });
  expect(again).toEqual(made);
  const stale = await session.call('add_folder', { name: 'Work', version: 'r0', idempotencyKey: 'k2' });
  expect(stale).toMatchObject({ error_type: 'conflict', currentVersion: 'r2' });
});

test('G18 a dry run answers what the call would, and changes nothing', async () => {
  const session = (await scratchWorkspace()).session();
  await session.call('add_folder', { name: 'Work' });
  const rehearsed = await session.call('edit_folder', { name: 'Work', newName: 'Job', dryRun: true });
  expect(rehearsed).toMatchObject({ success: true, name: 'Job', version: 'r1', dryRun: true });
  const failed = await session.call('edit_folder', { name: 'Nope', newName: 'Job', dryRun: true });
  expect(failed).toMatchObject({ success: false, error: "Invalid name 'Nope': folder not found" });
  expect(await session.call('list_folders', {})).toMatchObject({ folders: [{ name: 'Work' }], version: 'r1' });
});

test('G19 a tool that needs a version gets conflict without one', async () => {
  const session = (await scratchWorkspace({ tools: withMadeUp() })).session();
  const refused = await session.callUntyped('add_versioned', { name: 'Work' });
  expect(refused).toMatchObject({ success: false, error_type: 'conflict', currentVersion: 'r0' });
  expect(await session.callUntyped('add_versioned', { name: 'Work', version: 'r0' })).toMatchObject({ version: 'r1' });
  const odd = await session.callUntyped('add_versioned', { name: 'Work', version: 'yesterday' });
  expect(odd).toMatchObject({
    error_type: 'invalid_argument',
    error: "Invalid version 'yesterday': not a version token",
  });
});

test('G19 a version that the library never had is a conflict, even for a change of nothing', async () => {
  const session = (await scratchWorkspace()).session();
  const made = await session.call('add_folder', { name: 'Work' });
  const id = made.success ? made.id : '';
  for (const newName of ['Job', 'Work']) {
    const envelope = await session.call('edit_folder', { id, newName, version: 'r99' });
    expect(envelope).toMatchObject({ error_type: 'conflict', currentVersion: 'r1' });
  }
});

test('G22 a change outside the database: once for one key, a twin meanwhile is refused', async () => {
  const file = path.join(scratchFolder(), 'lines.txt');
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  let reached = () => {};
  const underWay = new Promise<void>((resolve) => {
    reached = resolve;
  });
  const waitFor = () => {
    reached();
    return held;
  };
  const session = (await scratchWorkspace({ tools: withMadeUp(appendLine(file, waitFor)) })).session();
  const call = () => session.callUntyped('append_line', { line: 'one', idempotencyKey: 'k1' });
  const first = call();
  await underWay;
  expect(await call()).toMatchObject({ success: false, error_type: 'conflict' });
  release();
  expect(await first).toEqual({ success: true, lines: 1 });
  expect(await call()).toEqual({ success: true, lines: 1 });
  expect(readFileSync(file, 'utf8')).toBe('one\n');
});

test('G22 a failure outside frees the key, and a dry run stops before the effect', async () => {
  const file = path.join(scratchFolder(), 'lines.txt');
  const session = (await scratchWorkspace({ tools: withMadeUp(appendLine(file)) })).session();
  const rehearsed = await session.callUntyped('append_line', { line: 'one', dryRun: true, idempotencyKey: 'k1' });
  expect(rehearsed).toEqual({ success: true, lines: 1, dryRun: true });
  expect(existsSync(file)).toBe(false);
  const failed = await session.callUntyped('append_line', { line: 'refuse', idempotencyKey: 'k1' });
  expect(failed).toMatchObject({ success: false, error_type: 'internal' });
  expect(await session.callUntyped('append_line', { line: 'one', idempotencyKey: 'k1' })).toMatchObject({ lines: 1 });
});

test('G23 an unexpected error is internal, and nothing of the call is kept', async () => {
  const session = (await scratchWorkspace({ tools: withMadeUp() })).session();
  const broken = await session.callUntyped('add_and_break', {});
  expect(broken).toMatchObject({
    success: false,
    error: 'Unexpected error: the programmer slipped',
    error_type: 'internal',
  });
  expect(await session.callUntyped('answer_wrong', {})).toMatchObject({ error_type: 'internal' });
  expect(await session.call('list_folders', {})).toEqual({ success: true, folders: [], version: 'r0' });
});
