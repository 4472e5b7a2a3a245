/** What the command line loads, seen by a hook that writes the address of each module to standard error. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { mainFile, root, runNode, scratchEnv, scratchFolder } from '../support/scratch.js';

const asModule = (source: string) => `data:text/javascript,${encodeURIComponent(source)}`;
const MARK = 'loaded ';

const hook = asModule(`
  import { writeSync } from 'node:fs';
  export function load(url, context, next) {
    writeSync(2, '${MARK}' + url + '\\n');
    return next(url, context);
  }`);
const watch = asModule(`import { register } from 'node:module'; register(${JSON.stringify(hook)});`);

/** Runs the command line; answers its output and the files that it loaded, from the root of the project. */
async function watched(args: string[], env = scratchEnv(scratchFolder())) {
  const { stdout, stderr } = await runNode(['--import', watch, mainFile, ...args], env);
  const urls = stderr.split('\n').flatMap((line) => (line.startsWith(MARK) ? [line.slice(MARK.length)] : []));
  const files = urls.filter((url) => url.startsWith('file:')).map((url) => path.relative(root, fileURLToPath(url)));
  return { stdout, files };
}

const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as { version: string };

test.each(['--version', '-v'])('G65 %s prints the version and loads nothing but the version', async (flag) => {
  const folder = scratchFolder();
  const { stdout, files } = await watched([flag], scratchEnv(folder));
  expect(stdout).toBe(`${version}\n`);
  expect(files.sort()).toEqual(['dist/cli/main.js', 'dist/version.js']);
  expect(readdirSync(folder)).toEqual([]);
});

/** Packages that cost time to load. */
const heavy = /node_modules.(zod|libsql|@modelcontextprotocol)\b/;

test('G65 the overview loads no package either', async () => {
  const { files } = await watched(['--help']);
  expect(files).toContain('dist/cli/run.js');
  expect(files.filter((file) => file.includes('node_modules'))).toEqual([]);
});

test('G65 a call does not load the protocol, and the hook above sees what is loaded', async () => {
  const { files } = await watched(['tool', 'list_folders']);
  const packages = new Set(files.flatMap((file) => heavy.exec(file)?.[1] ?? []));
  expect(packages).toContain('zod');
  expect(packages).not.toContain('@modelcontextprotocol');
});
