import path from 'node:path';
import { expect, test } from 'vitest';
import { factor } from '../support/effort.js';
import { runNode, scratchEnv, scratchFolder, scratchWorkspace } from '../support/scratch.js';

const WORKERS = 8;
const WRITES = 200 * factor;

type Done = { added: string[]; renamed: number; conflicts: number };

test('G46 eight processes with 200 writes each lose nothing, do nothing twice, and keep the audit chain', async () => {
  const folder = scratchFolder();
  const workspace = await scratchWorkspace({ folder });
  const session = workspace.session();
  for (const name of ['a', 'b', 'c', 'd']) await session.call('add_folder', { name });

  const script = path.join(import.meta.dirname, 'writer.child.mjs');
  const env = scratchEnv(folder, { AI_ASSIST_CALLS_PER_MINUTE: '0' });
  const workers = Array.from({ length: WORKERS }, (_, worker) =>
    runNode([script, String(worker), String(WRITES)], env),
  );
  const finished = await Promise.all(workers);
  expect(finished.map(({ code, stderr }) => ({ code, stderr }))).toEqual(finished.map(() => ({ code: 0, stderr: '' })));
  const done = finished.map(({ stdout }) => JSON.parse(stdout) as Done);

  const listed = await session.call('list_folders', {});
  if (!listed.success) throw new Error(listed.error);
  const inside = listed.folders.filter((one) => one.parentId !== null);
  expect(inside.map((one) => one.id).sort()).toEqual(done.flatMap((one) => one.added).sort());
  expect(new Set(inside.map((one) => one.name)).size).toBe((WORKERS * WRITES * 3) / 4);
  expect(done.reduce((sum, one) => sum + one.renamed, 0)).toBe((WORKERS * WRITES) / 4);
  expect(listed.version).toBe(`r${4 + WORKERS * WRITES}`);
  expect(
    done.reduce((sum, one) => sum + one.conflicts, 0),
    'the processes met',
  ).toBeGreaterThan(0);
  expect(await session.call('audit_verify', {})).toMatchObject({ intact: true });
});
