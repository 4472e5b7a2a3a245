/** What the command line loads, seen by a hook that writes the name of each file to standard error. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { mainFile, root, runNode, scratchEnv, scratchFolder } from '../support/scratch.js';

const MARK = 'loaded ';

const hook = `
  const { writeSync } = require('node:fs');
  const Module = require('node:module');
  const load = Module._load;
  Module._load = function (request, parent, isMain) {
    const file = Module._resolveFilename(request, parent, isMain);
    if (file.startsWith('/')) writeSync(2, '${MARK}' + file + '\\n');
    return load.call(this, request, parent, isMain);
  };`;

/** Runs the command line; answers its output and the files that it loaded, from the root of the project. */
async function watched(args: string[], env = scratchEnv(scratchFolder())) {
  const watch = path.join(scratchFolder(), 'watch.cjs');
  writeFileSync(watch, hook);
  const { stdout, stderr } = await runNode(['--require', watch, mainFile, ...args], env);
  const files = stderr.split('\n').flatMap((line) => (line.startsWith(MARK) ? [line.slice(MARK.length)] : []));
  return { stdout, files: [...new Set(files.map((file) => path.relative(root, file)))] };
}

const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as { version: string };

test.each(['--version', '-v'])('G65 %s prints the version and loads nothing but the version', async (flag) => {
  const folder = scratchFolder();
  const { stdout, files } = await watched([flag], scratchEnv(folder));
  expect(stdout).toBe(`${version}\n`);
  expect(files).toEqual(['dist/cli/main.cjs']);
  expect(readdirSync(folder)).toEqual([]);
});

const packed = (...names: string[]) => names.map((name) => `dist/cli/packed/${name}.cjs`);

test('G65 the overview loads no package either', async () => {
  const { files } = await watched(['--help']);
  expect(files.sort()).toEqual(['dist/cli/main.cjs', ...packed('base', 'run')]);
});

/** Something that only the code of the protocol says. */
const hasProtocol = (file: string) => readFileSync(path.join(root, file), 'utf8').includes('notifications/initialized');

test('G65 a call does not load the protocol, and a server does', async () => {
  const call = await watched(['tool', 'list_folders']);
  expect(call.files).toEqual(expect.arrayContaining(packed('session')));
  expect(call.files.filter(hasProtocol)).toEqual([]);
  const server = await watched(['mcp']);
  expect(server.files.filter(hasProtocol)).not.toEqual([]);
});
