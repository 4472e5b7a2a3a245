/** Changes to a project file: locked, read again, checked whole, replaced whole. */
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { changeProject, initProject } from '../../src/project/change.js';
import type { Edit } from '../../src/project/edit.js';
import { findProject } from '../../src/project/find.js';
import { lockFileOf } from '../../src/project/lock.js';
import { removeDrafts, replaceFile } from '../../src/project/replace.js';
import { scratchFolder } from '../support/scratch.js';

const before = '{\n  "own": [1,2],\n  "collections": {}\n}\n';
const pkg = { type: 'pkg', url: 'https://a.example/manifest.json' };
const add = (name: string, value: unknown = pkg): Edit => ({ path: ['collections', name], value });

function projectFile(text = before): string {
  const file = path.join(scratchFolder(), 'context.json');
  writeFileSync(file, text);
  return file;
}

const read = (file: string) => readFileSync(file, 'utf8');
const namesIn = (file: string) => Object.keys(JSON.parse(read(file)).collections);

/** The number of a process that has ended. */
const deadPid = () => spawnSync(process.execPath, ['-e', '']).pid;

type Owner = { pid?: number; host?: string; time?: number };

function lockBy(file: string, { pid = process.ppid, host = os.hostname(), time = Date.now() }: Owner): void {
  writeFileSync(lockFileOf(file), JSON.stringify({ pid, host, time, token: 'of another' }));
}

test('C114 a change is decided on the file as it is inside the lock, and answers the new content', async () => {
  const file = projectFile();
  const found = await findProject(path.dirname(file), 'context.json');
  writeFileSync(file, before.replace('{}', '{ "meanwhile": { "type": "pkg", "url": "u" } }'));
  const seen: string[][] = [];
  const changed = await changeProject(file, (config) => {
    expect(existsSync(lockFileOf(file)), 'locked').toBe(true);
    seen.push(Object.keys(config.collections));
    return [add('react')];
  });
  expect(seen).toEqual([['meanwhile']]);
  expect(Object.keys(changed.config.collections)).toEqual(['meanwhile', 'react']);
  expect(changed.text).toBe(read(file));
  expect(changed.version).toBe((await findProject(path.dirname(file), 'context.json'))?.version);
  expect(changed.version).not.toBe(found?.version);
  expect(readdirSync(path.dirname(file))).toEqual(['context.json']);
});

test('C115 another version than the expected one is a conflict that tells the current one', async () => {
  const file = projectFile();
  const { version } = await changeProject(file, () => [add('a')]);
  const next = await changeProject(file, () => [add('b')], { expectedVersion: version });
  await expect(changeProject(file, () => [add('c')], { expectedVersion: version })).rejects.toMatchObject({
    type: 'conflict',
    details: { currentVersion: next.version },
  });
  expect(namesIn(file)).toEqual(['a', 'b']);
});

test('C116 a result that is not valid, or a decision that fails, writes nothing and frees the lock', async () => {
  const file = projectFile();
  const broken = changeProject(file, () => [add('a', { type: 'npm' })]);
  await expect(broken).rejects.toThrow("context.json: collections.a.type: 'npm' is no type of a collection");
  const refused = changeProject(file, () => {
    throw new Error('refused');
  });
  await expect(refused).rejects.toThrow('refused');
  expect(read(file)).toBe(before);
  expect(readdirSync(path.dirname(file))).toEqual(['context.json']);
});

test('C116 a file that is not there or not valid is not changed', async () => {
  await expect(changeProject(path.join(scratchFolder(), 'context.json'), () => [add('a')])).rejects.toMatchObject({
    type: 'no_session',
  });
  const file = projectFile('{ // mine\n}');
  await expect(changeProject(file, () => [add('a')])).rejects.toThrow('comments are not allowed');
  expect(read(file)).toBe('{ // mine\n}');
});

test('C117 the mode survives whatever the mask is, a link stays a link, and no change writes nothing', async () => {
  const file = projectFile();
  chmodSync(file, 0o664);
  const mask = process.umask(0o077);
  onTestFinished(() => void process.umask(mask));
  const link = path.join(scratchFolder(), 'context.json');
  symlinkSync(file, link);
  await changeProject(link, () => [add('a')]);
  expect(lstatSync(link).isSymbolicLink()).toBe(true);
  expect(statSync(file).mode & 0o777).toBe(0o664);
  expect(namesIn(file)).toEqual(['a']);
  const { ino } = statSync(file);
  await changeProject(file, () => [add('a')]);
  expect(statSync(file).ino).toBe(ino);
});

test('C117 a file or folder that is read-only by its mode is not written', async () => {
  const file = projectFile();
  chmodSync(file, 0o444);
  await expect(changeProject(file, () => [add('a')])).rejects.toThrow(
    'context.json cannot be written: it is read-only',
  );
  chmodSync(file, 0o644);
  chmodSync(path.dirname(file), 0o555);
  onTestFinished(() => chmodSync(path.dirname(file), 0o755));
  await expect(changeProject(file, () => [add('a')])).rejects.toThrow('its folder is read-only');
  await expect(changeProject(file, () => [add('a')])).rejects.toMatchObject({ type: 'write_error' });
  expect(read(file)).toBe(before);
});

