/** The project of a folder: found, read, and refused with the place of the fault. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, realpathSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { canonicalPath } from '../../src/project/canonical.js';
import { findProject, requireProject } from '../../src/project/find.js';
import { scratchFolder } from '../support/scratch.js';

const FILE = 'context.json';

function projectWith(text: string): string {
  const folder = scratchFolder();
  writeFileSync(path.join(folder, FILE), text);
  return folder;
}

function folderIn(root: string, ...names: string[]): string {
  const folder = path.join(root, ...names);
  mkdirSync(folder, { recursive: true });
  return folder;
}

test('C100 the nearest project file counts, in the folder or above it', async () => {
  const outer = projectWith('{"collections":{"outer":{"type":"pkg","url":"https://a.example/m.json"}}}');
  const inner = folderIn(outer, 'a');
  writeFileSync(path.join(inner, FILE), '{"collections":{"inner":{"type":"pkg","url":"https://a.example/m.json"}}}');
  const found = async (folder: string) => Object.keys((await findProject(folder, FILE))?.config.collections ?? {});
  expect(await found(outer)).toEqual(['outer']);
  expect(await found(folderIn(outer, 'b', 'c'))).toEqual(['outer']);
  expect(await found(folderIn(inner, 'd', 'e'))).toEqual(['inner']);
  expect(await found(path.join(inner, 'not', 'there'))).toEqual(['inner']);
});

test('C100 the name of the file is up to the caller, and without one there is no project', async () => {
  const folder = projectWith('{"collections":{}}');
  expect(await findProject(folder, 'other-name.json')).toBeUndefined();
  writeFileSync(path.join(folder, 'other-name.json'), '{"collections":{}}');
  expect((await findProject(folder, 'other-name.json'))?.file).toBe(path.join(realpathSync(folder), 'other-name.json'));
});

test('C101 a project that is needed and missing fails with the next move', async () => {
  const folder = scratchFolder();
  await expect(requireProject(folder, 'no-such.json')).rejects.toMatchObject({
    type: 'not_found',
    message: expect.stringContaining(`No no-such.json found in '${folder}'`),
    instruction: expect.stringContaining('ai-assist collections init'),
  });
  expect((await requireProject(projectWith('{}'), FILE)).config.collections).toEqual({});
});

test('C102 the root has no links in it, and the version is the hash of the bytes', async () => {
  const text = '{ "collections": {}, "später": "ü" }\n';
  const folder = projectWith(text);
  const link = path.join(scratchFolder(), 'link');
  symlinkSync(folder, link);
  const root = realpathSync(folder);
  expect(await findProject(link, FILE)).toMatchObject({
    root,
    file: path.join(root, FILE),
    text,
    version: createHash('sha256').update(text).digest('hex'),
  });
});

test('C102 a path is canonical even where its end does not exist yet', async () => {
  const folder = scratchFolder();
  const link = path.join(scratchFolder(), 'link');
  symlinkSync(folder, link);
  expect(await canonicalPath(path.join(link, 'new', 'docs'))).toBe(path.join(realpathSync(folder), 'new', 'docs'));
});

test('C103 a folder or a pipe of that name is no project file, and a huge file is not read', async () => {
  const outer = projectWith('{"collections":{}}');
  const withFolder = folderIn(outer, 'a');
  folderIn(withFolder, FILE);
  const withPipe = folderIn(outer, 'b');
  execFileSync('mkfifo', [path.join(withPipe, FILE)]);
  expect((await findProject(withFolder, FILE))?.root).toBe(realpathSync(outer));
  expect((await findProject(withPipe, FILE))?.root).toBe(realpathSync(outer));
  const huge = projectWith('{}');
  truncateSync(path.join(huge, FILE), 3 * 1024 ** 3);
  await expect(findProject(huge, FILE)).rejects.toMatchObject({ type: 'invalid_argument' });
});
