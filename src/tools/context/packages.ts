/** Making packages and projects: a project file, a manifest, a bundle. */
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { z } from 'zod';
import { scaffoldManifest } from '../../context/manifest-init.js';
import { pack } from '../../context/pack.js';
import { conflict } from '../../errors.js';
import { initProject } from '../../project/change.js';
import { defineTool } from '../define.js';
import { folderOf, limits } from './place.js';
import { checkReach } from './reach.js';

const exists = (file: string) => conflict`'${file}' exists already`.advise('Give force to replace it.');
const force = z.boolean().optional().describe('Replace what is there.');
const shared = { toolset: 'context', effect: 'write', outside: true } as const;

export const projectInit = defineTool({
  ...shared,
  name: 'project_init',
  summary: 'Make a project file in the folder of the session: the list of the collections that belong to it.',
  input: { force },
  output: { file: z.string(), version: z.string() },
  example: { input: { force: true } },
  errors: ['conflict'],
  run: async ({ force = false }, call) => {
    const fileName = call.setting('project.configFile');
    if (call.dryRun) {
      const planned = path.join(folderOf(call), fileName);
      if (!force && existsSync(planned)) throw exists(planned);
      return { file: planned, version: '' };
    }
    const { file, version } = await initProject(folderOf(call), fileName, force);
    return { file, version };
  },
});

export const manifestInit = defineTool({
  ...shared,
  name: 'manifest_init',
  summary: 'Make a manifest in the folder of the session, to publish its Markdown files as a package.',
  input: { force },
  output: { file: z.string() },
  example: { input: { force: true } },
  errors: ['conflict'],
  run: async ({ force = false }, call) => {
    const file = path.join(folderOf(call), 'manifest.json');
    if (!call.dryRun) await scaffoldManifest(folderOf(call), force);
    else if (!force && existsSync(file)) throw exists(file);
    return { file };
  },
});

export const collectionPack = defineTool({
  ...shared,
  name: 'collection_pack',
  summary: 'Pack a local manifest and its files into a bundle with hashes. Packing twice gives the same bytes.',
  input: {
    manifest: z.string().optional().describe('The manifest. Default: manifest.json in the folder of the session.'),
    output: z.string().optional().describe('The bundle. Default: {name}-{version}.tar.gz in that folder.'),
  },
  output: {
    file: z.string(),
    bytes: z.number(),
    sha256: z.string(),
    documents: z.array(z.object({ path: z.string(), bytes: z.number(), hash: z.string() })),
  },
  example: { input: { manifest: 'manifest.json' } },
  errors: ['not_found', 'invalid_argument', 'conflict'],
  run: async ({ manifest = 'manifest.json', output }, call) => {
    const folder = folderOf(call);
    for (const place of [manifest, output ?? '.']) await checkReach(call, folder, place);
    return call.dryRun ? rehearsePack(manifest, output, folder) : pack(manifest, output, limits, folder);
  },
});

/** Packs into a folder of its own, which is removed again. */
async function rehearsePack(manifest: string, output: string | undefined, folder: string) {
  const temporary = await mkdtemp(path.join(os.tmpdir(), 'ai-assist-pack-'));
  try {
    const elsewhere = output && path.join(temporary, path.basename(output));
    const packed = await pack(path.resolve(folder, manifest), elsewhere, limits, temporary);
    return { ...packed, file: path.resolve(folder, output ?? path.basename(packed.file)) };
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
}
