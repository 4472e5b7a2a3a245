import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import type { Failure } from '../../src/errors.js';
import type { FolderPort } from '../../src/library/folders/folder.js';
import { openOmniFocus } from '../../src/providers/omnifocus/application.js';
import { omnifocusFolders } from '../../src/providers/omnifocus/folders.js';
import { fakeOmniFocus } from '../support/fake-omnifocus.js';
import { mainFile, root, scratchWorkspace } from '../support/scratch.js';

const END = { placement: 'ending' } as const;
const MAY_HAVE = ': the change may have happened, or may still happen';

function open({ timeoutMs = 60_000, probeMs = 60_000 } = {}) {
  const mac = fakeOmniFocus();
  const omnifocus = openOmniFocus({ env: mac.env, timeoutMs, probeMs });
  return { mac, omnifocus, port: omnifocusFolders(omnifocus, { dryRun: false }) };
}

const failureOf = (call: Promise<unknown>): Promise<Failure> =>
  call.then(
    () => expect.fail('the call succeeded'),
    (thrown) => thrown,
  );
const read = (port: FolderPort) => failureOf(port.list({ includeChildren: true }));
const change = (port: FolderPort) => failureOf(port.add('Work', END));

test('O15 O20 scripts run one at a time, in order, by the same command', async () => {
  const { mac, port } = open();
  const names = ['a', 'b', 'c', 'd'];
  await Promise.all(names.map((name) => port.add(name, END)));
  expect(mac.sections().map(({ name }) => name)).toEqual(names);
  expect(mac.runs()).toEqual(
    names.map(() => ({ args: ['-l', 'JavaScript', '-'], kind: 'script', overlapped: false, ascii: true })),
  );
});

describe('O21 faults that have their own message', () => {
  test.each([
    ['-1743', 'forbidden', /not permit/, /System Settings.*Automation/],
    ['-600', 'internal', /not running/, /Open OmniFocus/],
    ['-1708', 'internal', /does not understand/, /Update OmniFocus/],
  ])('O21 error %s, and nothing is sent again', async (code, type, message, next) => {
    const { mac, port } = open();
    mac.faults(`error ${code}`);
    const failure = await change(port);
    expect(failure).toMatchObject({ type, message: expect.stringMatching(message) });
    expect(failure.instruction).toMatch(next);
    expect(failure.details).toEqual({});
    expect(mac.runs()).toHaveLength(1);
  });

  test('O21 not a Mac', async () => {
    const { mac, port } = open();
    rmSync(path.join(mac.folder, 'bin'), { recursive: true });
    const failure = await change(port);
    expect(failure.message).toBe('There is no osascript here: OmniFocus can be reached on a Mac only');
    expect(failure.instruction).toContain('AI_ASSIST_FOLDERS_PROVIDER');
  });

  test('O21 no OmniFocus on the Mac', async () => {
    const { mac, port } = open();
    mac.faults("error -2700 Application can't be found.");
    expect((await change(port)).message).toBe('There is no OmniFocus on this Mac');
  });
});

describe('O30 a system that starts no further program', () => {
  test('O30 an environment that is too big', async () => {
    const mac = fakeOmniFocus();
    const env = { ...mac.env, BIG: 'x'.repeat(3_000_000) };
    const failure = await change(omnifocusFolders(openOmniFocus({ env, timeoutMs: 60_000 }), { dryRun: false }));
    expect(failure).toMatchObject({ message: 'osascript could not be started (E2BIG)', details: {} });
  });

  test('O30 no free file descriptors: a failure, and the process lives on', async () => {
    const mac = fakeOmniFocus();
    const script = path.join(root, 'test/providers/without-descriptors.child.mjs');
    const child = spawn('sh', ['-c', `ulimit -n 300; exec "${process.execPath}" "${script}"`], { env: mac.env });
    const [[code], output] = await Promise.all([once(child, 'close'), child.stdout.toArray()]);
    expect(JSON.parse(String(Buffer.concat(output)))).toEqual({
      without: 'osascript could not be started (EMFILE)',
      after: { folders: [] },
    });
    expect(code).toBe(0);
  });
});

