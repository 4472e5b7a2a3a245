/**
 * Compiled code that is kept between runs. From 22.1 on Node does that itself, so the loader of our own is called
 * without the command line's first file: then it is tested on every Node.
 */
import { createHash } from 'node:crypto';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { cli, root, runNode, scratchEnv, scratchFolder } from '../support/scratch.js';

const loader = path.join(root, 'dist', 'cli', 'kept-code.cjs');
const packed = path.join(root, 'dist', 'cli', 'packed');

type Run = { cache: string; args: string[]; folder?: string; isOurs?: string };

function run({ cache, args, folder = packed, isOurs = '() => true' }: Run) {
  const given = [folder, 'run.cjs', cache].map((text) => JSON.stringify(text));
  const script = `require(${JSON.stringify(loader)}).load(${given.join()}, ${isOurs}).run(${JSON.stringify(args)})`;
  return runNode(['-e', script], scratchEnv(scratchFolder()));
}

const filesIn = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((file) => path.join(folder, file))
    .filter((file) => statSync(file).isFile());

const isWhole = (kept: Buffer) => createHash('sha256').update(kept.subarray(32)).digest().equals(kept.subarray(0, 32));

const timesOf = (files: string[]) => files.map((file) => statSync(file).mtimeMs);

test('G68 the second run answers as the first did, from the code that the first one kept', async () => {
  const cache = scratchFolder();
  const first = await run({ cache, args: ['tools'] });
  expect(first).toMatchObject({ code: 0, stderr: '' });
  const kept = filesIn(cache);
  expect(kept.map((file) => path.basename(file))).toContain('run.cjs');
  const times = timesOf(kept);
  expect(await run({ cache, args: ['tools'] })).toEqual(first);
  // What V8 refuses is compiled and kept again: these were used.
  expect(filesIn(cache)).toEqual(kept);
  expect(timesOf(kept)).toEqual(times);
});

test('G68 damaged code is not used, and is replaced', async () => {
  const cache = scratchFolder();
  const first = await run({ cache, args: ['tools'] });
  for (const [at, file] of filesIn(cache).entries()) {
    const bytes = readFileSync(file);
    const middle = Math.floor(bytes.length / 2);
    writeFileSync(file, at % 2 === 0 ? bytes.fill(0xff, middle, middle + 16) : bytes.subarray(0, middle));
  }
  expect(await run({ cache, args: ['tools'] })).toEqual(first);
  expect(filesIn(cache).filter((file) => !isWhole(readFileSync(file)))).toEqual([]);
  expect(await run({ cache, args: ['tools'] })).toEqual(first);
});

test('G68 code that is not ours alone is not used', async () => {
  const cache = scratchFolder();
  await run({ cache, args: ['--help'] });
  const times = timesOf(filesIn(cache));
  const { code } = await run({ cache, args: ['--help'], isOurs: '() => false' });
  expect(code).toBe(0);
  // It was compiled anew.
  expect(timesOf(filesIn(cache))).not.toEqual(times);
});

/** The packed files under another id, with a text that is as long as before: V8 itself would not notice. */
function otherBuild(): string {
  const changed = path.join(scratchFolder(), 'packed');
  cpSync(packed, changed, { recursive: true });
  writeFileSync(path.join(changed, 'build-id'), '0123456789abcdef');
  const source = readFileSync(path.join(changed, 'run.cjs'), 'utf8');
  expect(source).toContain('New here?');
  writeFileSync(path.join(changed, 'run.cjs'), source.replace('New here?', 'Old here?'));
  return changed;
}

test('G68 the code of another build or another Node is not used', async () => {
  const cache = scratchFolder();
  await run({ cache, args: ['--help'] });
  expect((await run({ cache, args: ['--help'], folder: otherBuild() })).stdout).toContain('Old here?');
  const folders = readdirSync(cache);
  expect(folders).toHaveLength(2);
  for (const folder of folders) expect(folder).toMatch(new RegExp(`^[0-9a-f]{16}-${process.version}-${process.arch}$`));
});

test('G68 what other builds left is removed after a week, and nothing else', async () => {
  const cache = scratchFolder();
  const old = new Date(Date.now() - 8 * 24 * 3_600_000);
  const names = ['0123456789abcdef-v20.1.0-x64', 'library.db', 'config.json'];
  for (const name of names) {
    if (name.includes('.db') || name.includes('.json')) writeFileSync(path.join(cache, name), 'mine');
    else mkdirSync(path.join(cache, name));
    utimesSync(path.join(cache, name), old, old);
  }
  mkdirSync(path.join(cache, 'fedcba9876543210-v20.1.0-x64'));
  await run({ cache, args: ['--help'] });
  const own = readdirSync(cache).filter((name) => name.includes(process.version));
  const left = readdirSync(cache).filter((name) => !own.includes(name));
  expect(own).toHaveLength(1);
  expect(left.sort()).toEqual(['config.json', 'fedcba9876543210-v20.1.0-x64', 'library.db']);
});

test('G68 a folder that cannot be written to is no error', async () => {
  const file = path.join(scratchFolder(), 'a-file');
  writeFileSync(file, 'not a folder');
  expect(await run({ cache: file, args: ['--help'] })).toMatchObject({ code: 0, stderr: '' });
  const env = { ...scratchEnv(scratchFolder()), XDG_CACHE_HOME: file, HOME: file, LOCALAPPDATA: file };
  expect(await cli(['tools'], env)).toMatchObject({ code: 0, stderr: '' });
});

const standard: Partial<Record<NodeJS.Platform, string[]>> = {
  darwin: ['Library', 'Caches'],
  win32: ['AppData', 'Local'],
};

/** The environment of a user of its own, and where compiled code is kept for that user. */
function user() {
  const home = scratchFolder();
  const env = { PATH: process.env.PATH, HOME: home, XDG_CACHE_HOME: 'passed over', TMPDIR: scratchFolder() };
  const cache = path.join(home, ...(standard[process.platform] ?? ['.cache']), 'ai-assist', 'compiled-code');
  return { env, home, cache };
}

test("G54 compiled code is kept in the platform's folder for caches, by every Node", async () => {
  const { env, cache } = user();
  expect(await cli(['tools'], env)).toMatchObject({ code: 0 });
  expect(filesIn(cache).length).toBeGreaterThan(3);
  expect(readdirSync(env.TMPDIR)).toEqual([]);
});

test.runIf(process.getuid)('G68 a folder that other users can write to is left alone', async () => {
  const { env, cache } = user();
  mkdirSync(cache, { recursive: true });
  chmodSync(cache, 0o777);
  expect(await cli(['tools'], env)).toMatchObject({ code: 0, stderr: '' });
  expect(readdirSync(cache)).toEqual([]);
});

test.each([
  ['a server', ['mcp'], {}],
  ['the quickstart', ['quickstart'], {}],
  ['help', ['collections', '--help'], {}],
  ['a Node that was told not to', ['tools'], { NODE_DISABLE_COMPILE_CACHE: '1' }],
  ['a Node with options', ['tools'], { NODE_OPTIONS: '--stack-trace-limit=20' }],
])('G69 %s keeps no code', async (_who, args, more) => {
  const { env, cache } = user();
  const { code } = await cli(args, { ...env, AI_ASSIST_EMBEDDER: 'none', ...more });
  expect(code).toBe(0);
  expect(existsSync(cache)).toBe(false);
  expect(readdirSync(env.TMPDIR)).toEqual([]);
});
