/**
 * Compiled code that is kept between runs. From 22.1 on Node does that itself, so the loader of our own is called
 * without the command line's first file: then it is tested on every Node.
 */
import { createHash } from 'node:crypto';
import { cpSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { cli, root, runNode, scratchEnv, scratchFolder } from '../support/scratch.js';

const loader = path.join(root, 'dist', 'cli', 'kept-code.cjs');
const packed = path.join(root, 'dist', 'cli', 'packed');

const run = (env: NodeJS.ProcessEnv, args: string[], folder = packed) =>
  runNode(
    [
      '-e',
      `require(${JSON.stringify(loader)}).load(${JSON.stringify(folder)}, 'run.cjs').run(${JSON.stringify(args)})`,
    ],
    env,
  );

function place() {
  const home = scratchFolder();
  const cache = path.join(home, 'cache');
  const env = scratchEnv(home, { XDG_CACHE_HOME: cache });
  const files = () =>
    readdirSync(cache, { recursive: true, encoding: 'utf8' })
      .map((file) => path.join(cache, file))
      .filter((file) => statSync(file).isFile());
  return { env, cache, files };
}

const isWhole = (kept: Buffer) => createHash('sha256').update(kept.subarray(32)).digest().equals(kept.subarray(0, 32));

const timesOf = (files: string[]) => files.map((file) => statSync(file).mtimeMs);

test('G68 the second run answers as the first did, from the code that the first one kept', async () => {
  const { env, files } = place();
  const first = await run(env, ['tools']);
  expect(first).toMatchObject({ code: 0, stderr: '' });
  const kept = files();
  expect(kept.map((file) => path.basename(file))).toContain('run.cjs');
  const times = timesOf(kept);
  expect(await run(env, ['tools'])).toEqual(first);
  // What V8 refuses is compiled and kept again: these were used.
  expect(files()).toEqual(kept);
  expect(timesOf(kept)).toEqual(times);
});

test('G68 damaged code is not used, and is replaced', async () => {
  const { env, files } = place();
  const first = await run(env, ['tools']);
  for (const [at, file] of files().entries()) {
    const bytes = readFileSync(file);
    const middle = Math.floor(bytes.length / 2);
    writeFileSync(file, at % 2 === 0 ? bytes.fill(0xff, middle, middle + 16) : bytes.subarray(0, middle));
  }
  expect(await run(env, ['tools'])).toEqual(first);
  expect(files().filter((file) => !isWhole(readFileSync(file)))).toEqual([]);
  expect(await run(env, ['tools'])).toEqual(first);
});

test('G68 the code of another build is not used, and is removed', async () => {
  const { env, cache, files } = place();
  await run(env, ['--help']);
  const old = files();
  const changed = path.join(scratchFolder(), 'packed');
  cpSync(packed, changed, { recursive: true });
  writeFileSync(path.join(changed, 'build-id'), 'another');
  const source = readFileSync(path.join(changed, 'run.cjs'), 'utf8');
  // As long as before: V8 itself would not notice.
  writeFileSync(path.join(changed, 'run.cjs'), source.replace('New here?', 'Old here?'));
  expect((await run(env, ['--help'], changed)).stdout).toContain('Old here?');
  expect(old.filter((file) => existsSync(file))).toEqual([]);
  expect(readdirSync(path.join(cache, 'ai-assist'))).toEqual([expect.stringMatching(/^another-/)]);
});

const standard: Partial<Record<NodeJS.Platform, string>> = {
  darwin: path.join('Library', 'Caches', 'ai-assist'),
  win32: path.join('AppData', 'Local', 'ai-assist', 'Cache'),
};

test("G54 compiled code is kept in the platform's folder for caches", async () => {
  const home = scratchFolder();
  await run({ PATH: process.env.PATH, HOME: home, XDG_CACHE_HOME: 'here' }, ['--help']);
  const folder = path.join(home, standard[process.platform] ?? path.join('.cache', 'ai-assist'));
  expect(readdirSync(folder)).toEqual([expect.stringContaining(process.version)]);
});

test('G68 a folder that cannot be written to is no error', async () => {
  const { env, cache } = place();
  writeFileSync(cache, 'a file');
  expect(await run(env, ['--help'])).toMatchObject({ code: 0, stderr: '' });
});

test.each([
  ['a server', ['mcp'], {}],
  ['the quickstart', ['quickstart'], {}],
  ['help', ['collections', '--help'], {}],
  ['a Node that was told not to', ['tools'], { NODE_DISABLE_COMPILE_CACHE: '1' }],
])('G69 %s keeps no code', async (_who, args, more) => {
  const { env, cache } = place();
  const temporary = scratchFolder();
  const { code } = await cli(args, { ...env, TMPDIR: temporary, ...more });
  expect(code).toBe(0);
  expect(existsSync(cache)).toBe(false);
  expect(readdirSync(temporary)).toEqual([]);
});