test('O22 a late change is said to be possible, and a circuit opens until a probe is answered', async () => {
  const { mac, port } = open({ timeoutMs: 3_000, probeMs: 1_500 });
  mac.faults('late', 'hang', 'error -1712');
  const late = await change(port);
  expect(late.message).toBe(`OmniFocus did not answer within 3 seconds${MAY_HAVE}`);
  expect(late.details).toEqual({ mayHaveHappened: true });

  const together = await Promise.all([change(port), read(port), change(port)]);
  for (const refused of [...together, await change(port)]) {
    expect(refused.message).toMatch(/has not answered since a script was broken off, and nothing more was sent/);
    expect(refused.details).toEqual({});
  }
  expect(mac.runs().filter(({ kind }) => kind === 'script')).toHaveLength(1);
  // One probe for those who waited together, and one for the call after them; under load one may end unseen.
  expect(mac.runs().length).toBeLessThanOrEqual(3);
});

test('O22 a script that ignores the signal to end is killed', async () => {
  const { mac, port } = open({ timeoutMs: 2_000 });
  mac.faults('stubborn');
  expect((await read(port)).message).toBe('OmniFocus did not answer within 2 seconds');
});

test('O22 a script that still answers when it is told to end has answered', async () => {
  const { mac, port } = open({ timeoutMs: 1_000 });
  const answer = '{"success":true,"folders":[]}';
  const script = `#!/bin/sh\ntrap 'echo "${answer.replaceAll('"', '\\"')}"; exit 0' TERM\nwhile :; do sleep 0.05; done\n`;
  writeFileSync(path.join(mac.folder, 'bin', 'osascript'), script);
  expect(await port.list({ includeChildren: true })).toEqual({ folders: [] });
});

test('O22 the circuit closes with the first answer', async () => {
  const { mac, omnifocus, port } = open();
  mac.faults('signal after');
  await change(port);
  expect((await port.list({ includeChildren: true })).folders).toHaveLength(1);
  await omnifocus.probe();
  await port.add('Play', END);
  expect(mac.runs().map(({ kind }) => kind)).toEqual(['script', 'probe', 'script', 'probe', 'script']);
});

test('O23 a read is sent again once after -1712 and an answered probe; a change never', async () => {
  const { mac, port } = open();
  mac.faults('error -1712');
  expect(await port.list({ includeChildren: true })).toEqual({ folders: [] });
  expect(mac.runs().map(({ kind }) => kind)).toEqual(['script', 'probe', 'script']);

  mac.faults('error -1712', '', 'error -1712');
  expect((await read(port)).message).toBe('OmniFocus did not answer in time (error -1712)');
  expect(mac.runs()).toHaveLength(6);

  mac.faults('error -1712');
  expect(await change(port)).toMatchObject({
    message: `OmniFocus did not answer in time (error -1712)${MAY_HAVE}`,
    details: { mayHaveHappened: true },
  });
  expect(mac.runs()).toHaveLength(7);
});

test.each([
  ['empty', 'OmniFocus gave an empty answer'],
  ['garbage', 'OmniFocus gave an answer that cannot be read'],
  ['half', 'OmniFocus gave an answer that cannot be read'],
  ['other', 'OmniFocus gave an answer that cannot be read'],
])('O24 an answer that is %s', async (fault, message) => {
  const { mac, port } = open();
  mac.faults(fault, fault);
  expect(await read(port)).toMatchObject({ message, details: {} });
  expect(await change(port)).toMatchObject({ message: message + MAY_HAVE, details: { mayHaveHappened: true } });
});

test('O24 the answer to another question', async () => {
  const { mac, port } = open();
  mac.faults('changed', 'listing');
  const message = 'OmniFocus gave the answer to another question';
  expect(await read(port)).toMatchObject({ message, details: {} });
  expect(await change(port)).toMatchObject({ message: message + MAY_HAVE, details: { mayHaveHappened: true } });
});

