/** How far the tools reach on the disk. */
import { symlinkSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import type { Role } from '../../src/config/settings.js';
import { addFiles } from '../support/files.js';
import { scratchFolder, scratchWorkspace } from '../support/scratch.js';

const manifest = JSON.stringify({ name: 'secrets', version: '1.0.0', sources: { glob: ['*.md'] } });

/** A project, with a folder beside it and a link that leads there. */
async function besideProject(role: Role) {
  const folder = scratchFolder();
  const project = path.join(folder, 'project');
  addFiles(folder, {
    'secrets/key.md': '# Key',
    'secrets/manifest.json': manifest,
    'project/context.json': '{"collections":{}}',
    'project/docs/manifest.json': manifest,
    'project/docs/a.md': '# A',
  });
  symlinkSync(path.join(folder, 'secrets'), path.join(project, 'link'));
  const session = (await scratchWorkspace()).session({ agent: 'eve', role, project });
  return { folder, call: (name: string, input: Record<string, unknown>) => session.callUntyped(name, input) };
}

const reaching = (folder: string): [string, Record<string, unknown>][] => [
  ['collection_add', { name: 'a', path: '../secrets' }],
  ['collection_add', { name: 'b', path: path.join(folder, 'secrets') }],
  ['collection_add', { name: 'c', path: 'link' }],
  ['collection_add', { name: 'd', url: pathToFileURL(path.join(folder, 'secrets', 'manifest.json')).href }],
  ['collection_pack', { manifest: '../secrets/manifest.json', output: 'x.tar.gz' }],
  ['collection_pack', { manifest: 'docs/manifest.json', output: '../x.tar.gz' }],
  ['collection_pack', { manifest: 'docs/manifest.json', output: 'link/x.tar.gz' }],
];

test('C580 an editor does not reach beyond the project', async () => {
  const { folder, call } = await besideProject('editor');
  for (const [name, input] of reaching(folder)) {
    expect(await call(name, input), JSON.stringify(input)).toMatchObject({
      success: false,
      error_type: 'forbidden',
      error: expect.stringContaining('is outside the project'),
      instruction: expect.stringContaining('inside the project'),
    });
  }
  expect(await call('collection_add', { name: 'e', path: './docs' })).toMatchObject({ success: true });
  expect(await call('collection_pack', { manifest: 'docs/manifest.json' })).toMatchObject({ success: true });
});

test('C580 an owner does', async () => {
  const { folder, call } = await besideProject('owner');
  for (const [name, input] of reaching(folder)) {
    expect(await call(name, input), JSON.stringify(input)).toMatchObject({ success: true });
  }
});
