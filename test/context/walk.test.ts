import { lstatSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import picomatch from 'picomatch';
import { expect, test } from 'vitest';
import { walk } from '../../src/context/sources/walk.js';
import { factor } from '../support/effort.js';
import { addFiles, folderWith } from '../support/files.js';
import { scratchFolder } from '../support/scratch.js';

const options = { maxFiles: 1000 };
const paths = async (folder: string, ...patterns: string[]) =>
  (await walk(folder, patterns, options)).files.map((file) => file.path);
const warnings = async (folder: string, ...patterns: string[]) =>
  (await walk(folder, patterns, options)).warnings.map((warning) => `${warning.path}: ${warning.message}`);

test('C200 A walk lists the regular files that match, sorted, with what the file system says of each', async () => {
  const folder = folderWith({ 'b/c.md': 'three', 'a.md': 'one', 'b.md': '', 'b/x.txt': 'no' });
  mkdirSync(path.join(folder, 'folder.md'));
  const { files, warnings: none } = await walk(folder, ['**/*.md'], options);
  expect(files.map((file) => file.path)).toEqual(['a.md', 'b.md', 'b/c.md']);
  const { size, mtimeMs, ctimeMs, ino } = lstatSync(path.join(folder, 'b/c.md'));
  expect(files[2]?.stat).toEqual({ size, mtimeMs, ctimeMs, inode: ino });
  expect(none).toEqual([]);
});

test('C201 Dot files and dot folders are left out unless a pattern names them', async () => {
  const folder = folderWith({ 'a.md': '', '.b.md': '', '.github/c.md': '', 'd/.e/f.md': '' });
  expect(await paths(folder, '**/*.md')).toEqual(['a.md']);
  expect(await paths(folder, '.github/**')).toEqual(['.github/c.md']);
  expect(await paths(folder, '**/.e/*.md')).toEqual(['d/.e/f.md']);
  expect(await paths(folder, '{a,.b}.md')).toEqual(['.b.md', 'a.md']);
});

test('C202 node_modules and .git are skipped for every pattern that does not name them', async () => {
  const folder = folderWith({ 'a.md': '', 'node_modules/p/r.md': '', 'x/node_modules/q/r.md': '', '.git/h.md': '' });
  expect(await paths(folder, '**/*.md')).toEqual(['a.md']);
  expect(await paths(folder, '*/*/*.md', '.*/*.md')).toEqual([]);
  expect(await paths(folder, '**/*.md', 'node_modules/p/*')).toEqual(['a.md', 'node_modules/p/r.md']);
  expect(await paths(folder, '**/node_modules/**/*.md')).toEqual(['node_modules/p/r.md', 'x/node_modules/q/r.md']);
  expect(await paths(folder, '.git/*.md')).toEqual(['.git/h.md']);
});

test('C203 A folder in which nothing can match is not read', async () => {
  const folder = folderWith({ 'docs/a.md': '', 'docs/deep/b.md': '', 'src/c.md': '', 'pkg/x/docs/d.md': '' });
  // A link to the outside in a folder that is read gives a warning.
  for (const place of ['src', 'docs/deep', 'pkg/x']) symlinkSync('/', path.join(folder, place, 'out'));
  expect(await warnings(folder, 'docs/*.md')).toEqual([]);
  expect(await warnings(folder, 'pkg/*/docs/**/*.md')).toEqual([]);
  expect(await warnings(folder, 'docs/**/*.md')).toEqual(['docs/deep/out: the link leads out of the folder']);
});

test('C204 A link to a file is followed while it stays inside the folder', async () => {
  const outside = folderWith({ 'secret.md': 'secret' });
  const folder = folderWith({ 'real.md': 'content' });
  symlinkSync('real.md', path.join(folder, 'alias.md'));
  symlinkSync(path.join(outside, 'secret.md'), path.join(folder, 'secret.md'));
  symlinkSync('missing', path.join(folder, 'dead.md'));
  symlinkSync('/dev/null', path.join(folder, 'device'));
  const { files, warnings: found } = await walk(folder, ['**/*.md'], options);
  expect(files.map((file) => file.path)).toEqual(['alias.md', 'real.md']);
  expect(files[0]?.stat).toEqual(files[1]?.stat);
  expect(found).toEqual([
    { path: 'dead.md', message: 'the link leads nowhere', lost: true },
    { path: 'secret.md', message: 'the link leads out of the folder', lost: true },
  ]);
});

test('C205 A link to a folder is followed inside the folder, and never in circles', async () => {
  const outside = folderWith({ 'secret.md': 'secret' });
  const folder = folderWith({ 'v2/a.md': '', 'v2/deep/b.md': '', 'x/x.md': '', 'y/y.md': '' });
  symlinkSync('v2', path.join(folder, 'latest'));
  symlinkSync('..', path.join(folder, 'v2/up'));
  symlinkSync(outside, path.join(folder, 'outside'));
  symlinkSync('self', path.join(folder, 'self'));
  symlinkSync('../y', path.join(folder, 'x/to-y'));
  symlinkSync('../x', path.join(folder, 'y/to-x'));
  const expected = ['latest/a.md', 'latest/deep/b.md', 'v2/a.md', 'v2/deep/b.md', 'x/to-y/y.md', 'x/x.md'];
  expect(await paths(folder, '**/*.md')).toEqual([...expected, 'y/to-x/x.md', 'y/y.md']);
  expect((await warnings(folder, '**/*.md')).sort()).toEqual([
    'latest/up: the link leads in a circle',
    'outside: the link leads out of the folder',
    'self: the link leads in a circle',
    'v2/up: the link leads in a circle',
    'x/to-y/to-x: the link leads in a circle',
    'y/to-x/to-y: the link leads in a circle',
  ]);
  expect(await paths(folder, 'latest/**')).toEqual(['latest/a.md', 'latest/deep/b.md']);
});

test('C206 Folders that all link to each other end the walk with a warning', async () => {
  const folder = scratchFolder();
  const names = Array.from({ length: 12 }, (_, index) => `f${index}`);
  for (const name of names) mkdirSync(path.join(folder, name));
  for (const from of names) for (const to of names) symlinkSync(`../${to}`, path.join(folder, from, to));
  const found = await warnings(folder, '**/*.md');
  expect(found).toHaveLength(1001);
  expect(found.at(-1)).toBe('.: more than 1000 warnings, the rest is not shown');
});

test('C213 At most 1000 links to folders are followed', async () => {
  const folder = folderWith({ 'real/a.md': '' });
  for (let index = 0; index < 1001; index++) symlinkSync('real', path.join(folder, `link${index}`));
  const { files, warnings: found } = await walk(folder, ['**/*.md'], { maxFiles: 2000 });
  expect(files).toHaveLength(1001);
  expect(found.map((warning) => warning.message)).toEqual(['more than 1000 links to folders']);
});

test('C207 Names with control or text-direction characters, or not in UTF-8, give a warning that is safe to show', async () => {
  const folder = folderWith({ 'good.md': '', 'line\nbreak.md': '', 'bidi\u202Edm.md': '', 'bad\u001Bdir/a.md': '' });
  writeFileSync(Buffer.concat([Buffer.from(`${folder}/`), Buffer.from([0xff, 0xfe]), Buffer.from('.md')]), '');
  writeFileSync(path.join(folder, 'Icon\r'), '');
  expect(await paths(folder, '**/*.md')).toEqual(['good.md']);
  expect((await warnings(folder, '**/*.md')).sort()).toEqual([
    'bad\\u001bdir: its name has control or text-direction characters',
    'bidi\\u202edm.md: its name has control or text-direction characters',
    'line\\u000abreak.md: its name has control or text-direction characters',
    '\uFFFD\uFFFD.md: its name is not valid UTF-8',
  ]);
});

test.each([
  ['../*.md', 'leaves its folder'],
  ['a/../../b', 'leaves its folder'],
  ['{..,a}/*.md', 'leaves its folder'],
  ['/etc/*', 'leaves its folder'],
  ['C:/x/*', 'leaves its folder'],
  ['!../x', 'leaves its folder'],
  ['', 'it is empty'],
  ['a\u0000b', 'control or text-direction characters'],
  ['*a*a*a*a*b', 'more than 3 wildcards'],
  ['**/a/**/a/**/a/**', 'more than 3 globstars'],
  ['{a,b}{a,b}{a,b}{a,b}{a,b}', 'more than 4 groups'],
  ['!drafts/**', 'names nothing to take'],
  [`${'long/'.repeat(100)}*`, 'longer than 500 characters'],
])('C208 A glob such as %s is an invalid argument', async (pattern, message) => {
  await expect(paths(scratchFolder(), pattern)).rejects.toMatchObject({
    type: 'invalid_argument',
    message: expect.stringContaining(message),
  });
});

test('C209 A pattern with ! takes away from what the others match', async () => {
  const folder = folderWith({ 'a.md': '', 'drafts/b.md': '', 'x/drafts/c.md': '', './d.md': '' });
  expect(await paths(folder, './**/*.md', '!**/drafts/**')).toEqual(['a.md', 'd.md']);
});

test('C210 More files than allowed are a failure, not a full memory', async () => {
  const folder = folderWith({ 'a.md': '', 'b.md': '', 'c.md': '' });
  await expect(walk(folder, ['*'], { maxFiles: 2 })).rejects.toMatchObject({ type: 'invalid_argument' });
  expect((await walk(folder, ['*'], { maxFiles: 3 })).files).toHaveLength(3);
});

test('C211 A walk that is called off stops', async () => {
  const folder = folderWith({ 'a.md': '' });
  const signal = AbortSignal.abort(new Error('called off'));
  await expect(walk(folder, ['*'], { ...options, signal })).rejects.toThrow('called off');
});

const segments = ['a', 'b', 'a.md', 'b.txt', '.c', 'node_modules', 'packages'];
const anyPath = fc.array(fc.constantFrom(...segments), { minLength: 1, maxLength: 4 });
const patternParts = ['*', '**', 'a', '*.md', '{a,b}', '?', '.c', '[ab]', '@(a|b)', '{a/b,packages}', '.*'];
const anyPattern = fc.array(fc.constantFrom(...patternParts), { minLength: 1, maxLength: 4 });

test('C212 Leaving folders out never changes what matches: a walk agrees with a test of every path', async () => {
  const scenario = fc.asyncProperty(fc.array(anyPath, { maxLength: 12 }), anyPattern, async (files, parts) => {
    fc.pre(parts.filter((part) => part === '**').length <= 3);
    const folder = scratchFolder();
    for (const [index, parents] of files.entries()) addFiles(folder, { [[...parents, `${index}.md`].join('/')]: '' });
    const pattern = parts.join('/');
    const matches = picomatch(pattern);
    const hidden = (file: string) => file.split('/').includes('node_modules');
    const all = readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)));
    expect(await paths(folder, pattern)).toEqual(all.filter((file) => !hidden(file) && matches(file)).sort());
  });
  await fc.assert(scenario, { numRuns: 200 * factor });
});