test('O25 death by signal', async () => {
  const { mac, port } = open();
  mac.faults('signal', '', 'signal');
  expect(await read(port)).toMatchObject({ message: 'osascript was killed before OmniFocus answered', details: {} });
  expect(await change(port)).toMatchObject({ details: { mayHaveHappened: true } });
});

test('O26 20 MB of output are read', async () => {
  const name = 'x'.repeat(20 * 1024 * 1024);
  const mac = fakeOmniFocus([{ kind: 'folder', id: 'big', name }]);
  const port = omnifocusFolders(openOmniFocus({ env: mac.env, timeoutMs: 60_000 }), { dryRun: false });
  const { folders } = await port.list({ includeChildren: true });
  expect(folders[0]?.name === name).toBe(true);
});

test('O27 a call that is cancelled while it waits sends nothing, and one that was sent is not killed', async () => {
  const mac = fakeOmniFocus();
  const omnifocus = openOmniFocus({ env: mac.env, timeoutMs: 60_000 });
  const abort = new AbortController();
  const port = omnifocusFolders(omnifocus, { dryRun: false, signal: abort.signal });
  const sent = port.add('first', END);
  const waiting = failureOf(port.add('second', END));
  // The first has been taken from the queue by now; the second has not.
  await Promise.resolve();
  abort.abort();
  expect((await waiting).name).toBe('AbortError');
  expect(await sent).toMatchObject({ name: 'first' });
  expect(mac.sections().map(({ name }) => name)).toEqual(['first']);
});

test('O27 a call that is cancelled while it waits for a probe sends nothing more', async () => {
  const { mac, omnifocus, port } = open();
  mac.faults('signal after');
  await change(port);
  const abort = new AbortController();
  const waiting = failureOf(omnifocusFolders(omnifocus, { dryRun: false, signal: abort.signal }).add('second', END));
  await Promise.resolve();
  abort.abort();
  expect((await waiting).name).toBe('AbortError');
  expect(mac.runs().map(({ kind }) => kind)).toEqual(['script', 'probe']);
});

test('O31 Ctrl-C at a terminal does not kill a script that was sent', async () => {
  const mac = fakeOmniFocus();
  mac.faults('slow');
  const env = { ...mac.env, AI_ASSIST_FOLDERS_PROVIDER: 'omnifocus' };
  const args = [mainFile, 'tool', 'add_folder', '--name', 'Work'];
  // A group of its own, as a shell makes for every command.
  const command = spawn(process.execPath, args, { env, detached: true, stdio: 'ignore' });
  const ended = once(command, 'exit');
  await vi.waitFor(() => expect(mac.runs()).toHaveLength(1), { timeout: 20_000 });
  process.kill(-(command.pid as number), 'SIGINT');
  expect(await ended).toEqual([null, 'SIGINT']);
  writeFileSync(path.join(mac.folder, 'go'), '');
  await vi.waitFor(() => expect(mac.sections()).toMatchObject([{ name: 'Work' }]), { timeout: 20_000 });
});

test('O28 a late change with a key is not made twice', async () => {
  const mac = fakeOmniFocus();
  const settings = { 'providers.folders': 'omnifocus' } as const;
  const session = (await scratchWorkspace({ env: mac.env, settings })).session();
  mac.faults('signal after');
  const call = () => session.call('add_folder', { name: 'Work', idempotencyKey: 'k1' });
  expect(await call()).toMatchObject({ success: false, error_type: 'internal', mayHaveHappened: true });
  expect(await call()).toMatchObject({ success: false, error_type: 'conflict' });
  expect(await session.call('list_folders', {})).toMatchObject({ folders: [{ name: 'Work' }] });
});

test('O29 an error that nobody foresaw', async () => {
  const { mac, port } = open();
  mac.faults('error -10004', 'error -10004');
  const unread = await read(port);
  expect(unread.message).toMatch(/^OmniFocus reported an error: .*\(-10004\)$/);
  expect(unread.redacted).toBe('OmniFocus reported error -10004');
  const failure = await change(port);
  expect(failure.message).toContain('(-10004): the change may have happened');
  expect(failure.redacted).toBe(`OmniFocus reported error -10004${MAY_HAVE}`);
});