test('C118 a lock that is held is waited for, up to a limit, and the failure names the holder', async () => {
  const file = projectFile();
  lockBy(file, {});
  const failed = changeProject(file, () => [add('a')], { waitMs: 1 });
  await expect(failed).rejects.toMatchObject({
    type: 'lock_error',
    message: `context.json is locked by process ${process.ppid}.`,
  });
  lockBy(file, { host: 'elsewhere', pid: deadPid() });
  await expect(changeProject(file, () => [add('a')], { waitMs: 1 })).rejects.toThrow('on another host');
  const waiting = changeProject(file, () => [add('b')], { waitMs: 60_000 });
  rmSync(lockFileOf(file));
  await waiting;
  expect(namesIn(file)).toEqual(['b']);
});

test('C118 changes of one process at once all get in', async () => {
  const file = projectFile();
  const names = Array.from({ length: 12 }, (_, index) => `n${index}`);
  await Promise.all(names.map((name) => changeProject(file, () => [add(name)], { waitMs: 60_000 })));
  expect(namesIn(file).sort()).toEqual(names.sort());
});

test('C119 a lock left by a dead process, an old one, and one that was never signed are taken over', async () => {
  const file = projectFile();
  const long = 60 * 60 * 1000;
  const left: [string, () => void][] = [
    ['dead', () => lockBy(file, { pid: deadPid() })],
    ['old', () => lockBy(file, { time: Date.now() - long })],
    ['future', () => lockBy(file, { host: 'elsewhere', time: Date.now() + long })],
    ['before', () => lockBy(file, { pid: process.pid, time: Date.now() - process.uptime() * 1000 - 5000 })],
    ['empty', () => writeFileSync(lockFileOf(file), '')],
  ];
  for (const [name, leave] of left) {
    leave();
    await changeProject(file, () => [add(name)], { waitMs: 20_000, oldestMs: long / 2 });
  }
  expect(namesIn(file)).toEqual(left.map(([name]) => name));
  expect(readdirSync(path.dirname(file))).toEqual(['context.json']);
});

test('C119 what cannot be removed as a lock is told as one', async () => {
  const file = projectFile();
  mkdirSync(lockFileOf(file));
  await expect(changeProject(file, () => [add('a')], { waitMs: 20_000 })).rejects.toThrow('context.json is locked by');
});

test('C121 a process that lost its lock decides again on what the other one wrote', async () => {
  const file = projectFile();
  let decisions = 0;
  await changeProject(file, () => {
    // Another process thinks that this one is gone, takes over, makes its change, and dies.
    if (decisions++ === 0) {
      writeFileSync(file, before.replace('{}', '{ "other": { "type": "pkg", "url": "u" } }'));
      lockBy(file, { pid: deadPid() });
    }
    return [add('mine')];
  });
  expect(decisions).toBe(2);
  expect(namesIn(file)).toEqual(['other', 'mine']);
});

test('C121 a process that slept while its lock was taken over cannot put its draft in place', async () => {
  const file = projectFile();
  const asleep = { isOurs: () => removeDrafts(file).then(() => true), release: async () => {} };
  expect(await replaceFile(file, Buffer.from('{}'), asleep)).toBe(false);
  expect(read(file)).toBe(before);
  const awake = { isOurs: async () => true, release: async () => {} };
  expect(await replaceFile(file, Buffer.from('{}'), awake)).toBe(true);
  expect(read(file)).toBe('{}');
});

test('C121 drafts of killed processes are removed, and nothing else', async () => {
  const file = projectFile();
  const folder = path.dirname(file);
  const others = ['.context.json.bak', '.context.json.other.1-2.draft', 'context.json.draft', '.other.json.1-2.draft'];
  for (const name of [...others, '.context.json.1-2.draft']) writeFileSync(path.join(folder, name), '');
  await changeProject(file, () => [add('a')]);
  expect(readdirSync(folder).sort()).toEqual([...others, 'context.json'].sort());
});

test('C122 init makes an empty project, and replaces one only when forced', async () => {
  const folder = scratchFolder();
  const project = await initProject(folder, 'context.json', false);
  expect(read(project.file)).toBe('{\n  "collections": {}\n}\n');
  await changeProject(project.file, () => [add('a')]);
  await expect(initProject(folder, 'context.json', false)).rejects.toMatchObject({
    type: 'conflict',
    message: expect.stringContaining('context.json exists already'),
    instruction: expect.stringContaining('--force'),
  });
  expect(namesIn(project.file)).toEqual(['a']);
  expect((await initProject(folder, 'context.json', true)).config).toEqual({ collections: {} });
  expect(namesIn(project.file)).toEqual([]);
  await expect(initProject(path.join(folder, 'no'), 'context.json', true)).rejects.toMatchObject({ type: 'not_found' });
  expect(readdirSync(folder)).toEqual(['context.json']);
});
