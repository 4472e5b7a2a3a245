import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { fakeOmniFocus } from '../support/fake-omnifocus.js';
import { root, runNode, scratchEnv, scratchFolder } from '../support/scratch.js';

const script = path.join(root, 'scripts', 'omnifocus-capture.mjs');

test('O50 the capture compares every case, and leaves the library as it was', async () => {
  const own = { kind: 'folder', id: 'own', name: 'My own', dropped: false, children: [] } as const;
  // Stands for a real OmniFocus that differs in one thing.
  const mac = fakeOmniFocus([{ ...own, children: [] }], { byLevel: true });
  const output = path.join(mac.folder, 'capture.json');
  const { code, stdout } = await runNode([script, '--output', output], mac.env);
  expect(stdout).toMatch(/^differs: facts\n\d+ cases, 1 differences\. See /);
  expect(code).toBe(0);
  const { real, emulator, differences } = JSON.parse(readFileSync(output, 'utf8'));
  expect(differences).toEqual(['facts']);
  expect(real.map(({ what }: { what: string }) => what)).toEqual(emulator.map(({ what }: { what: string }) => what));
  expect(mac.sections()).toEqual([own]);
});

test('O51 without OmniFocus it says why', async () => {
  const { code, stderr } = await runNode([script], scratchEnv(scratchFolder(), { PATH: '/nowhere' }));
  expect(code).toBe(1);
  expect(stderr).toContain('OmniFocus can be reached on a Mac only');
});
