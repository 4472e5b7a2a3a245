import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { parseManifest } from '../../src/context/manifest.js';
import { scaffoldManifest } from '../../src/context/manifest-init.js';
import { folderWith } from '../support/files.js';
import { scratchFolder } from '../support/scratch.js';

test('C290 A new manifest has the name of its folder and takes every Markdown file', async () => {
  const folder = path.join(scratchFolder(), 'my-docs');
  mkdirSync(folder);
  const { file, manifest } = await scaffoldManifest(folder, false);
  expect(file).toBe(path.join(folder, 'manifest.json'));
  expect(manifest).toEqual({ name: 'my-docs', version: '1.0.0', sources: { glob: ['**/*.md'] } });
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(manifest);
  expect(parseManifest(readFileSync(file), file)).toMatchObject({ name: 'my-docs' });
});

test('C291 A manifest that exists is replaced only with force', async () => {
  const folder = folderWith({ 'manifest.json': 'mine' });
  const file = path.join(folder, 'manifest.json');
  await expect(scaffoldManifest(folder, false)).rejects.toMatchObject({
    type: 'conflict',
    message: `'${file}' exists already`,
    instruction: expect.stringContaining('--force'),
  });
  expect(readFileSync(file, 'utf8')).toBe('mine');
  await scaffoldManifest(folder, true);
  expect(readFileSync(file, 'utf8')).toContain('"version": "1.0.0"');
  expect(readdirSync(folder)).toEqual(['manifest.json']);
});

test('C292 A folder that is missing, or is a file, is not found', async () => {
  const folder = folderWith({ 'a.md': '' });
  for (const name of ['gone', 'a.md']) {
    await expect(scaffoldManifest(path.join(folder, name), true)).rejects.toMatchObject({ type: 'not_found' });
  }
});
